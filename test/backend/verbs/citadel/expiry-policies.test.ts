import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { updateRoom } from '../../../../src/backend/store/rooms.ts';
import { gpex, spex } from '../../../../src/backend/verbs/citadel/rooms.ts';
import { MAX_EXPIRY_VALUE } from '../../../../src/limits/backend.ts';
import { world } from '../../../support/expiry-world.ts';
import { run } from '../../../support/message-session.ts';

describe('GPEX and SPEX', () => {
  it('tell and set the policy of each place', (t) => {
    const { w, boss } = world(t);
    const session = w.session(boss, w.room('Box'));
    const dialogue: [string, string][] = [
      ['site', '200 1|0'],
      ['mailboxes', '200 0|0'],
      ['floor', '200 0|0'],
      ['room', '200 0|0'],
      ['bogus', '512 Invalid keyword "bogus"'],
      ['', '512 Invalid keyword ""'],
    ];
    for (const [which, answer] of dialogue) assert.equal(run(session, gpex, which), `${answer}\n`);
    const changes: [string, string][] = [
      ['room|3|30', "200 Room expire policy for 'Box' has been updated."],
      ['floor|2|100', '200 Floor expire policy has been updated.'],
      ['mailboxes|3|90', '200 Default expire policy for mailboxes set.'],
      ['site|3|365', '200 Site expire policy has been updated.'],
      ['site|0|0', '512 Invalid policy (no higher level)'],
      ['room|9|0', '512 Invalid policy.'],
      ['room|2|0', '512 Invalid policy.'],
      ['room|3|-1', '512 Invalid policy.'],
      [`room|3|${MAX_EXPIRY_VALUE + 1}`, '512 Invalid policy.'],
      ['bogus|1|0', "512 Invalid keyword 'bogus'"],
    ];
    for (const [args, answer] of changes) assert.equal(run(session, spex, args), `${answer}\n`, args);
    for (const [which, answer] of [
      ['room', '200 3|30\n'],
      ['floor', '200 2|100\n'],
      ['mailboxes', '200 3|90\n'],
      ['site', '200 3|365\n'],
    ] as const) {
      assert.equal(run(session, gpex, which), answer);
    }
    assert.match(run(session, spex, `room|3|${MAX_EXPIRY_VALUE}`), /^200 /);
  });

  it('are set by those who administer the place only', (t) => {
    const { w, ann } = world(t);
    const box = w.room('Box');
    const session = w.session(ann, box);
    for (const which of ['room', 'floor', 'mailboxes', 'site', 'bogus']) {
      assert.equal(run(session, spex, `${which}|1|0`), '550 Higher access required.\n', which);
    }
    updateRoom(w.store, box, { admin: ann.id });
    assert.match(run(session, spex, 'room|1|0'), /^200 /);
    for (const which of ['floor', 'mailboxes', 'site'])
      assert.match(run(session, spex, `${which}|1|0`), /^550 /, which);
    assert.match(run(w.session(undefined, box), spex, 'room|1|0'), /^550 /);
  });
});
