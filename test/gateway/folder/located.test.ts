// What a path leads to inside a room, and where something can be made.

import assert from 'node:assert/strict';
import { describe, it, type TestContext } from 'node:test';
import { filePathOf, locate, requirePossibleFile, requirePossiblePath } from '../../../src/gateway/folder/location.ts';
import { VIEW } from '../../../src/model.ts';
import { enterRoom } from '../../../src/room-server/connection/goto.ts';
import { askedServer, entered, failsWith, ownInfo } from '../../support/asked-server.ts';
import { contextsAt } from '../../support/room-context.ts';

const found = (name: string) => `100 7|42|\n5|${name}||1|||||\n000\n`;

async function start(t: TestContext, members: Record<string, string>, view: number = VIEW.files) {
  const answers = Object.entries(members).map(([asked, name]) => [`MEMB find|${asked}`, found(name)]);
  const { server, connect, sent } = await askedServer(t, {
    GOTO: entered('Box', { view }),
    INFO: ownInfo(),
    ...Object.fromEntries(answers),
    MEMB: '100 7|42|\n0\n000\n',
  });
  const connection = await connect();
  const room = await enterRoom(connection, { name: 'Box', password: '' });
  return { connection, room, sent, context: contextsAt(t, server.path)('ann', 'Box') };
}

describe('a path', () => {
  it('leads to the room, to a member by any of its names, or to the name of what is not there', async (t) => {
    const { context } = await start(t, { 'docs|docs/': 'docs/' });
    const room = await locate(context, '');
    assert.deepEqual([room.name, room.member, room.isFiles], ['', undefined, true]);
    const folder = await locate(context, 'docs');
    assert.deepEqual([folder.name, folder.member?.msgnum], ['docs/', 5]);
    const none = await locate(context, 'new.txt');
    assert.deepEqual([none.name, none.member], ['new.txt', undefined]);
    const calendar = await start(t, { '5|5/': 'a.ics' }, VIEW.calendar);
    const member = await locate(calendar.context, '5');
    assert.deepEqual([member.name, member.isFiles], ['a.ics', false]);
  });

  it('in a files room is a whole name, but for what lies below a number', () => {
    assert.equal(filePathOf('docs/a%20b.txt'), 'docs/a b.txt');
    assert.equal(filePathOf('docs/7'), 'docs/7');
    for (const path of ['7', '7/1', '7/json']) assert.equal(filePathOf(path), undefined, path);
    assert.throws(() => filePathOf('a%00'), failsWith('bad_request'));
  });
});

describe('a place for something new', () => {
  it('is in a folder that is there', async (t) => {
    const { context, connection, room } = await start(t, { 'docs/': 'docs/' });
    for (const name of ['a.txt', 'docs/a.txt', 'docs/sub/']) await requirePossiblePath(context, connection, room, name);
    await assert.rejects(requirePossiblePath(context, connection, room, 'none/a.txt'), failsWith('conflict'));
    await assert.rejects(requirePossiblePath(context, connection, room, '../a.txt'), failsWith('conflict'));
  });

  it('is none for the content of a folder, nor where one has the name', async (t) => {
    const { context, connection, room } = await start(t, { 'docs/': 'docs/' });
    await requirePossibleFile(context, connection, room, 'docs/a.txt');
    for (const name of ['docs/', 'docs']) {
      await assert.rejects(requirePossibleFile(context, connection, room, name), failsWith('method_not_allowed'), name);
    }
  });
});
