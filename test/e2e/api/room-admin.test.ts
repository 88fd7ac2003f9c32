// Rooms as people manage them: making, changing, forgetting, deleting; their banners.

import assert from 'node:assert/strict';
import { after, describe, it } from 'node:test';
import { MAX_ROOM_NAME_BYTES, MAX_ROOM_PASSWORD_BYTES } from '../../../src/limits/backend.ts';
import { MAX_TEXT_BODY_BYTES, MAX_TEXT_LINE_SENT_BYTES } from '../../../src/limits/http.ts';
import { ADMIN_PASSWORD, type Api, startBoth, withCookie } from '../../support/gateway.ts';

const gateways = await startBoth({ after }, { demo: true, users: [{ name: 'carol', password: 'carol' }] });

for (const [name, gateway] of gateways) {
  const alice = gateway.as('alice');
  const bob = gateway.as('bob');
  const carol = gateway.as('carol');
  const admin = gateway.as('admin', ADMIN_PASSWORD);
  const nobody = gateway.api;
  let count = 0;
  /** a room that alice has made */
  const make = async (fields: object = {}): Promise<string> => {
    const room = `Room ${++count} of ${name}`;
    assert.equal(await status(alice, 'POST', 'r/', { name: room, ...fields }), 201);
    return `r/${encodeURIComponent(room)}/`;
  };

  describe(`making a room on ${name}`, () => {
    it('answers where it is', async () => {
      const room = `Größe a/b <${name}> ☃`;
      const response = await send(alice, 'POST', 'r/', { name: room, floor: 1, view: 6 });
      assert.equal(response.status, 201);
      assert.equal(response.headers.get('location'), `/svc/r/${encodeURIComponent(room)}/`);
      const made = await json(alice, response.headers.get('location')!);
      assert.deepEqual(
        [made.name, made.floor, made.default_view, made.is_private, made.is_room_aide, made.room_aide],
        [room, 1, 6, false, true, 'alice'],
      );
      assert.equal((await json(bob, response.headers.get('location')!)).room_aide, 'alice');
    });

    it('knows public, guess-name, password, invitation and personal rooms', async () => {
      const kinds: [string, object, string[], number][] = [
        ['public', {}, [], 200],
        ['guessname', {}, ['is_private', 'is_guessname'], 200],
        ['password', { password: 'sesame' }, ['is_private', 'is_password_protected'], 403],
        ['invitation', {}, ['is_private'], 404],
        ['personal', {}, ['is_private', 'is_mailbox'], 404],
      ];
      for (const [kind, more, flags, forBob] of kinds) {
        const path = await make({ kind, ...more });
        const room = await json(alice, path);
        for (const flag of ['is_private', 'is_guessname', 'is_password_protected', 'is_mailbox']) {
          assert.equal(room[flag], flags.includes(flag), `${kind} ${flag}`);
        }
        assert.equal((await bob(path)).status, forBob, kind);
        if (kind === 'password') {
          assert.equal((await bob(path, { headers: { 'x-room-password': 'sesame' } })).status, 200);
        }
      }
    });

    it('refuses what cannot be a room, and makes nothing', async () => {
      const before = await json(alice, 'r/');
      const wrong: unknown[] = [
        {},
        { name: '' },
        { name: '  ' },
        { name: 7 },
        { name: null },
        { name: 'a|b' },
        { name: 'a\nGOTO Lobby' },
        { name: 'a\u0000b' },
        { name: 'a\u0007b' },
        { name: '\ud800' },
        { name: '_MAIL_' },
        { name: '_sent_' },
        { name: '0000000002.Mail' },
        { name: '.' },
        { name: '..' },
        { name: 'x'.repeat(MAX_ROOM_NAME_BYTES + 1) },
        { name: 'N', kind: 'secret' },
        { name: 'N', kind: 'password' },
        { name: 'N', kind: 'password', password: '' },
        { name: 'N', kind: 'password', password: 'a|b' },
        { name: 'N', kind: 'password', password: 'p'.repeat(MAX_ROOM_PASSWORD_BYTES + 1) },
        { name: 'N', password: 'sesame' },
        { name: 'N', floor: 9 },
        { name: 'N', floor: 16 },
        { name: 'N', floor: 99 },
        { name: 'N', floor: -1 },
        { name: 'N', floor: 0.5 },
        { name: 'N', floor: '0' },
        { name: 'N', view: 13 },
        { name: 'N', colour: 'red' },
        [],
        'N',
        null,
      ];
      for (const fields of wrong) assert.equal(await status(alice, 'POST', 'r/', fields), 400, JSON.stringify(fields));
      const raw = (body: string, type = 'application/json') =>
        alice('r/', { method: 'POST', headers: { 'content-type': type }, body });
      assert.equal((await raw('{"name":')).status, 400);
      assert.equal((await raw('{"name":"N"}', 'text/plain')).status, 415);
      assert.deepEqual(await json(alice, 'r/'), before);
    });

    it('takes a name as long as a name may be', async () => {
      const room = `${name} `.padEnd(MAX_ROOM_NAME_BYTES, 'x');
      assert.equal(await status(alice, 'POST', 'r/', { name: room }), 201);
      assert.equal((await json(alice, `r/${encodeURIComponent(room)}/`)).name, room);
    });

    it('is refused for a name that is taken', async () => {
      assert.equal(await status(alice, 'POST', 'r/', { name: 'loBBy' }), 409);
    });

    it('needs a log-in, and comes from no other site', async () => {
      assert.equal(await status(nobody, 'POST', 'r/', { name: 'N' }), 401);
      const browser = await withCookie(gateway, 'alice');
      const foreign: Api = (path, init) =>
        browser(path, { ...init, headers: { ...init?.headers, origin: 'https://elsewhere.example' } });
      assert.equal(await status(foreign, 'POST', 'r/', { name: 'N' }), 403);
      assert.equal(await status(foreign, 'DELETE', 'r/Lobby/'), 403);
      assert.equal(await status(foreign, 'PATCH', 'r/Lobby/', { name: 'N' }), 403);
    });
  });

  describe(`changing a room on ${name}`, () => {
    it('changes what is named and leaves the rest', async () => {
      const path = await make({ kind: 'password', password: 'sesame', view: 1 });
      const before = await entry(alice, path);
      assert.equal(await status(alice, 'PATCH', path, { rorder: 7 }), 204);
      assert.deepEqual(await entry(alice, path), { ...before, rorder: 7, mtime: (await entry(alice, path)).mtime });
      assert.equal(await status(alice, 'PATCH', path, { is_read_only: true, is_collaborative: true }), 204);
      assert.equal(await status(alice, 'PATCH', path, { floor: 1 }), 204);
      const room = await json(alice, path);
      assert.deepEqual(
        [room.floor, room.default_view, room.is_read_only, room.is_collaborative, room.is_password_protected],
        [1, 1, true, true, true],
      );
      assert.equal((await entry(alice, path)).rorder, 7);
      assert.equal((await bob(path, { headers: { 'x-room-password': 'sesame' } })).status, 200, 'the same password');
    });

    it('sets and clears every flag that it shows', async () => {
      const path = await make();
      const flags = ['anonymous_only', 'anonymous_optional', 'collaborative', 'subject_required', 'mail_accepted'];
      for (const flag of [...flags, 'read_only'].map((word) => `is_${word}`)) {
        for (const wanted of [true, false]) {
          assert.equal(await status(alice, 'PATCH', path, { [flag]: wanted }), 204, flag);
          assert.equal((await json(alice, path))[flag], wanted, flag);
        }
      }
    });

    it('gives it a new name and tells where it is now', async () => {
      const path = await make({ view: 1 });
      const renamed = `Neu & schön, ${name}`;
      const response = await send(alice, 'PATCH', path, { name: renamed });
      assert.equal(response.status, 204);
      assert.equal(response.headers.get('location'), `/svc/r/${encodeURIComponent(renamed)}/`);
      assert.equal((await alice(path)).status, 404);
      assert.equal((await json(alice, response.headers.get('location')!)).default_view, 1);
      const other = await make();
      assert.equal(await status(alice, 'PATCH', other, { name: renamed, floor: 1 }), 409);
      assert.equal((await json(alice, other)).floor, 0, 'nothing half-done');
      for (const wrong of ['', ' ', 'a|b', '_MAIL_', '..']) {
        assert.equal(await status(alice, 'PATCH', other, { name: wrong }), 400, wrong);
      }
      assert.equal((await alice(other)).status, 200);
    });

    it('opens and closes it', async () => {
      const path = await make();
      assert.equal(await status(alice, 'PATCH', path, { kind: 'password' }), 400, 'it has none yet');
      assert.equal(await status(alice, 'PATCH', path, { password: 'sesame' }), 400, 'a public room has none');
      assert.equal(await status(alice, 'PATCH', path, { kind: 'password', password: 'sesame' }), 204);
      assert.equal((await carol(path)).status, 403);
      assert.equal(await status(alice, 'PATCH', path, { password: 'swordfish' }), 204);
      assert.equal((await carol(path, { headers: { 'x-room-password': 'sesame' } })).status, 403);
      assert.equal((await carol(path, { headers: { 'x-room-password': 'swordfish' } })).status, 200);
      assert.equal(await status(alice, 'PATCH', path, { kind: 'invitation' }), 204);
      assert.equal((await carol(path)).status, 404);
      assert.equal(await status(alice, 'PATCH', path, { kind: 'public' }), 204);
      assert.equal((await carol(path)).status, 200);
      assert.equal(await status(alice, 'PATCH', path, { kind: 'personal' }), 409);
      assert.equal(await status(admin, 'PATCH', 'r/Lobby/', { kind: 'invitation' }), 409);
    });

    it('keeps the password to a kind that has one', async () => {
      const path = await make({ kind: 'password', password: 'sesame' });
      assert.equal(await status(alice, 'PATCH', path, { kind: 'guessname' }), 204);
      assert.equal((await bob(path)).status, 200);
      assert.equal(await status(alice, 'PATCH', path, { kind: 'password' }), 400, 'the old one is gone');
    });

    it('refuses a floor that is not there, and does not pass it on', async () => {
      const path = await make();
      for (const floor of [9, 16, 99, -1, 1e9]) assert.equal(await status(alice, 'PATCH', path, { floor }), 400);
      assert.equal((await json(alice, path)).floor, 0);
    });

    it('hands it over to another user', async () => {
      const path = await make();
      assert.equal(await status(alice, 'PATCH', path, { room_aide: 'No Such User', rorder: 3 }), 400);
      assert.equal((await json(alice, path)).room_aide, 'alice');
      assert.equal((await entry(alice, path)).rorder, 64, 'nothing half-done');
      assert.equal(await status(alice, 'PATCH', path, { room_aide: 'bob' }), 204);
      assert.equal((await json(alice, path)).room_aide, 'bob');
      assert.equal(await status(alice, 'PATCH', path, { rorder: 3 }), 403);
      assert.equal(await status(bob, 'PATCH', path, { room_aide: '' }), 204);
      assert.equal((await json(bob, path)).room_aide, '');
    });

    it('lets everybody choose a view of their own', async () => {
      const path = await make();
      assert.equal(await status(bob, 'PATCH', path, { current_view: 6 }), 204);
      const room = await json(bob, path);
      assert.deepEqual([room.current_view, room.default_view], [6, 0]);
      assert.equal((await json(alice, path)).current_view, 0);
    });

    it('lets everybody forget and remember a room', async () => {
      const path = await make();
      await bob(path);
      assert.equal(await status(bob, 'PATCH', path, { is_zapped: true }), 204);
      assert.deepEqual([(await json(bob, path)).is_zapped, (await entry(bob, path)).known], [true, false]);
      assert.equal(await status(bob, 'PATCH', path, { is_zapped: false }), 204);
      assert.deepEqual([(await json(bob, path)).is_zapped, (await entry(bob, path)).known], [false, true]);
      assert.equal(await status(bob, 'PATCH', path, { is_zapped: true, current_view: 1 }), 400, 'by itself only');
      assert.equal(await status(admin, 'PATCH', path, { is_zapped: true }), 409);
    });

    it('serves the owner of a personal room', async () => {
      const path = await make({ kind: 'personal' });
      assert.equal(await status(alice, 'PATCH', path, { default_view: 5, is_collaborative: true }), 204);
      const room = await json(alice, path);
      assert.deepEqual([room.default_view, room.is_collaborative, room.is_mailbox], [5, true, true]);
      assert.equal(await status(alice, 'PATCH', 'r/Notes/', { rorder: 9 }), 204, 'one that comes with the account');
      assert.equal(await status(alice, 'PATCH', 'r/_MAIL_/', { name: 'Post' }), 409);
      assert.equal(await status(alice, 'PATCH', path, { kind: 'public' }), 409);
    });

    it('is for who administers it', async () => {
      const path = await make();
      for (const fields of [{ name: 'Mine' }, { rorder: 1 }, { room_aide: 'bob' }, { is_read_only: true }]) {
        assert.equal(await status(bob, 'PATCH', path, fields), 403, JSON.stringify(fields));
      }
      assert.equal(await status(nobody, 'PATCH', path, { rorder: 1 }), 401);
      assert.equal(await status(admin, 'PATCH', path, { rorder: 1 }), 204);
      assert.equal(await status(alice, 'PATCH', 'r/No%20Such%20Room/', { rorder: 1 }), 404);
    });

    it('refuses fields and values that there are not', async () => {
      const path = await make();
      const wrong = [
        { rorder: 0 },
        { rorder: 128 },
        { rorder: 1.5 },
        { default_view: 13 },
        { default_view: -1 },
        { is_read_only: 1 },
        { is_mailbox: true },
        { name: null },
        { unknown: 1 },
        { __proto__x: 1 },
        { room_aide: 'a|b' },
      ];
      for (const fields of wrong) assert.equal(await status(alice, 'PATCH', path, fields), 400, JSON.stringify(fields));
      const raw = await alice(path, { method: 'PATCH', body: '{"__proto__":{"name":"x"}}' });
      assert.equal(raw.status, 400);
      assert.equal(await status(alice, 'PATCH', path, {}), 204, 'nothing is no change');
    });
  });

  describe(`deleting a room on ${name}`, () => {
    it('is for who administers it', async () => {
      const path = await make();
      assert.equal(await status(nobody, 'DELETE', path), 401);
      assert.equal(await status(bob, 'DELETE', path), 403);
      assert.equal((await alice(path)).status, 200);
      assert.equal(await status(alice, 'DELETE', path), 204);
      assert.equal((await alice(path)).status, 404);
      assert.equal(await status(alice, 'DELETE', path), 404);
    });

    it('is refused for rooms that everybody needs', async () => {
      assert.equal(await status(admin, 'DELETE', 'r/Lobby/'), 409);
      assert.equal(await status(alice, 'DELETE', 'r/_MAIL_/'), 409);
      assert.equal(await status(alice, 'DELETE', 'r/Lobby/'), 403);
    });

    it('tells OPTIONS what may be done', async () => {
      const allow = (await nobody('r/Lobby/', { method: 'OPTIONS' })).headers.get('allow') ?? '';
      for (const method of ['GET', 'PATCH', 'DELETE']) assert.match(allow, new RegExp(`\\b${method}\\b`));
    });
  });

  describe(`the banner of a room on ${name}`, () => {
    it('is what was put', async () => {
      const path = await make();
      const put = (text: string | Buffer) => alice(`${path}info.txt`, { method: 'PUT', body: text });
      for (const text of ['Grüße.\n\n  Zeile 2\n', '0000\n 000\n000 \n', 'a|b\n', '.\n']) {
        assert.equal((await put(text)).status, 204);
        const response = await bob(`${path}info.txt`);
        assert.equal(await response.text(), text);
      }
      assert.equal((await put('one\r\ntwo')).status, 204);
      assert.equal(await (await alice(`${path}info.txt`)).text(), 'one\ntwo\n');
      assert.equal((await json(alice, path)).has_info, true);
    });

    it('is removed by an empty text and by DELETE', async () => {
      const path = await make();
      for (const remove of [{ method: 'PUT', body: '' }, { method: 'PUT' }, { method: 'DELETE' }]) {
        assert.equal((await alice(`${path}info.txt`, { method: 'PUT', body: 'here' })).status, 204);
        assert.equal((await alice(`${path}info.txt`, remove)).status, 204);
        assert.equal((await alice(`${path}info.txt`)).status, 404);
      }
      assert.equal((await alice(`${path}info.txt`, { method: 'DELETE' })).status, 404);
    });

    it('refuses what the line protocol cannot carry, and stays as it was', async () => {
      const path = await make();
      const put = (body: string | Buffer) => alice(`${path}info.txt`, { method: 'PUT', body });
      assert.equal((await put('kept')).status, 204);
      const wrong = ['000', 'a\n000\nKILL 1\n', 'a\r\n000\r\nb', '000\r', 'a\0b', Buffer.from([0xff, 0xfe])];
      for (const body of wrong) assert.equal((await put(body)).status, 400, JSON.stringify(body));
      assert.equal((await put('x'.repeat(MAX_TEXT_LINE_SENT_BYTES + 1))).status, 400);
      const filled = (size: number) => `${'x'.repeat(99)}\n`.repeat(size / 100 + 1).slice(0, size);
      assert.equal((await put(filled(MAX_TEXT_BODY_BYTES))).status, 413);
      assert.equal(await (await alice(`${path}info.txt`)).text(), 'kept\n');
      const largest = filled(MAX_TEXT_BODY_BYTES - 1);
      assert.equal((await put(largest)).status, 204);
      assert.equal(await (await alice(`${path}info.txt`)).text(), `${largest}\n`);
      assert.equal((await put('x'.repeat(MAX_TEXT_LINE_SENT_BYTES))).status, 204);
    });

    it('is written by who administers the room', async () => {
      const path = await make();
      assert.equal((await bob(`${path}info.txt`, { method: 'PUT', body: 'mine' })).status, 403);
      assert.equal((await nobody(`${path}info.txt`, { method: 'PUT', body: 'mine' })).status, 401);
      assert.equal((await alice('r/Nowhere/info.txt', { method: 'PUT', body: 'x' })).status, 404);
    });
  });

  it(`nothing of it was a fault on ${name}`, () => assert.deepEqual(gateway.faults, []));
}

function send(api: Api, method: string, path: string, fields?: unknown): Promise<Response> {
  if (fields === undefined) return api(path, { method });
  return api(path, { method, headers: { 'content-type': 'application/json' }, body: JSON.stringify(fields) });
}

async function status(api: Api, method: string, path: string, fields?: unknown): Promise<number> {
  return (await send(api, method, path, fields)).status;
}

async function json(api: Api, path: string): Promise<Record<string, unknown>> {
  const response = await api(path);
  assert.equal(response.status, 200, path);
  return (await response.json()) as Record<string, unknown>;
}

/** the room in the list of rooms */
async function entry(api: Api, path: string): Promise<Record<string, unknown>> {
  const rooms = (await json(api, 'r/')) as unknown as Record<string, unknown>[];
  return rooms.find((room) => `r/${encodeURIComponent(String(room.name))}/` === path)!;
}
