// Invitations of a calendar that is to be deleted: which calendars have any, and how many may go with one.

import assert from 'node:assert/strict';
import { it, type TestContext } from 'node:test';
import { removeInvitations } from '../../../src/gateway/scheduling/plan.ts';
import { MAX_REMOVED_INVITATIONS } from '../../../src/limits/dav.ts';
import { VIEW } from '../../../src/model.ts';
import { askedServer, type Entered, entered, failsWith, listing, ownInfo } from '../../support/asked-server.ts';
import type { Answers } from '../../support/fault-server.ts';
import { contextsAt } from '../../support/room-context.ts';

const OWN: Entered = { view: VIEW.calendar, isPersonal: true };
const tags = (count: number) => listing(...Array.from({ length: count }, (_, i) => `${i + 1}|t`));

async function start(t: TestContext, of: Entered, answers: Answers) {
  const { server, sent } = await askedServer(t, { GOTO: entered('Mine', of), KILL: '200 yes\n', ...answers });
  const context = contextsAt(t, server.path)('ann', 'Mine');
  const { entered: room } = await context.app.pool.readInRoom(context.caller.identity, context.room, []);
  return { sent, remove: () => removeInvitations(context, room) };
}

it('a room that is no calendar of the caller has none', async (t) => {
  for (const kind of [{ view: VIEW.calendar }, { ...OWN, view: VIEW.files }]) {
    const { sent, remove } = await start(t, kind, { INFO: ownInfo(), SCHD: tags(1) });
    await remove();
    assert.deepEqual(sent(/^(SCHD|KILL|DELE)/), []);
  }
});

it('none is removed where the calendar may not be', async (t) => {
  const { sent, remove } = await start(t, OWN, { INFO: ownInfo(), SCHD: tags(1), KILL: '560 no\n' });
  await assert.rejects(remove(), failsWith('conflict'));
  assert.deepEqual(sent(/^(SCHD|DELE)/), []);
});

it('one more than MAX_REMOVED_INVITATIONS are too many, and none is removed', async (t) => {
  const most = MAX_REMOVED_INVITATIONS;
  const { sent, remove } = await start(t, OWN, { INFO: ownInfo(), SCHD: tags(most + 1) });
  await assert.rejects(remove(), failsWith('forbidden'));
  assert.deepEqual(sent(/^(SCHD|DELE)/), [`SCHD tags|0|${most + 1}`]);
});

it('MAX_REMOVED_INVITATIONS may be, and those that are gone meanwhile are passed over', async (t) => {
  const { sent, remove } = await start(t, OWN, {
    INFO: ownInfo(),
    SCHD: tags(MAX_REMOVED_INVITATIONS),
    DELE: '575 not here\n',
  });
  await remove();
  assert.equal(sent(/^DELE/).length, MAX_REMOVED_INVITATIONS);
});
