import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { WireClient } from '../../../support/wire-client.ts';
import { serveRoom } from '../../../support/wire-users.ts';

/** every command that tells what is in the room one stands in */
const READING = [
  'MSGS ALL',
  'MSG0 2',
  'MSG2 2',
  'MSG4 2',
  'DLAT 2|1',
  'OPNA 2|1',
  'EUID x',
  'RINF',
  'WHOK',
  'DLRI',
  'STAT',
];

async function assertRefused(client: WireClient, lines: readonly string[] = READING): Promise<void> {
  for (const line of lines) assert.equal((await client.ask(line)).code, 550, line);
}

describe('rights that end while one stands in the room', () => {
  it('are gone for an administrator who is one no more', async (t) => {
    const { admin, login } = await serveRoom(t, { users: { bea: 6 } });
    const bea = await login('bea');
    await admin.expect('GOTO Aide', 200);
    await admin.send('ENT0 1||0|1|notice||1', 'for administrators');
    await bea.expect('GOTO Aide', 200);
    await admin.expect('ASUP bea|||||4', 200);
    await assertRefused(bea);
  });

  it('are gone for a room admin who was put out: he cannot let himself in again', async (t) => {
    const { admin, login } = await serveRoom(t, { users: { bob: 4 } });
    const bob = await login('bob');
    await bob.expect('CRE8 1|Club|3', 200);
    await bob.expect('GOTO Club', 200);
    await admin.expect('GOTO Club', 200);
    await admin.expect('KICK bob', 200);
    const managing = ['GETR', 'INVT bob', 'SETA bob', 'EINF 1', 'SPEX room|3|1', 'SETR Club|||0|0'];
    await assertRefused(bob, [...managing, ...READING]);
    await bob.expect('KILL 1', 560);
    await bob.expect('GOTO Club', 572);
    await admin.expect('INVT bob', 200);
    await bob.expect('GOTO Club', 200);
    await bob.expect('GETR', 200);
  });

  it('are gone for those who are not invited to a room that became private', async (t) => {
    const { admin, login } = await serveRoom(t, { users: { ann: 4, cy: 4 }, room: 'Team|0' });
    const ann = await login('ann');
    await admin.send('ENT0 1||0|4|x||1', 'Content-type: text/plain\n\nfor the team');
    await ann.expect('GOTO Team', 200);
    await admin.expect('SETR Team|||6|1', 200);
    await assertRefused(ann);
    await admin.expect('INVT ann', 200);
    await ann.expect('MSG0 2', 100);
  });

  it('are gone for guests when the room became private', async (t) => {
    const { admin, socketPath } = await serveRoom(t, { room: 'Team|0' });
    await admin.expect('CONF PUTVAL|c_guest_logins|1', 200);
    const guest = await WireClient.connect(socketPath);
    await guest.expect('GOTO Team', 200);
    await guest.expect('MSGS ALL', 100);
    await admin.expect('SETR Team|||6|0', 200);
    await assertRefused(guest);
  });

  it('last while the password that opened the room is right', async (t) => {
    const { admin, login } = await serveRoom(t, { users: { ann: 4 }, room: 'Vault|2|sesame' });
    const ann = await login('ann');
    const other = await login('ann');
    await ann.expect('GOTO Vault|sesame|1', 200);
    await ann.expect('MSGS ALL', 100);
    await ann.expect('GOTO Vault||1', 540);
    await other.expect('GOTO Vault||1', 540);
    await ann.expect('MSGS ALL', 100);
    await admin.expect('SETR Vault|changed||14|0', 200);
    await ann.expect('MSGS ALL', 550);
    await ann.expect('GOTO Lobby', 200);
    await ann.expect('GOTO Vault|changed|0', 200);
    await other.expect('GOTO Vault||1', 200);
  });

  it('stay gone for a user who was kicked out and forgets the room', async (t) => {
    const { admin, login } = await serveRoom(t, { users: { ann: 4 }, room: 'Team|0' });
    await admin.send('ENT0 1||0|1|x||1', 'text');
    const ann = await login('ann');
    await ann.expect('GOTO Team', 200);
    await admin.expect('KICK ann', 200);
    await assertRefused(ann);
    await ann.expect('CRE8 1|Own|4', 200);
    await ann.expect('MOVE 2|Own|1', 550);
    await ann.expect('FORG', 200);
    await ann.expect('GOTO Team', 572);
  });
});
