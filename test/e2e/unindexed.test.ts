// What a real server's full-text index does not have is found all the same (quirk Q57; support/real-server.ts).

import assert from 'node:assert/strict';
import { describe, it, type TestContext } from 'node:test';
import { finishedBody } from '../../src/backend/store/bodies.ts';
import { saveMessage } from '../../src/backend/store/messages.ts';
import { createRoom } from '../../src/backend/store/rooms.ts';
import type { Store } from '../../src/backend/store/store.ts';
import { ROOM_FLAG } from '../../src/model.ts';
import { type Api, postedNumber, startGateway } from '../support/gateway.ts';
import { type RealServerOptions, startRealServer } from '../support/real-server.ts';

async function inFrontOfReal(t: TestContext, options: RealServerOptions = {}) {
  const index = { upTo: 0 };
  const real = await startRealServer(t, { users: { alice: 4, bob: 4 }, index, ...options });
  const gateway = await startGateway(t, { backend: `unix:${real.path}` });
  const api = { alice: gateway.as('alice', 'alicepw'), bob: gateway.as('bob', 'bobpw') };
  return { real, gateway, index, store: real.behind.store, ...api, admin: gateway.as('admin', 'adminpw') };
}

async function post(api: Api, room: string, body: string, query = '', type = 'text/plain; charset=utf-8') {
  return postedNumber(await api(`r/${room}/new${query}`, { method: 'PUT', headers: { 'content-type': type }, body }));
}

interface Row {
  room: string;
  msgnum: number;
  author: string;
  addr: string;
  subject: string;
}

async function search(api: Api, words: string): Promise<{ rows: Row[]; numbers: number[]; searched: string | null }> {
  const answer = await api(`a/search?q=${encodeURIComponent(words)}`);
  assert.equal(answer.status, 200);
  const rows = (await answer.json()) as Row[];
  return { rows, numbers: rows.map(({ msgnum }) => msgnum), searched: answer.headers.get('searched') };
}

async function searchIn(api: Api, room: string, words: string): Promise<[number[], string | null]> {
  const answer = await api(`r/${room}/msgs.search%7C${encodeURIComponent(words)}`);
  assert.equal(answer.status, 200);
  return [(await answer.json()) as number[], answer.headers.get('searched')];
}

/** Puts messages into a new room, as other programs do: their numbers. */
function fill(store: Store, name: string, bodies: readonly string[], flags = 0): number[] {
  return store.transaction(() => {
    const room = createRoom(store, { name, view: 0, flags, password: '', floor: 0, admin: 1 });
    return bodies.map((text) => {
      const body = finishedBody(store, 4, Buffer.from(`Content-type: text/plain\n\n${text}\n`));
      const fields = { author: 'bob', path: 'bob', address: 'bob@example.org', room: name, subject: 'mail' };
      return saveMessage(store, { ...fields, format: 4, body, rooms: [room.id] });
    });
  });
}

describe('a search where the indexer of the room server has stopped', () => {
  it('finds what came later by text, subject and author, and what the index has, once, latest first', async (t) => {
    const { index, alice, bob } = await inFrontOfReal(t);
    const early = await post(alice, 'Lobby', 'the marmalade is here');
    index.upTo = early;
    const text = await post(bob, 'Lobby', 'more Marmalade, please');
    const subject = await post(alice, '_DRAFTS_', 'x', '?subj=Marmalade%20%C3%BCber%20alles');
    const html = await post(alice, 'Lobby', '<p>mar<b>malade</b></p><!-- plum -->', '', 'text/html');
    const found = await search(alice, 'marmalade');
    assert.deepEqual(
      found.rows.map(({ room, msgnum, author, subject }) => [room, msgnum, author, subject]),
      [
        ['Lobby', html, 'alice', ''],
        ['Drafts', subject, 'alice', 'Marmalade über alles'],
        ['Lobby', text, 'bob', ''],
        ['Lobby', early, 'alice', ''],
      ],
    );
    assert.equal(found.searched, 'all');
    assert.deepEqual((await search(alice, 'bob marmalade')).numbers, [text]);
    assert.deepEqual((await search(alice, 'MARMALADE uber')).numbers, [subject]);
    for (const nowhere of ['plum', 'marmal', 'subject', 'plain', '!']) {
      assert.deepEqual((await search(alice, nowhere)).numbers, [], nowhere);
    }
    assert.deepEqual((await search(bob, 'marmalade')).numbers, [html, text, early]);
  });

  it('tells the same of a message as one that finds it in the index', async (t) => {
    const { index, alice, bob } = await inFrontOfReal(t);
    const number = await post(bob, 'Lobby', 'a quince', '?subj=Gr%C3%BC%C3%9Fe');
    const looked = await search(alice, 'quince');
    index.upTo = number;
    assert.deepEqual((await search(alice, 'quince')).rows, looked.rows);
    assert.equal(looked.rows[0]!.addr !== '', true);
  });

  it('does so in one room, too', async (t) => {
    const { index, alice } = await inFrontOfReal(t);
    const numbers = [await post(alice, 'Lobby', 'a quince'), await post(alice, 'Lobby', 'a pear')];
    index.upTo = numbers[0]!;
    const later = await post(alice, 'Lobby', 'QUINCE jam');
    await post(alice, '_DRAFTS_', 'another quince');
    assert.deepEqual(await searchIn(alice, 'Lobby', 'quince'), [[numbers[0], later], 'all']);
    assert.deepEqual(await searchIn(alice, 'Lobby', 'nowhere'), [[], 'all']);
  });

  it('finds nothing in rooms that the caller may not read, and does not tell who wrote anonymously', async (t) => {
    const { store, alice, bob, admin } = await inFrontOfReal(t, {
      rewrite: ({ command, reply, session }) =>
        session.room === 'Masked' && command.startsWith('MSG2')
          ? reply.replace(/^From: .*\r$/m, 'From: "anonymous" <x@x.org>\r')
          : reply,
    });
    fill(store, 'Secret', ['a quince'], ROOM_FLAG.private);
    const [here] = fill(store, 'Open', ['a quince']);
    fill(store, 'Masked', [], ROOM_FLAG.anonymousOnly);
    const masked = await post(bob, 'Masked', 'a whisper');
    assert.deepEqual((await search(alice, 'quince')).numbers, [here]);
    assert.deepEqual((await search(alice, 'bob')).numbers, [here]);
    assert.deepEqual((await search(alice, 'anonymous')).numbers, []);
    const [{ author, addr }] = (await search(alice, 'whisper')).rows as [Row];
    assert.deepEqual([author, addr], ['****', '']);
    assert.deepEqual((await search(admin, 'whisper')).numbers, [masked]);
  });
});

describe('a search in the embedded room server', () => {
  it('says that all was looked through, and asks what it has always asked', async (t) => {
    const gateway = await startGateway(t, { users: [{ name: 'alice', password: 'alicepw' }] });
    const alice = gateway.as('alice', 'alicepw');
    const number = await post(alice, 'Lobby', 'a quince');
    assert.deepEqual(await searchIn(alice, 'Lobby', 'quince'), [[number], 'all']);
    const { numbers, searched } = await search(alice, 'quince');
    assert.deepEqual([numbers, searched], [[number], 'all']);
  });
});
