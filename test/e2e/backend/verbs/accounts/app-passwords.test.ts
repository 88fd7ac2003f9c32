// App passwords on the wire: who makes them, what they open, what none of them opens, and everything that ends one.

import assert from 'node:assert/strict';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, it, type TestContext } from 'node:test';
import {
  APP_PASSWORD_NOTE_SECONDS,
  MAX_APP_PASSWORD_NAME_BYTES,
  MAX_APP_PASSWORDS_PER_USER,
} from '../../../../../src/limits/sessions.ts';
import { localThrottle } from '../../../../../src/system/throttle.ts';
import { startRoomServer } from '../../../../support/room-server.ts';
import { WireClient } from '../../../../support/wire-client.ts';

async function world(t: TestContext) {
  const rooms = await startRoomServer(t, { users: { ann: 4, bob: 4, root: 6 } });
  const { socketPath, adminSocketPath, server, store, folder } = rooms;
  const linePath = join(folder, 'line.socket');
  await server.listen({ path: linePath }, false, localThrottle());
  const login = (name = 'ann', password = `${name}pw`) => WireClient.login(socketPath, name, password);
  const make = async (client: WireClient, scope = 'all', name = 'phone') => {
    const [id, secret] = (await client.expect(`APPW new|${scope}|${name}`, 200)).line.slice(4).split('|');
    return { id: id!, secret: secret! };
  };
  const tryAt = async (path: string, secret: string, name = 'ann') => {
    const client = await WireClient.connect(path);
    await client.ask(`USER ${name}`);
    const { line } = await client.ask(`PASS ${secret}`);
    client.close();
    return line;
  };
  const tryIt = (secret: string, name?: string) => tryAt(socketPath, secret, name);
  const tryOnLine = (secret: string) => tryAt(linePath, secret);
  const console = () => WireClient.connect(adminSocketPath);
  const usedOf = (id: string) => Number(store.prepare('SELECT used FROM app_password WHERE id = ?').get(id)!.used);
  return { ...rooms, login, make, tryIt, tryOnLine, console, usedOf };
}

const WRONG = '540 Wrong password.';

describe('an app password', () => {
  it('logs its user in, and nobody else, by a secret that is shown once and stored nowhere', async (t) => {
    const { login, make, tryIt, folder } = await world(t);
    const ann = await login();
    const { id, secret } = await make(ann, 'dav');
    assert.match(secret, /^[a-km-np-z2-9]{5}(-[a-km-np-z2-9]{5}){4}$/);
    assert.match(await tryIt(secret), /^200 ann\|4\|0\|0\|10768\|2\|\d+\|dav$/);
    assert.equal(await tryIt(secret, 'bob'), WRONG);
    assert.equal(await tryIt(secret, 'nobody'), '542 You must send a name with USER first.');
    assert.equal(await tryIt(secret.slice(0, -1)), WRONG);
    const { lines } = await ann.expect('APPW list', 100);
    assert.match(lines.join('\n'), new RegExp(`^${id}\\|dav\\|\\d+\\|\\d+\\|\\|phone$`));
    for (const file of ['vestibule.db', 'vestibule.db-wal']) {
      assert.ok(!readFileSync(join(folder, file)).includes(secret), file);
    }
  });

  it('makes no further ones, sets no password, administers nothing, whoever its user is', async (t) => {
    const { login, make } = await world(t);
    const { secret } = await make(await login('root'));
    const other = await login('bob');
    const sessionOf = ({ lines }: { lines?: readonly string[] }) => lines![0];
    const program = await login('root', secret);
    for (const line of ['SETP other', 'APPW new|all|more', 'APPW list', 'APPW end|1', 'SKEY new']) {
      await program.expect(line, 550);
    }
    for (const line of ['CREU mallory|pw', 'ASUP ann|other', 'ASUP ann|||||0', 'AGUP ann', 'CONF GET', 'DOWN']) {
      await program.expect(line, 550);
    }
    await program.expect('GOTO Aide', 200);
    await program.expect('SPEX site|2|10', 550);
    await program.expect(`TERM ${sessionOf(await other.ask('INFO'))}`, 550);
    await program.expect('LOUT', 200);
    await program.expect('USER root', 300);
    await program.expect('PASS rootpw', 200);
    await program.expect('AGUP ann', 200);
  });

  it('is made with the password, not by a session key; a feed of a room is', async (t) => {
    const { login, make, socketPath } = await world(t);
    const ann = await login();
    const key = (await ann.expect('SKEY new', 200)).line.slice(4);
    const page = await WireClient.connect(socketPath);
    await page.expect(`SKEY login|${key}`, 200);
    for (const scope of ['read', 'dav', 'all']) await page.expect(`APPW new|${scope}|phone`, 550);
    await page.expect('GOTO Mail', 200);
    const { secret } = await make(page, 'feed', 'reader');
    assert.match((await page.expect('APPW list', 100)).lines.join(), /^1\|feed\|\d+\|0\|Mail\|reader$/);
    const feed = await login('ann', secret);
    await feed.expect('MSGS ALL', 550);
    await feed.expect('GOTO Lobby', 572);
    await feed.expect('GOTO _MAIL_', 200);
    await feed.expect('MSGS ALL', 100);
  });

  it('of whom a gateway does not watch over must be good for all', async (t) => {
    const { login, make, tryIt, tryOnLine } = await world(t);
    const ann = await login();
    for (const scope of ['read', 'dav', 'feed', 'all']) {
      const { secret } = await make(ann, scope);
      assert.match(await tryIt(secret), new RegExp(`^200 .*\\|${scope}$`));
      const answer = await tryOnLine(secret);
      assert.equal(answer.startsWith('200 '), scope === 'all', `${scope}: ${answer}`);
    }
  });

  it('takes a name of so many bytes and one of the four scopes, and there are so many', async (t) => {
    const { login, make } = await world(t);
    const ann = await login();
    const longest = 'é'.repeat(MAX_APP_PASSWORD_NAME_BYTES / 2);
    await make(ann, 'read', longest);
    for (const args of [`new|read|${longest}x`, 'new|read|', 'new|read| ', 'new|read|a\tb', 'new|write|x', 'old', '']) {
      await ann.expect(`APPW ${args}`, 512);
    }
    for (let n = 1; n < MAX_APP_PASSWORDS_PER_USER; n++) await make(ann, 'read', `app ${n}`);
    await ann.expect('APPW new|read|one more', 511);
    await make(await login('bob'));
    await ann.expect('APPW end|1', 200);
    await make(ann);
  });

  it('has its last use written down now and then, and counts no calls', async (t) => {
    const { login, make, tryIt, usedOf, store } = await world(t);
    const { id, secret } = await make(await login());
    const calls = () => Number(store.prepare("SELECT calls FROM user WHERE name = 'ann'").get()!.calls);
    const before = calls();
    assert.equal(usedOf(id), 0);
    await tryIt(secret);
    const noted = usedOf(id);
    assert.ok(Math.abs(noted - Date.now() / 1000) < 60);
    const old = (seconds: number) => {
      store.prepare('UPDATE app_password SET used = ? WHERE id = ?').run(noted - seconds, id);
      return tryIt(secret).then(() => usedOf(id));
    };
    assert.equal(await old(APP_PASSWORD_NOTE_SECONDS - 60), noted - APP_PASSWORD_NOTE_SECONDS + 60);
    assert.ok((await old(APP_PASSWORD_NOTE_SECONDS)) >= noted);
    assert.equal(calls(), before);
  });
});

