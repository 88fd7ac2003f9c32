// Files rooms: folders inside a room, on the embedded server by its own verbs and through a second gateway.

import assert from 'node:assert/strict';
import { after, describe, it } from 'node:test';
import { MAX_FILE_PATH_BYTES, MAX_FOLDER_DEPTH, MAX_MESSAGE_NAME_BYTES } from '../../src/limits/dav.ts';
import { VIEW } from '../../src/model.ts';
import { type Api, startBoth, startGateway } from '../support/gateway.ts';
import { startRealServer } from '../support/real-server.ts';

const put = (api: Api, path: string, body = path, headers: Record<string, string> = {}) =>
  api(path, { method: 'PUT', body, headers: { 'content-type': 'text/plain; charset=utf-8', ...headers } });
const send = async (api: Api, method: string, path: string, headers: Record<string, string> = {}) =>
  (await api(path, { method, headers })).status;

const real = await startRealServer({ after }, { users: { alice: 4, bob: 4 } });
const inFront = await startGateway({ after }, { backend: `unix:${real.path}` });
const servers: [string, Api, Api][] = [
  ...(await startBoth({ after }, { demo: true })).map(([where, gateway]): [string, Api, Api] => [
    where,
    gateway.as('alice'),
    gateway.as('bob'),
  ]),
  ['a room server by the documented verbs', inFront.as('alice', 'alicepw'), inFront.as('bob', 'bobpw')],
];

