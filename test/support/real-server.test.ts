import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { Connection } from '../../src/client/connection.ts';
import { command } from '../../src/protocol/fields.ts';
import { postedNumber, startGateway } from './gateway.ts';
import { startRealServer } from './real-server.ts';

describe('the stand-in for a real server', () => {
  it('serves a gateway, which uses no verb of our own there', async (t) => {
    const real = await startRealServer(t, { users: { alice: 4 } });
    const gateway = await startGateway(t, { backend: `unix:${real.path}` });
    const alice = gateway.as('alice', 'alicepw');
    const posted = await alice('r/Lobby/new', { method: 'PUT', body: 'a\n000\nb' });
    const number = postedNumber(posted);
    assert.equal(await (await alice(`r/Lobby/${number}`)).text(), 'a\n000\nb');
    const info = (await (await alice('c/info')).json()) as { serv_software: string };
    assert.equal(info.serv_software, 'Citadel Server 980');
    assert.ok(real.roundTrips() > 0);
    assert.ok(real.sessions.some(({ user }) => user === 'alice'));
  });

  it('cuts what is longer than c_maxmsglen, refuses log-ins beyond its number, says nothing of KILL', async (t) => {
    const real = await startRealServer(t, { users: { ann: 4 }, maxSessions: 1, maxMessageBytes: 10 });
    const open = async (user: string, password: string) => {
      const connection = await Connection.open({ path: real.path });
      t.after(() => connection.close());
      await connection.ask(command('USER', user));
      return { connection, code: (await connection.ask(command('PASS', password))).code };
    };
    const ann = await open('ann', 'annpw');
    assert.equal(ann.code, 200);
    assert.equal(real.loggedIn(), 1);
    assert.equal((await open('admin', 'adminpw')).code, 551);
    await ann.connection.ask(command('GOTO', 'Lobby'));
    assert.equal((await ann.connection.ask(command('KILL', 1))).code, 200);
    assert.deepEqual(real.broken, ['Lobby']);
    assert.equal((await ann.connection.start(command('ENT0', 1, '', 0, 1, 's', '', 1))).code, 800);
    const [number] = await ann.connection.sendText(bytes('12345678\n12345678\n12345678\n'));
    const { lines } = await ann.connection.ask(command('MSG0', Number(number)));
    assert.deepEqual(lines.slice(lines.indexOf('text') + 1), ['12345678', '12345678']);
    assert.equal((await ann.connection.ask(command('NTFY', 1))).code, 530);
  });
});

async function* bytes(text: string): AsyncGenerator<Buffer> {
  yield Buffer.from(text);
}