describe('what ends an app password', () => {
  it('is its user, and its sessions end at once; nobody ends that of another', async (t) => {
    const { login, make, tryIt } = await world(t);
    const ann = await login();
    const [phone, script] = [await make(ann), await make(ann, 'read', 'script')];
    const [one, other] = [await login('ann', phone.secret), await login('ann', script.secret)];
    await (await login('bob')).expect(`APPW end|${phone.id}`, 575);
    await one.expect('NOOP', 200);
    await ann.expect(`APPW end|${phone.id}`, 200);
    await assert.rejects(one.ask('NOOP'));
    assert.equal(await tryIt(phone.secret), WRONG);
    await other.expect('NOOP', 200);
    await ann.expect(`APPW end|${phone.id}`, 575);
    await ann.expect('NOOP', 200);
  });

  it('is another password from an administrator, but not one that the user sets', async (t) => {
    const { login, make, tryIt, console } = await world(t);
    const ann = await login();
    const { secret } = await make(ann);
    await ann.expect('SETP another', 200);
    assert.match(await tryIt(secret), /^200 /);
    const root = await console();
    await root.expect('ASUP ann|third', 200);
    assert.equal(await tryIt(secret), WRONG);
  });

  it('is the end of the account, or of the room of a feed', async (t) => {
    const { login, make, console, store } = await world(t);
    const ann = await login();
    await make(ann);
    const root = await login('root');
    await root.expect('CRE8 1|News|0||0', 200);
    await root.expect('GOTO News', 200);
    const { secret } = await make(root, 'feed', 'reader');
    const feed = await login('root', secret);
    await feed.expect('GOTO News', 200);
    await root.expect('KILL 1', 200);
    await feed.expect('MSGS ALL', 550);
    ann.close();
    await (await console()).expect('ASUP ann|||||0', 200);
    const left = () => store.prepare('SELECT count(*) AS n FROM app_password WHERE user = 2').get()!.n;
    for (let times = 0; left() !== 0 && times < 100; times++) await new Promise((resolve) => setTimeout(resolve, 20));
    assert.equal(left(), 0);
  });

  it('and lists and makes them at the console, is who runs the server', async (t) => {
    const { tryIt, console } = await world(t);
    const root = await console();
    const secret = (await root.expect('APPW new|dav|calendar|ann', 200)).line.split('|')[1]!;
    assert.match(await tryIt(secret), /\|dav$/);
    assert.match((await root.expect('APPW list|ann', 100)).lines.join(), /^1\|dav\|\d+\|\d+\|\|calendar$/);
    await root.expect('APPW list|bob', 100);
    await root.expect('APPW list|nobody', 570);
    await root.expect('APPW list', 520);
    await root.expect('APPW end|1|bob', 575);
    await root.expect('APPW end|1|ann', 200);
    assert.equal(await tryIt(secret), WRONG);
  });
});
