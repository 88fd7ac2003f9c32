// Recipients are suggested from contacts that a real server's full-text index does not have (quirk Q57).

import assert from 'node:assert/strict';
import { describe, it, type TestContext } from 'node:test';
import { finishedBody } from '../../src/backend/store/bodies.ts';
import { saveMessage } from '../../src/backend/store/messages.ts';
import { createRoom, findRoom } from '../../src/backend/store/rooms.ts';
import { findUser } from '../../src/backend/store/users.ts';
import { MAX_SCANNED_BOOKS } from '../../src/limits/protocol.ts';
import { ROOM_FLAG, VIEW } from '../../src/model.ts';
import { type Api, startGateway } from '../support/gateway.ts';
import { type RealServer, startRealServer } from '../support/real-server.ts';

async function inFrontOfReal(t: TestContext) {
  const index = { upTo: 0 };
  const real = await startRealServer(t, { users: { alice: 4, bob: 4 }, index, settings: { c_fqdn: 'here' } });
  const gateway = await startGateway(t, { backend: `unix:${real.path}` });
  const commands = (verb: RegExp) => real.sessions.flatMap((one) => one.commands).filter((line) => verb.test(line));
  return { real, index, commands, alice: gateway.as('alice', 'alicepw'), bob: gateway.as('bob', 'bobpw') };
}

const card = (name: string, address: string, uid = name) =>
  `BEGIN:VCARD\r\nVERSION:3.0\r\nUID:${uid}\r\nFN:${name}\r\nEMAIL:${address}\r\nEND:VCARD\r\n`;

async function put(api: Api, room: string, text: string): Promise<void> {
  const answer = await api(`r/${room}/new`, {
    method: 'PUT',
    headers: { 'content-type': 'text/vcard' },
    body: text,
  });
  assert.ok(answer.ok, String(answer.status));
}

async function suggested(api: Api, typed: string): Promise<string[]> {
  const answer = await api(`a/complete?q=${encodeURIComponent(typed)}`);
  assert.equal(answer.status, 200);
  return ((await answer.json()) as { recipient: string }[]).map(({ recipient }) => recipient);
}

/** Puts messages into a room, new or a personal one of alice, as other programs do. */
function fill({ behind: { store } }: RealServer, name: string, texts: readonly string[], flags = 0): number[] {
  return store.transaction(() => {
    const fresh = { name, view: VIEW.addressBook, flags, password: '', floor: 0, admin: 1 };
    const room = findRoom(store, findUser(store, 'alice'), name) ?? createRoom(store, fresh);
    return texts.map((text) => {
      const body = finishedBody(store, 4, Buffer.from(`Content-type: text/x-vcard\n\n${text.replaceAll('\r', '')}`));
      const fields = { author: 'alice', path: 'alice', address: '', room: name, subject: '' };
      return saveMessage(store, { ...fields, format: 4, body, rooms: [room.id] });
    });
  });
}

describe('a recipient where the indexer of the room server has stopped', () => {
  it('is suggested from newer contacts by a part of name or address, beside those of the index, once', async (t) => {
    const { real, index, alice, bob } = await inFrontOfReal(t);
    await put(alice, 'Contacts', card('Quinn, Early', 'early@example.org'));
    index.upTo = real.behind.store.prepare('SELECT max(id) AS id FROM message').get()!.id as number;
    await put(alice, 'Contacts', card('Zoë Later', 'later@example.org'));
    assert.deepEqual(await suggested(alice, 'zoë'), ['Zoë Later <later@example.org>']);
    assert.deepEqual(await suggested(alice, 'ATE'), ['Zoë Later <later@example.org>']);
    assert.deepEqual(await suggested(alice, 'example'), [
      '"Quinn, Early" <early@example.org>',
      'Zoë Later <later@example.org>',
    ]);
    assert.deepEqual(await suggested(alice, 'alice'), ['alice']);
    assert.deepEqual(await suggested(bob, 'later'), []);
  });

  it('is suggested from all address books that the caller knows, and from no other room', async (t) => {
    const { real, alice, bob } = await inFrontOfReal(t);
    fill(real, 'Club', [card('In the club', 'club@example.org')]);
    fill(real, 'Secret', [card('Hidden', 'hidden@example.org')], ROOM_FLAG.private);
    fill(real, 'Drafts', [card('In a draft', 'draft@example.org')]);
    for (const api of [alice, bob])
      assert.deepEqual(await suggested(api, 'example'), ['In the club <club@example.org>']);
  });

  it('is read of again only when something has changed in the room', async (t) => {
    const { real, commands, alice, bob } = await inFrontOfReal(t);
    await put(alice, 'Contacts', card('One', 'one@example.org', 'one'));
    fill(real, 'Club', [card('Two', 'two@example.org')]);
    const expected = async (names: string[], reads: number) => {
      const before = commands(/^MSG2 \d+$/).length;
      assert.deepEqual(await suggested(alice, 'example'), names);
      assert.equal(commands(/^MSG2 \d+$/).length - before, reads);
    };
    await expected(['One <one@example.org>', 'Two <two@example.org>'], 2);
    await expected(['One <one@example.org>', 'Two <two@example.org>'], 0);
    await put(alice, 'Contacts', card('Uno', 'uno@example.org', 'one'));
    await expected(['Uno <uno@example.org>', 'Two <two@example.org>'], 1);
    assert.equal((await alice('r/Contacts/one', { method: 'DELETE' })).status, 204);
    await expected(['Two <two@example.org>'], 0);
    assert.deepEqual(await suggested(bob, 'uno'), []);
  });

  it(`is looked for in ${MAX_SCANNED_BOOKS} address books`, async (t) => {
    const { real, alice } = await inFrontOfReal(t);
    // one is alice's own, and one that of the server
    for (let i = 1; i <= MAX_SCANNED_BOOKS + 1; i++) {
      fill(real, `Book ${String(i).padStart(2, '0')}`, [card(`Number ${i}`, `n${i}@example.org`)]);
    }
    const books = MAX_SCANNED_BOOKS - 1;
    assert.deepEqual(await suggested(alice, `n${books}@`), [`Number ${books} <n${books}@example.org>`]);
    assert.deepEqual(await suggested(alice, `n${books + 1}@`), []);
  });
});

describe('a recipient in the embedded room server', () => {
  it('is suggested by it alone', async (t) => {
    const gateway = await startGateway(t, { users: [{ name: 'alice', password: 'alicepw' }] });
    const alice = gateway.as('alice', 'alicepw');
    await put(alice, 'Contacts', card('One', 'one@example.org'));
    assert.deepEqual(await suggested(alice, 'one@'), ['One <one@example.org>']);
  });
});
