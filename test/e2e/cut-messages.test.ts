// Messages beyond the size limit of a real server, which keeps and delivers their beginning and says nothing (quirk
// Q40).

import assert from 'node:assert/strict';
import { describe, it, type TestContext } from 'node:test';
import { type Api, startGateway } from '../support/gateway.ts';
import { startRealServer } from '../support/real-server.ts';

const LIMIT = 100_000;
/** lines that travel as they are */
const text = (bytes: number) => `${'y'.repeat(99)}\n`.repeat(bytes / 100);
const TOO_LARGE = text(2 * LIMIT);
const MULTIPART = `--b\n\n${text(LIMIT)}--b\nContent-Type: text/html\n\n<p>${text(LIMIT / 2)}\n--b--\n`;

async function start(t: TestContext) {
  const real = await startRealServer(t, { users: { alice: 4, bob: 4 }, maxMessageBytes: LIMIT });
  const gateway = await startGateway(t, { backend: `unix:${real.path}` });
  const posts = () => real.sessions.flatMap(({ commands }) => commands).filter((line) => line.startsWith('ENT0 1'));
  const [alice, bob, admin] = [
    gateway.as('alice', 'alicepw'),
    gateway.as('bob', 'bobpw'),
    gateway.as('admin', 'adminpw'),
  ];
  return { alice, bob, admin, posts: () => posts().length };
}

const put = (by: Api, path: string, body: string, type = 'text/plain') =>
  by(path, { method: 'PUT', headers: { 'content-type': type }, body });
const numbersIn = async (by: Api, room: string) => (await (await by(`r/${room}/msgs.all`)).json()) as number[];

async function refused(answer: Response): Promise<string> {
  assert.equal(answer.status, 413);
  return ((await answer.json()) as { detail: string }).detail;
}

describe('a message beyond the size limit of the room server', () => {
  it('is refused before it is sent once an administrator has posted anything', async (t) => {
    const { alice, bob, admin, posts } = await start(t);
    assert.equal((await put(admin, 'r/Lobby/new', 'hello')).status, 201);
    assert.match(
      await refused(await put(alice, 'r/_MAIL_/new?mailto=bob', TOO_LARGE)),
      /accepts messages up to 100000 bytes/,
    );
    assert.match(
      await refused(await put(alice, 'r/Lobby/new', MULTIPART, 'multipart/mixed; boundary=b')),
      /100000 bytes/,
    );
    const [upload] = (await (await alice('p?filename=a.txt', { method: 'POST', body: text(90_000) })).json()) as [
      { ref: string },
    ];
    assert.match(
      await refused(await put(alice, `r/Lobby/new?att=${upload.ref}`, 'see there')),
      /this one has 12\d{4}\./,
    );
    assert.match(
      await refused(await put(alice, 'r/Lobby/a.bin', '\0'.repeat(80_000), 'application/x-y')),
      /has 10\d{4}\./,
    );
    assert.equal(posts(), 1);
    assert.deepEqual(await numbersIn(bob, '_MAIL_'), []);
    for (const kept of [text(LIMIT - 5000), MULTIPART.slice(-LIMIT / 4)]) {
      assert.equal((await put(alice, 'r/_MAIL_/new?mailto=bob', kept)).status, 201);
    }
    assert.equal((await numbersIn(bob, '_MAIL_')).length, 2);
  });

  it('is told as cut where nobody knew the limit: mail has been delivered; the next one is not sent', async (t) => {
    const { alice, bob, posts } = await start(t);
    const detail = await refused(await put(alice, 'r/_MAIL_/new?mailto=bob', TOO_LARGE));
    const [delivered] = await numbersIn(bob, '_MAIL_');
    assert.match(detail, new RegExp(`was sent to the recipients; it is message ${delivered} in Sent Items\\.`));
    assert.deepEqual(await numbersIn(alice, '_SENT_'), [delivered]);
    assert.equal(posts(), 1);
    await refused(await put(alice, 'r/_MAIL_/new?mailto=bob', TOO_LARGE));
    await refused(await put(bob, 'r/Lobby/new', text(LIMIT + 1000)));
    assert.equal(posts(), 1);
    assert.equal((await put(bob, 'r/Lobby/new', text(LIMIT - 5000))).status, 201);
  });

  for (const [what, body, type] of [
    ['a text', TOO_LARGE, 'text/plain'],
    ['a multipart as it is', MULTIPART, 'multipart/mixed; boundary=b'],
  ] as const) {
    it(`leaves nothing where its author may delete it, else he is told where it is (${what})`, async (t) => {
      const inPublic = await start(t);
      const detail = await refused(await put(inPublic.alice, 'r/Lobby/new', body, type));
      const stump = (await numbersIn(inPublic.alice, 'Lobby')).at(-1);
      assert.match(detail, new RegExp(`The part that fitted is stored as message ${stump}, because`));
      await refused(await put(inPublic.alice, 'r/Lobby/new', body, type));
      assert.equal(inPublic.posts(), 1);
      const own = await start(t);
      assert.match(await refused(await put(own.alice, 'r/_DRAFTS_/new', body, type)), /Nothing of it was stored/);
      assert.deepEqual(await numbersIn(own.alice, '_DRAFTS_'), []);
    });
  }
});
