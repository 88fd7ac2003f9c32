import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { createRoom } from '../../src/backend/store/rooms.ts';
import { command } from '../../src/protocol/fields.ts';
import { Connection } from '../../src/room-server/connection/connection.ts';
import { postedNumber, startGateway } from './gateway.ts';
import { startRealServer } from './real-server.ts';
import { WireClient } from './wire-client.ts';

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

  it('refuses the verbs of our own, and says that instant messages arrive where it was asked to', async (t) => {
    const real = await startRealServer(t, { users: { ann: 4, bob: 4 } });
    const ann = await WireClient.login(real.path, 'ann', 'annpw');
    const bob = await WireClient.login(real.path, 'bob', 'bobpw');
    t.after(() => {
      ann.close();
      bob.close();
    });
    for (const verb of ['NTFY 1', 'FIND 9|a', 'SKEY new', 'XFER']) await ann.expect(verb, 530);
    await ann.expect('ASYN 1', 200);
    for (const text of ['Hello.\n', 'Hello again.\n']) {
      await bob.send('SEXP ann|-', text);
      assert.match(await ann.line(), /^902/);
      await ann.expect('NOOP', 200);
    }
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

  it('keeps the history of a wiki page as a message beside it, as recorded in 50-wiki', async (t) => {
    const real = await startRealServer(t, { users: { ann: 4 } });
    createRoom(real.behind.store, { name: 'Wiki', view: 6, flags: 0, password: '', floor: 0, admin: 1 });
    const ann = await WireClient.login(real.path, 'ann', 'annpw');
    t.after(() => ann.close());
    await ann.expect('GOTO Wiki', 200);
    const save = (page: string, text: string, format = 4) =>
      ann.send(`ENT0 1|||${format}|ignored||1|||${page}`, `Content-type: text/html\n\n${text}\n`);
    const list = async () => (await ann.ask('MSGS ALL|||4')).lines.map((row) => row.split('|').slice(0, 2));
    const [first] = await save('home', 'one');
    const history = String(Number(first) - 1);
    assert.deepEqual(await list(), [
      [history, 'home_HISTORY_'],
      [first, 'home'],
    ]);
    const { lines } = await ann.ask(`MSG0 ${history}|3`);
    assert.ok(
      ['type=4', 'path=Citadel', 'from=Citadel', 'room=Wiki', 'rcpt=Wiki'].every((line) => lines.includes(line)),
    );
    assert.ok(['exti=home_HISTORY_', 'subj=home_HISTORY_'].every((line) => lines.includes(line)));
    const [second] = await save('home', 'two');
    assert.deepEqual(await list(), [
      [history, 'home_HISTORY_'],
      [second, 'home'],
    ]);
    assert.equal((await save('home', 'two'))[0], '-3');
    await save('page0', 'text', 0);
    assert.equal((await list()).length, 3, 'format 0 has no history');
    const versions = (await ann.ask('WIKI history|home')).lines;
    assert.match(versions.join('\n'), /^[0-9a-f-]{36}\|\d+\|ann\|[^|\n]+$/);
    const version = versions[0]!.split('|')[0];
    const fetched = await ann.ask(`WIKI rev|home|${version}|fetch`);
    assert.equal(fetched.code, 200);
    assert.match((await ann.ask(`MSG2 ${fetched.line.slice(4)}`)).lines.join('\n'), /\ntwo\r?$/);
    assert.equal((await ann.ask(`WIKI rev|home|${version}|revert`)).line, '510 Error -3 has occurred.');
    assert.equal((await ann.ask('WIKI rev|home|nosuch|revert')).code, 575);
    assert.equal((await ann.ask('WIKI history|nosuch')).code, 575);
  });
});

describe('an address book of the stand-in for a real server', () => {
  it('writes contacts anew, and keeps nothing else of what was posted (protocol section 17.2)', async (t) => {
    const real = await startRealServer(t, { users: { ann: 4 } });
    const ann = await WireClient.login(real.path, 'ann', 'annpw');
    t.after(() => ann.close());
    await ann.expect('GOTO Contacts', 200);
    const card = ['BEGIN:VCARD', 'VERSION:3.0', 'FN;CHARSET=utf-8:Zoë', 'NOTE:one', '  two', 'UID:card-1', 'END:VCARD'];
    const head = 'X-Mine: 1\nContent-type: text/vcard; charset=utf-8\n\n';
    const [number] = await ann.send('ENT0 1||0|4|||1', `${head}${card.join('\n')}\n`);
    const { lines } = await ann.ask(`MSG2 ${number}`);
    const shown = lines.map((line) => line.replace(/\r$/, ''));
    const rewritten = ['begin:vcard', 'VERSION:2.1', 'FN;charset=UTF-8:Zoë', 'NOTE:one two', 'UID:card-1', 'end:vcard'];
    assert.deepEqual(shown.slice(shown.indexOf('begin:vcard'), shown.indexOf('end:vcard') + 1), rewritten);
    assert.equal((await ann.ask('EUID card-1')).line, `200 ${number}`);
    assert.doesNotMatch(lines.join('\n'), /X-Mine/);
  });
});

async function* bytes(text: string): AsyncGenerator<Buffer> {
  yield Buffer.from(text);
}
