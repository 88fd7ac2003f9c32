// A member with all that a GET of it needs: one question, and what its answer means.

import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { MAX_COMMAND_BYTES } from '../../../src/limits/protocol.ts';
import { objects } from '../../../src/room-server/embedded/objects.ts';
import { ANN, askedServer, BOX, failsWith } from '../../support/asked-server.ts';

const LINES = 'from=bob\nsubj=s\npart=||1|inline|text/plain|5||\n';
const HEADERS = 'Subject: s\nX-Vestibule-Name: a.txt\n';

/** The answer to MEMB read. `part`: filename, media type, charset of the content */
function binary({ number = 5, tag = '', content = '', part = ['', '', ''] } = {}): string {
  const bytes = LINES + HEADERS + content;
  return `600 ${[bytes.length, number, tag, LINES.length, HEADERS.length, ...part].join('|')}\n${bytes}`;
}

describe('a member that is read', () => {
  it('has its fields, its header, its content and its tag', async (t) => {
    const part = ['a.txt', 'text/plain', 'utf-8'];
    const { pool, sent } = await askedServer(t, { MEMB: binary({ tag: 't5', content: 'hello', part }) });
    const { msgnum, head, content, scheduleTag } = await objects.read({ pool, identity: ANN, room: BOX }, [
      'a.txt',
      'a',
    ]);
    assert.deepEqual([msgnum, scheduleTag, head.entered.name], [5, '"t5"', 'Box']);
    assert.deepEqual(
      [...head.fields],
      [
        ['from', 'bob'],
        ['subj', 's'],
      ],
    );
    assert.deepEqual([head.parts.length, head.headers.map(({ value }) => value)], [1, ['s', 'a.txt']]);
    assert.deepEqual(content, {
      ...{ length: 5, filename: 'a.txt', contentType: 'text/plain', charset: 'utf-8' },
      bytes: Buffer.from('hello'),
    });
    assert.equal(head.seen, undefined);
    assert.deepEqual(sent(/^(MEMB|GTSN)/), ['MEMB read|a.txt|a']);
  });

  it('has no content where none was sent, and empty content where that is all of it', async (t) => {
    const part = ['', 'text/plain', ''];
    const { pool } = await askedServer(t, { MEMB: [binary(), binary({ part })] });
    const none = await objects.read({ pool, identity: ANN, room: BOX }, ['a']);
    assert.deepEqual([none.content, none.scheduleTag], [undefined, '']);
    assert.equal((await objects.read({ pool, identity: ANN, room: BOX }, ['a'])).content?.bytes.length, 0);
  });

  it('has its read mark where that is asked for', async (t) => {
    const { pool } = await askedServer(t, { MEMB: [binary(), binary()], GTSN: ['200 1:5\n', '200 1:4\n'] });
    assert.equal((await objects.read({ pool, identity: ANN, room: BOX }, ['a'], true)).head.seen, true);
    assert.equal((await objects.read({ pool, identity: ANN, room: BOX }, ['a'], true)).head.seen, false);
  });
});

describe('a member that cannot be read', () => {
  it('is not found', async (t) => {
    const { pool } = await askedServer(t, { MEMB: '575 There is no such member.\n' });
    await assert.rejects(objects.read({ pool, identity: ANN, room: BOX }, ['a']), failsWith('not_found'));
  });

  it('is not asked for by a name that could not be sent', async (t) => {
    const { pool, sent } = await askedServer(t, { MEMB: '575 There is no such member.\n' });
    const names = ['a|b', 'a\nb', 'x'.repeat(MAX_COMMAND_BYTES)];
    await assert.rejects(objects.read({ pool, identity: ANN, room: BOX }, [...names, 'ok']), failsWith('not_found'));
    assert.deepEqual(sent(/^MEMB/), ['MEMB read|ok']);
  });

  it('breaks the protocol where its parts are longer than what came, or have no length', async (t) => {
    for (const lengths of ['2|2', '-1|2', '3|-1']) {
      const { pool } = await askedServer(t, { MEMB: `600 3|5||${lengths}||text/plain|\nabc` });
      await assert.rejects(
        objects.read({ pool, identity: ANN, room: BOX }, ['a']),
        failsWith('backend_protocol'),
        lengths,
      );
    }
  });
});
