// MOVE and COPY of whole rooms (RFC 4918 sections 9.8.3 and 9.9.2).

import assert from 'node:assert/strict';
import { after, describe, it } from 'node:test';
import { MAX_COPIED_AT_ONCE } from '../../src/limits/dav.ts';
import { type Api, startBoth } from '../support/gateway.ts';

const send = (api: Api, method: 'MOVE' | 'COPY', path: string, destination: string, headers = {}) =>
  api(path, { method, headers: { destination, ...headers } });

for (const [where, gateway] of await startBoth({ after }, { demo: true })) {
  const alice = gateway.as('alice');
  const bob = gateway.as('bob');
  const put = (path: string, body: string) => alice(path, { method: 'PUT', body });
  const read = async (path: string) => (await alice(path)).text();
  const messagesOf = async (room: string) => (await (await alice(`r/${room}/msgs.all`)).json()) as number[];
  const unique = where.replaceAll(' ', '');
  const newRoom = async (name: string) => {
    assert.equal((await alice(`r/${name}/`, { method: 'MKCOL' })).status, 201);
    await put(`r/${name}/a.txt`, 'a');
    await put(`r/${name}/b.txt`, 'b');
    return name;
  };

  describe(`MOVE of a room on ${where}`, () => {
    it('gives it another name, and its messages stay what they are', async () => {
      const from = await newRoom(`Old-${unique}`);
      const before = await messagesOf(from);
      const to = `New%20%C3%BC-${unique}`;
      const answer = await send(alice, 'MOVE', `r/${from}`, `/svc/r/${to}/`);
      assert.deepEqual([answer.status, answer.headers.get('location')], [201, `/svc/r/${to}/`]);
      assert.deepEqual(await messagesOf(to), before);
      assert.equal(await read(`r/${to}/a.txt`), 'a');
      assert.equal((await alice(`r/${from}/`)).status, 404);
    });

    it('replaces no room, and is for who administers it', async () => {
      const room = await newRoom(`Mine-${unique}`);
      assert.equal((await send(alice, 'MOVE', `r/${room}/`, '/svc/r/Lobby/')).status, 403);
      assert.equal((await send(alice, 'MOVE', `r/${room}/`, '/svc/r/Lobby/', { overwrite: 'F' })).status, 412);
      assert.equal((await send(alice, 'MOVE', `r/${room}/`, `/svc/r/${room}/`)).status, 403);
      assert.equal((await send(alice, 'MOVE', 'r/Lobby/', `/svc/r/Ours-${unique}/`)).status, 403);
      assert.equal((await send(bob, 'MOVE', `r/${room}/`, `/svc/r/His-${unique}/`)).status, 404);
      assert.equal((await send(gateway.api, 'MOVE', `r/${room}/`, `/svc/r/Any-${unique}/`)).status, 401);
      assert.equal((await messagesOf(room)).length, 2);
    });
  });

  describe(`COPY of a room on ${where}`, () => {
    it('is a room of one’s own with the same messages', async () => {
      const from = await newRoom(`Source-${unique}`);
      const to = `Copy-${unique}`;
      assert.equal((await send(alice, 'COPY', `r/${from}/`, `${gateway.url}svc/r/${to}`)).status, 201);
      assert.deepEqual(await messagesOf(to), await messagesOf(from));
      assert.equal(await read(`r/${to}/b.txt`), 'b');
      assert.equal((await bob(`r/${to}/`)).status, 404);
      await alice(`r/${from}/`, { method: 'DELETE' });
      assert.equal(await read(`r/${to}/a.txt`), 'a');
    });

    it('takes all messages along, or none with Depth: 0', async () => {
      const from = `Many-${unique}`;
      await alice(`r/${from}/`, { method: 'MKCOL' });
      for (let i = 0; i <= MAX_COPIED_AT_ONCE; i++) await put(`r/${from}/${i}.txt`, `message ${i}`);
      assert.equal((await send(alice, 'COPY', `r/${from}/`, `/svc/r/All-${unique}/`)).status, 201);
      assert.equal((await messagesOf(`All-${unique}`)).length, MAX_COPIED_AT_ONCE + 1);
      assert.equal((await send(alice, 'COPY', `r/${from}/`, `/svc/r/Bare-${unique}/`, { depth: '0' })).status, 201);
      assert.deepEqual(await messagesOf(`Bare-${unique}`), []);
      assert.equal((await send(alice, 'COPY', `r/${from}/`, `/svc/r/One-${unique}/`, { depth: '1' })).status, 400);
    });

    it('is of the same kind: a calendar is a calendar', async () => {
      const to = `Events-${unique}`;
      assert.equal((await send(alice, 'COPY', 'r/Events/', `/svc/r/${to}/`)).status, 201);
      const viewsOf = async (room: string) => {
        const { default_view, current_view } = (await (await alice(`r/${room}/`)).json()) as Record<string, number>;
        return [default_view, current_view];
      };
      assert.deepEqual(await viewsOf(to), await viewsOf('Events'));
      assert.deepEqual(await messagesOf(to), await messagesOf('Events'));
    });

    it('of a public room is open to every reader', async () => {
      assert.equal((await send(bob, 'COPY', 'r/Lobby/', `/svc/r/Lobby-${unique}/`)).status, 201);
      const copied = (await (await bob(`r/Lobby-${unique}/msgs.all`)).json()) as number[];
      assert.deepEqual(copied, await messagesOf('Lobby'));
    });
  });

  describe(`both on ${where}`, () => {
    it('refuse what can be no room', async () => {
      const room = await newRoom(`Plain-${unique}`);
      for (const method of ['MOVE', 'COPY'] as const) {
        for (const [destination, status] of [
          ['/svc/r/Lobby/folder/', 403],
          ['/svc/r/Nowhere/folder/', 409],
          ['/svc/r/Lobby/folder', 403],
          ['/svc/r/_FOO_/', 400],
          ['/svc/r/0000000002.x/', 400],
          ['/svc/r/%2E%2E/', 400],
          ['/svc/r/', 400],
          ['/elsewhere/', 400],
          ['http://other.example/svc/r/X/', 502],
          [`/svc/r/${'n'.repeat(128)}/`, 400],
        ] as const) {
          assert.equal(
            (await send(alice, method, `r/${room}/`, destination)).status,
            status,
            `${method} ${destination}`,
          );
        }
        for (const [headers, status] of [
          [{ depth: method === 'MOVE' ? '0' : '1' }, 400],
          [{ 'if-match': '"1"' }, 412],
          [{ 'if-none-match': '*' }, 412],
        ] as const) {
          const answer = await send(alice, method, `r/${room}/`, `/svc/r/Not-${unique}/`, headers);
          assert.equal(answer.status, status, `${method} ${Object.keys(headers)}`);
        }
        assert.equal((await send(alice, method, 'r/Nowhere/', `/svc/r/Some-${unique}/`)).status, 404);
        assert.equal((await alice(`r/${room}/`, { method })).status, 400, 'no Destination');
      }
    });
  });
}
