import assert from 'node:assert/strict';
import { describe, it, type TestContext } from 'node:test';
import { MAX_COMPLETIONS } from '../../../../src/limits/backend.ts';
import { startRoomServer } from '../../../support/room-server.ts';
import { WireClient } from '../../../support/wire-client.ts';

async function start(t: TestContext) {
  const users = { ann: 4, 'Bob Smith': 4, boss: 6 };
  const { socketPath, store } = await startRoomServer(t, { users });
  const login = (name: string) => WireClient.login(socketPath, name, `${name}pw`);
  return { login, store };
}

async function addCard(client: WireClient, room: string, ...lines: string[]): Promise<void> {
  await client.expect(`GOTO ${room}`, 200);
  const card = ['BEGIN:VCARD', ...lines, 'END:VCARD', ''].join('\n');
  await client.send('ENT0 1|||4|||1', `Content-type: text/vcard; charset=utf-8\n\n${card}`);
}

const found = async (client: WireClient, text: string) => (await client.expect(`AUTO ${text}`, 100)).lines;

describe('AUTO', () => {
  it('finds users by a part of their name', async (t) => {
    const { login } = await start(t);
    const ann = await login('ann');
    const lines = await found(ann, 'SMI');
    assert.equal(lines.length, 1);
    assert.match(lines[0]!, /^Bob Smith <bob_smith@/);
    assert.deepEqual(await found(ann, 'zzz'), []);
    assert.match(await ann.text('AUTO'), /^512 /);
    assert.match(await ann.text('AUTO  '), /^512 /);
  });

  it('finds own contacts first, by name and by each address', async (t) => {
    const { login } = await start(t);
    const ann = await login('ann');
    await addCard(ann, '_CONTACTS_', 'FN:Bobby Öz', 'item1.EMAIL;TYPE=home:bobby@one.example', 'EMAIL:oz@two.example');
    await addCard(ann, '_CONTACTS_', 'N:Doe;Jane;;;', 'EMAIL:jane@one.example');
    await addCard(ann, '_CONTACTS_', 'FN:Smith\\, Bob (Jr.)', 'EMAIL:sb@one.example');
    await addCard(ann, '_CONTACTS_', 'FN:No address');
    assert.deepEqual(await found(ann, 'bobby'), ['Bobby Öz <bobby@one.example>', 'Bobby Öz <oz@two.example>']);
    assert.deepEqual(await found(ann, 'OZ@'), ['Bobby Öz <oz@two.example>']);
    assert.deepEqual(await found(ann, 'jane'), ['Doe Jane <jane@one.example>']);
    assert.deepEqual(await found(ann, 'no address'), []);
    const [contact, user] = await found(ann, 'smith');
    assert.equal(contact, '"Smith, Bob (Jr.)" <sb@one.example>');
    assert.match(user!, /^Bob Smith </);
    assert.deepEqual(await found(await login('boss'), 'bobby'), [], 'contacts of others');
  });

  it('never writes what would end a line or be another address', async (t) => {
    const { login } = await start(t);
    const ann = await login('ann');
    await addCard(ann, '_CONTACTS_', 'FN:Two\\nLines | "x" <a@b>', 'EMAIL:two@one.example');
    for (const address of ['a@b>, c@d', 'x y@one.example', '"a"@b', 'a|b@c']) {
      await addCard(ann, '_CONTACTS_', 'FN:Two bad', `EMAIL:${address}`);
    }
    assert.deepEqual(await found(ann, 'two'), ['"Two Lines \\"x\\" <a@b>" <two@one.example>']);
  });

  it('looks into the Global Address Book for those who may read it, and forgets cards that are gone', async (t) => {
    const { login } = await start(t);
    const [ann, boss] = [await login('ann'), await login('boss')];
    await addCard(boss, 'Global Address Book', 'UID:u1', 'FN:Shared Person', 'EMAIL:shared@one.example');
    assert.deepEqual(await found(boss, 'shared'), ['Shared Person <shared@one.example>']);
    assert.deepEqual(await found(ann, 'shared'), []);
    await boss.expect('INVT ann', 200);
    assert.deepEqual(await found(ann, 'shared'), ['Shared Person <shared@one.example>']);
    await addCard(boss, 'Global Address Book', 'UID:u1', 'FN:Shared Woman', 'EMAIL:shared@one.example');
    assert.deepEqual(await found(ann, 'shared'), ['Shared Woman <shared@one.example>']);
  });

  it('names an address once, and not more people than anybody reads', async (t) => {
    const { login } = await start(t);
    const ann = await login('ann');
    await addCard(ann, '_CONTACTS_', 'FN:Twin', 'EMAIL:twin@one.example', 'EMAIL:TWIN@one.example');
    assert.deepEqual(await found(ann, 'twin@'), ['Twin <twin@one.example>']);
    for (let i = 0; i <= MAX_COMPLETIONS; i++) {
      await addCard(ann, '_CONTACTS_', `FN:Many ${i}`, `EMAIL:many${i}@one.example`);
    }
    assert.equal((await found(ann, 'many')).length, MAX_COMPLETIONS);
  });
});