for (const [where, alice, bob] of servers) {
  const unique = where.replaceAll(' ', '');
  let rooms = 0;
  /** a new room of files: `r/Files-…` */
  const newRoom = async () => {
    const path = `r/Files-${unique}-${++rooms}`;
    assert.equal(await send(alice, 'MKCOL', `${path}/`), 201);
    // elsewhere an administrator gives a room its directory: that it is one of files is all that counts
    const headers = { 'content-type': 'application/json' };
    await alice(`${path}/`, { method: 'PATCH', headers, body: JSON.stringify({ default_view: VIEW.files }) });
    return path;
  };
  const hrefs = async (path: string, depth = '1') => {
    const answer = await alice(path, { method: 'PROPFIND', headers: { depth } });
    assert.equal(answer.status, 207, path);
    return [...(await answer.text()).matchAll(/<D:href>([^<]*)<\/D:href><D:propstat>/g)].map(([, href]) => href!);
  };
  const read = async (path: string) => {
    const answer = await alice(path);
    return answer.status === 200 ? await answer.text() : answer.status;
  };
  const tree = async (room: string) => {
    await send(alice, 'MKCOL', `${room}/a/`);
    await send(alice, 'MKCOL', `${room}/a/b/`);
    for (const name of ['top.txt', 'a/1.txt', 'a/2.txt', 'a/b/3.txt']) await put(alice, `${room}/${name}`);
  };

  describe(`a files room on ${where}`, () => {
    it('has folders in folders, each listed with what lies directly in it', async () => {
      const room = await newRoom();
      await tree(room);
      const at = (...names: string[]) => names.map((name) => `/svc/${room}/${name}`).sort();
      assert.deepEqual((await hrefs(`${room}/`)).sort(), at('', 'a/', 'top.txt'));
      assert.deepEqual((await hrefs(`${room}/a/`)).sort(), at('a/', 'a/b/', 'a/1.txt', 'a/2.txt'));
      assert.deepEqual((await hrefs(`${room}/a`)).sort(), at('a/', 'a/b/', 'a/1.txt', 'a/2.txt'));
      assert.deepEqual((await hrefs(`${room}/a/b/`)).sort(), at('a/b/', 'a/b/3.txt'));
      assert.deepEqual(await hrefs(`${room}/a/`, '0'), at('a/'));
      assert.deepEqual(await hrefs(`${room}/a/b/3.txt`), at('a/b/3.txt'));
      const text = await (await alice(`${room}/`, { method: 'PROPFIND', headers: { depth: '1' } })).text();
      assert.match(text, /\/a\/<\/D:href><D:propstat><D:prop><D:resourcetype><D:collection\/><\/D:resourcetype>/);
      assert.match(text, /<D:displayname>a<\/D:displayname>/);
      assert.equal(await send(alice, 'PROPFIND', `${room}/a/`, { depth: 'infinity' }), 403);
      assert.equal(await send(alice, 'PROPFIND', `${room}/a/none.txt`, { depth: '0' }), 404);
    });

    it('keeps any name and any content, with ranges', async () => {
      const room = await newRoom();
      await send(alice, 'MKCOL', `${room}/${encodeURIComponent('ü & #1%?')}/`);
      const names = ['._x', '2026', 'mailbox', 'a;b=c', "it's", '日本', ' b ', '%41', 'x'.repeat(200)];
      for (const name of names) {
        const path = `${room}/${encodeURIComponent('ü & #1%?')}/${encodeURIComponent(name)}`;
        assert.equal((await put(alice, path, `000\n${name}`)).status, 201, name);
        assert.equal(await read(path), `000\n${name}`);
        assert.deepEqual(await hrefs(path, '0'), [`/svc/${path}`]);
        const part = await alice(path, { headers: { range: 'bytes=0-2' } });
        assert.deepEqual([part.status, await part.text()], [206, '000']);
      }
      for (const folder of ['f/', 'f/g/', 'f/g/h/']) await send(alice, 'MKCOL', `${room}/${folder}`);
      for (const name of ['f/g/h/json', 'f/g/h/history']) {
        assert.equal((await put(alice, `${room}/${name}`, name)).status, 201);
        assert.equal(await read(`${room}/${name}`), name);
      }
      const empty = `${room}/empty`;
      assert.equal((await put(alice, empty, '')).status, 201);
      assert.equal(await read(empty), '');
      const listed = await hrefs(`${room}/${encodeURIComponent('ü & #1%?')}/`);
      assert.equal(listed.length, names.length + 1);
      for (const href of listed.slice(1)) assert.equal((await alice(href)).status, 200, href);
    });

    it('refuses what has no parent, no possible name, or is there already', async () => {
      const room = await newRoom();
      await tree(room);
      for (const [method, name, status] of [
        ['PUT', 'none/x.txt', 409],
        ['PUT', 'a/none/x.txt', 409],
        ['PUT', 'top.txt/x', 409],
        ['PUT', 'a', 405],
        ['PUT', 'a/', 405],
        ['PUT', 'a/b', 405],
        ['PUT', 'a/../x', 409],
        ['PUT', 'a//x', 409],
        ['PUT', 'a/%2E%2E/x', 409],
        ['PUT', 'info.txt/x', 409],
        ['MKCOL', 'a/', 405],
        ['MKCOL', 'a', 405],
        ['MKCOL', 'top.txt', 405],
        ['MKCOL', 'top.txt/', 405],
        ['MKCOL', 'none/x/', 409],
        ['MKCOL', 'a%7Cb/', 409],
        ['MKCOL', 'a/../c/', 409],
        ['DELETE', 'a/none', 404],
        ['DELETE', 'top.txt/', 404],
        ['DELETE', 'none/', 404],
        ['GET', 'a/none', 404],
        ['GET', 'a/json', 404],
      ] as const) {
        const init = { method, ...(method === 'PUT' && { body: 'x' }) };
        assert.equal((await alice(`${room}/${name}`, init)).status, status, `${method} ${name}`);
      }
      assert.equal((await alice(`${room}/new/`, { method: 'MKCOL', body: '<x/>' })).status, 415);
      assert.equal((await alice(`${room}/a/new/`, { method: 'MKCOL', body: '<x/>' })).status, 415);
      assert.equal(await send(bob, 'MKCOL', `${room}/bobs/`), 409, 'to bob there is no such room');
      assert.equal((await put(bob, `${room}/a/x`)).status, 409);
      assert.equal(await send(bob, 'DELETE', `${room}/a/`), 404);
      assert.equal((await hrefs(`${room}/a/`)).length, 4, 'nothing has changed');
    });

    it('still gives messages by number, and below files what other rooms give', async () => {
      const room = await newRoom();
      const number = (await put(alice, `${room}/a.txt`, 'text')).headers.get('etag')!.slice(1, -1);
      assert.equal(await read(`${room}/${number}`), 'text');
      assert.equal(await read(`${room}/${number}/1`), 'text');
      for (const path of [`${room}/${number}/json`, `${room}/a.txt/json`]) {
        const { msgnum } = (await (await alice(`${path}?text=plain`)).json()) as { msgnum: number };
        assert.equal(msgnum, Number(number));
      }
    });

    it('deletes a folder with all below it, and nothing else', async () => {
      const room = await newRoom();
      await tree(room);
      await put(alice, `${room}/a.txt`);
      assert.equal(await send(alice, 'DELETE', `${room}/a/`), 204);
      assert.deepEqual((await hrefs(`${room}/`)).length, 3);
      for (const name of ['a', 'a/', 'a/1.txt', 'a/b/', 'a/b/3.txt']) {
        assert.equal(await read(`${room}/${name}`), 404, name);
      }
      assert.equal(await send(alice, 'MKCOL', `${room}/a/`), 201);
      assert.deepEqual(await hrefs(`${room}/a/`), [`/svc/${room}/a/`]);
      assert.equal(await send(alice, 'DELETE', `${room}/a`), 204);
    });

    it('is bounded in depth and in the length of paths', async () => {
      const room = await newRoom();
      let path = room;
      for (let depth = 1; depth < MAX_FOLDER_DEPTH; depth++) {
        path += '/d';
        assert.equal(await send(alice, 'MKCOL', `${path}/`), 201);
      }
      assert.equal((await put(alice, `${path}/file`, 'deep')).status, 201);
      assert.equal(await read(`${path}/file`), 'deep');
      assert.equal(await send(alice, 'MKCOL', `${path}/d/`), 201);
      assert.equal((await put(alice, `${path}/d/file`)).status, 409);
      const long = 'n'.repeat(MAX_MESSAGE_NAME_BYTES);
      assert.equal(await send(alice, 'MKCOL', `${room}/${long}/`), 201);
      assert.equal(await send(alice, 'MKCOL', `${room}/${long}n/`), 409);
      assert.equal(await send(alice, 'MKCOL', `${room}/${long}/${long}/`), 201);
      assert.equal(await send(alice, 'MKCOL', `${room}/${long}/${long}/${long}/`), 201);
      const rest = MAX_FILE_PATH_BYTES - 3 * (MAX_MESSAGE_NAME_BYTES + 1);
      assert.equal((await put(alice, `${room}/${long}/${long}/${long}/${'f'.repeat(rest)}`, 'x')).status, 201);
      assert.equal(await read(`${room}/${long}/${long}/${long}/${'f'.repeat(rest)}`), 'x');
      assert.equal((await put(alice, `${room}/${long}/${long}/${long}/${'f'.repeat(rest + 1)}`)).status, 409);
      assert.equal(await send(alice, 'DELETE', `${room}/${long}/`), 204);
    });
  });

  for (const method of ['MOVE', 'COPY'] as const) {
    describe(`${method} in files rooms on ${where}`, () => {
      const transfer = (from: string, to: string, headers: Record<string, string> = {}) =>
        send(alice, method, from, { destination: `/svc/${to}`, ...headers });
      const isKept = method === 'COPY';

      it('takes a folder to another place with all below it', async () => {
        const room = await newRoom();
        await tree(room);
        assert.equal(await transfer(`${room}/a/`, `${room}/c/`), 201);
        for (const name of ['1.txt', '2.txt', 'b/3.txt']) {
          assert.equal(await read(`${room}/c/${name}`), `${room}/a/${name}`);
          assert.equal(await read(`${room}/a/${name}`), isKept ? `${room}/a/${name}` : 404);
        }
        assert.equal((await hrefs(`${room}/c/`)).length, 4);
        assert.equal(await transfer(`${room}/c/b`, `${room}/deep`), 201, 'without slashes, too');
        assert.equal(await read(`${room}/deep/3.txt`), `${room}/a/b/3.txt`);
      });

      it('takes files and folders to another room', async () => {
        const [room, other] = [await newRoom(), await newRoom()];
        await tree(room);
        assert.equal(await transfer(`${room}/a/b/`, `${other}/b/`), 201);
        assert.equal(await read(`${other}/b/3.txt`), `${room}/a/b/3.txt`);
        assert.equal(await transfer(`${room}/a/1.txt`, `${other}/b/one.txt`), 201);
        assert.equal(await read(`${other}/b/one.txt`), `${room}/a/1.txt`);
        assert.equal(await transfer(`${room}/a/2.txt`, `${other}/`), 201, 'into the room, under its last name');
        assert.equal(await read(`${other}/2.txt`), `${room}/a/2.txt`);
        assert.equal(await transfer(`${room}/top.txt`, 'r/Drafts/top.txt'), 201);
        assert.equal(await transfer(`${other}/b/`, 'r/Drafts/b/'), 409, 'where there are no folders');
        assert.equal(await transfer('r/Drafts/top.txt', `${other}/b/top.txt`), 201);
        assert.equal(await read(`${other}/b/top.txt`), `${room}/top.txt`);
        if (isKept) await send(alice, 'DELETE', 'r/Drafts/top.txt');
      });

      it('gives a letter the name of the Destination, where it can keep its author', async () => {
        const [room, other] = [await newRoom(), await newRoom()];
        const isOurs = alice !== servers.at(-1)![1];
        const post = async () => {
          const headers = { 'content-type': 'text/plain' };
          const answer = await alice(`${room}/new?subj=Letter`, { method: 'PUT', body: 'Dear all', headers });
          return answer.headers.get('location')!.split('/').pop()!;
        };
        const expected = isOurs || isKept ? 201 : 403;
        assert.equal(await transfer(`${room}/${await post()}`, `${room}/here.txt`), expected);
        assert.equal(await transfer(`${room}/${await post()}`, `${other}/there.txt`), expected);
        if (expected !== 201) return;
        for (const path of [`${room}/here.txt`, `${other}/there.txt`]) assert.equal(await read(path), 'Dear all');
        if (!isOurs) return;
        const message = await (await alice(`${room}/here.txt/json`)).text();
        assert.match(message, /"Letter".*"alice"|"alice".*"Letter"/s);
      });

      it('replaces what is there, a folder as a whole, unless Overwrite says F', async () => {
        const room = await newRoom();
        await tree(room);
        await put(alice, `${room}/file`, 'old');
        assert.equal(await transfer(`${room}/top.txt`, `${room}/file`, { overwrite: 'F' }), 412);
        assert.equal(await transfer(`${room}/a/`, `${room}/file`, { overwrite: 'F' }), 412);
        assert.equal(await transfer(`${room}/top.txt`, `${room}/a/`, { overwrite: 'F' }), 412);
        assert.equal(await transfer(`${room}/top.txt`, `${room}/file`), 204);
        assert.equal(await read(`${room}/file`), `${room}/top.txt`);
        assert.equal(await transfer(`${room}/file`, `${room}/a`), 204, 'a file in the place of a folder');
        assert.equal(await read(`${room}/a`), `${room}/top.txt`);
        assert.equal(await read(`${room}/a/1.txt`), 404);
        await send(alice, 'MKCOL', `${room}/new/`);
        await put(alice, `${room}/new/inner`, 'inner');
        assert.equal(await transfer(`${room}/new/`, `${room}/a`), 204, 'a folder in the place of a file');
        assert.equal(await read(`${room}/a/inner`), 'inner');
        await send(alice, 'MKCOL', `${room}/last/`);
        assert.equal(await transfer(`${room}/last/`, `${room}/a/`), 204, 'a folder in the place of a folder');
        assert.deepEqual(await hrefs(`${room}/a/`), [`/svc/${room}/a/`]);
      });

      it('refuses a folder in itself, no parent, another depth', async () => {
        const room = await newRoom();
        await tree(room);
        for (const [from, to, status, headers = {}] of [
          ['a/', 'a/', 403],
          ['a/', 'a/b/', 403],
          ['a/', 'a/b/c/', 403],
          ['a/b/', 'a/', 403],
          ['a/b/3.txt', 'a', 403],
          ['top.txt', 'top.txt', 403],
          ['a/', 'none/a/', 409],
          ['top.txt', 'none/top.txt', 409],
          ['a/', 'x%7Cy/', 409],
          ['none/', 'x/', 404],
          ['a/none', 'x', 404],
          ['a/', 'x/', 400, { depth: '1' }],
        ] as const) {
          const at = `${from} → ${to}`;
          assert.equal(await transfer(`${room}/${from}`, `${room}/${to}`, headers), status, at);
        }
        if (method === 'MOVE') assert.equal(await transfer(`${room}/a/`, `${room}/x/`, { depth: '0' }), 400);
        assert.equal((await hrefs(`${room}/`)).length, 3);
        assert.equal((await hrefs(`${room}/a/`)).length, 4);
      });

      if (isKept) {
        it('with Depth: 0 takes the folder alone', async () => {
          const room = await newRoom();
          await tree(room);
          assert.equal(await transfer(`${room}/a/`, `${room}/bare/`, { depth: '0' }), 201);
          assert.deepEqual(await hrefs(`${room}/bare/`), [`/svc/${room}/bare/`]);
        });
      }

      it('changes nothing where a member would be too deep in its new place', async () => {
        const room = await newRoom();
        await tree(room);
        let path = room;
        for (let depth = 1; depth < MAX_FOLDER_DEPTH; depth++) {
          path += '/d';
          await send(alice, 'MKCOL', `${path}/`);
        }
        assert.equal(await transfer(`${room}/a/`, `${path}/a/`), 409);
        assert.equal((await hrefs(`${path}/`)).length, 1);
        assert.equal((await hrefs(`${room}/a/`)).length, 4, 'the source is untouched');
      });
    });
  }
}
