// Floors and rooms: lists, information, banner, message lists and their selectors, mailbox, last-read pointer.

import assert from 'node:assert/strict';
import { join } from 'node:path';
import { after, describe, it } from 'node:test';
import { ADMIN_PASSWORD, type Api, postedNumber, startBoth, type TestGateway } from '../../support/gateway.ts';
import { WireClient } from '../../support/wire-client.ts';

type Fields = Record<string, unknown>;

const FLAGS = ['is_directory', 'is_guessname', 'is_mailbox', 'is_password_protected', 'is_private', 'is_read_only'];
const ENTRY = {
  ...Object.fromEntries(
    [...FLAGS, 'is_zapped', 'is_room_aide', 'known', 'hasnewmsgs'].map((name) => [name, 'boolean']),
  ),
  ...Object.fromEntries(['floor', 'rorder', 'current_view', 'default_view', 'mtime'].map((name) => [name, 'number'])),
  name: 'string',
};
const NUMBERS = ['new_messages', 'total_messages', 'last_seen', 'room_mtime', 'current_view', 'default_view'];
const SETTINGS = ['anonymous_only', 'anonymous_optional', 'preferred_only', 'collaborative'];
const ROOM = {
  ...Object.fromEntries([...SETTINGS, 'subject_required', 'mail_accepted'].map((name) => [`is_${name}`, 'boolean'])),
  room_aide: 'string',
  ...Object.fromEntries([...NUMBERS, 'floor', 'highest_msgnum'].map((name) => [name, 'number'])),
  ...Object.fromEntries(
    [...FLAGS, 'is_zapped', 'is_room_aide', 'is_trash_folder', 'can_delete_messages', 'has_info'].map((name) => [
      name,
      'boolean',
    ]),
  ),
  name: 'string',
};
const MAILBOX_ROW = {
  msgnum: 'number',
  time: 'number',
  author: 'string',
  addr: 'string',
  subject: 'string',
  msgidhash: 'number',
  references: 'object',
  seen: 'boolean',
};

const gateways = await startBoth({ after }, { demo: true, users: [{ name: 'carol', password: 'carol' }] });
const [[, first]] = gateways as [[string, TestGateway]];

for (const [name, gateway] of gateways) {
  const alice = gateway.as('alice');
  const bob = gateway.as('bob');
  const square = 'r/Town%20Square';
  const post = async (subject: string) =>
    postedNumber(await alice(`${square}/new?subj=${encodeURIComponent(subject)}`, { method: 'PUT', body: 'text' }));

  describe(`floors and rooms on ${name}`, () => {
    it('lists floors', async () => {
      const floors = (await json(alice, 'f/')) as unknown as Fields[];
      assert.deepEqual(
        floors.map((floor) => [floor.num, floor.name]),
        [
          [0, 'Main Floor'],
          [1, 'Community'],
        ],
      );
      for (const floor of floors)
        assert.deepEqual(typesOf(floor), { num: 'number', name: 'string', refcount: 'number' });
    });

    it('lists the rooms of the caller, with their flags', async () => {
      const rooms = (await json(alice, 'r/')) as unknown as Fields[];
      for (const room of rooms) assert.deepEqual(typesOf(room), ENTRY);
      const named = (wanted: string) => rooms.find((room) => room.name === wanted);
      assert.deepEqual(
        [named('Mail')?.is_mailbox, named('Town Square')?.is_mailbox, named('Mail')?.current_view],
        [true, false, 1],
      );
      assert.equal(named('Announcements')?.is_read_only, true);
      assert.equal(named('Committee')?.is_password_protected, true);
      assert.equal(named('Speakeasy')?.is_guessname, true);
      assert.equal(named('Events')?.default_view, 3);
      assert.equal(named('Aide'), undefined, 'only administrators see it');
    });

    it('leads from the form without slash to the one with it', async () => {
      for (const path of ['f', 'r']) {
        const response = await alice(`${path}?x=1`);
        assert.equal(response.status, 308);
        assert.equal(response.headers.get('location'), `/svc/${path}/?x=1`);
      }
    });

    it('tells about a room, whatever letters its name is asked with', async () => {
      const room = await json(alice, 'r/tOWN%20sQUARE/');
      assert.deepEqual(typesOf(room), ROOM);
      assert.deepEqual([room.name, room.floor, room.current_view], ['Town Square', 1, 0]);
      const numbers = await list(alice, `${square}/msgs.all`);
      assert.deepEqual([room.total_messages, room.highest_msgnum], [numbers.length, numbers.at(-1)]);
      assert.equal(room.can_delete_messages, true, 'alice made the room');
      assert.equal((await json(bob, `${square}/`)).can_delete_messages, false);
    });

    it('reaches the own rooms by their virtual names', async () => {
      for (const [path, wanted] of Object.entries({ _MAIL_: 'Mail', _TRASH_: 'Trash', _BASEROOM_: 'Lobby' })) {
        assert.equal((await json(alice, `r/${path}/`)).name, wanted);
      }
      for (const path of ['_SENT_', '_sent_']) assert.equal((await json(alice, `r/${path}/`)).name, 'Sent Items', path);
    });

    it('knows no room 404', async () => {
      for (const path of ['', 'info.txt', 'stat', 'msgs.all', 'mailbox', '1', '1/json', '1/1']) {
        assert.equal((await alice(`r/No%20such%20room/${path}`)).status, 404, path);
      }
    });

    it('has no banner where there is none', async () => {
      assert.equal((await alice('r/Lobby/info.txt')).status, 404);
      assert.equal((await json(alice, 'r/Lobby/')).has_info, false);
    });

    it('has the banner as text where there is one', async () => {
      const banner = `Hello.\n\n  Grüße von ${name}\n`;
      const wire = await WireClient.login(join(first.dataFolder, 'citadel.socket'), 'admin', ADMIN_PASSWORD);
      await wire.expect('GOTO Garden Diary', 200);
      await wire.send('EINF 1', banner);
      await wire.expect('NOOP', 200);
      wire.close();
      const response = await alice('r/Garden%20Diary/info.txt');
      assert.equal(response.status, 200);
      assert.equal(response.headers.get('content-type'), 'text/plain; charset=utf-8');
      assert.equal(await response.text(), banner);
      assert.equal((await json(alice, 'r/Garden%20Diary/')).has_info, true);
    });

    it('tells name and time of the last change', async () => {
      const stat = await json(alice, 'r/town%20square/stat');
      assert.deepEqual(typesOf(stat), { name: 'string', room_mtime: 'number' });
      assert.equal(stat.name, 'Town Square');
    });

    it('opens a room with a password to those who send it', async () => {
      const admin = gateway.as('admin', 'secret');
      assert.equal((await bob('r/Committee/')).status, 200, 'a member needs none');
      const stranger = gateway.as('carol', 'carol');
      for (const path of ['r/Committee/', 'r/Committee/msgs.all']) {
        assert.equal((await admin(path)).status, 200, 'an administrator needs none');
        const without = await stranger(path);
        assert.equal(without.status, 403, path);
        assert.equal(((await without.json()) as Fields).code, 540);
        assert.equal((await stranger(path, { headers: { 'x-room-password': 'wrong' } })).status, 403);
        assert.equal((await stranger(path, { headers: { 'x-room-password': 'sesame' } })).status, 200);
      }
    });
  });

  describe(`message lists on ${name}`, () => {
    it('select all, some, new and old ones', async () => {
      for (let i = 0; i < 6; i++) await post(`message ${i}`);
      const all = await list(alice, `${square}/msgs.all`);
      assert.deepEqual(
        all,
        [...all].sort((a, b) => a - b),
      );
      const middle = all.at(-4)!;
      const selections: Record<string, number[]> = {
        'msgs.first|3': all.slice(0, 3),
        'msgs.first%7C3': all.slice(0, 3),
        'msgs.last|2': all.slice(-2),
        'msgs.last%7c2': all.slice(-2),
        'msgs.last|0': [],
        [`msgs.gt|${middle}`]: all.slice(-3),
        [`msgs.lt|${all[2]}`]: all.slice(0, 2),
      };
      for (const [selector, wanted] of Object.entries(selections)) {
        assert.deepEqual(await list(alice, `${square}/${selector}`), wanted, selector);
      }
      const read = all.at(-3)!;
      assert.equal((await alice(`${square}/slrp?last=${read}`)).status, 204);
      assert.deepEqual(await list(alice, `${square}/msgs.new`), all.slice(-2));
      assert.deepEqual(await list(alice, `${square}/msgs.old`), all.slice(0, -2));
      assert.equal((await json(alice, `${square}/`)).last_seen, read);
    });

    it('mark everything as read up to the last one', async () => {
      await post('unread');
      assert.equal((await bob(`${square}/slrp?last=HIGHEST`)).status, 204);
      assert.deepEqual(await list(bob, `${square}/msgs.new`), []);
      const next = await post('another one');
      assert.deepEqual(await list(bob, `${square}/msgs.new`), [next]);
      assert.equal((await json(bob, `${square}/`)).new_messages, 1);
    });

    it('find words', async () => {
      const word = `zebra${Math.random().toString(36).slice(2)}`;
      const number = await post(`a ${word} here`);
      assert.deepEqual(await list(alice, `${square}/msgs.search|${word}`), [number]);
      assert.deepEqual(await list(alice, `${square}/msgs.search%7C${word}`), [number]);
    });

    it('are refused with an unknown selector, and slrp without a number', async () => {
      const wrong = [
        'msgs.',
        'msgs.some',
        'msgs.all|1',
        'msgs.last',
        'msgs.last|',
        'msgs.last|x',
        'msgs.gt|-1',
        'msgs.search|',
      ];
      for (const selector of wrong) assert.equal((await alice(`${square}/${selector}`)).status, 400, selector);
      const before = await json(alice, `${square}/`);
      for (const query of ['', '?last=', '?last=0', '?last=-1', '?last=x', '?last=1.5', '?last=highest', '?first=1']) {
        assert.equal((await alice(`${square}/slrp${query}`)).status, 400, query);
      }
      assert.equal((await json(alice, `${square}/`)).last_seen, before.last_seen);
    });
  });

  describe(`a mailbox on ${name}`, () => {
    it('has the fields of each message, decoded', async () => {
      const number = await post('Grüße 🌱');
      const mailbox = await json(alice, `${square}/mailbox`);
      assert.deepEqual(typesOf(mailbox), {
        name: 'string',
        total_messages: 'number',
        new_messages: 'number',
        msgs: 'object',
      });
      const rows = mailbox.msgs as Fields[];
      for (const row of rows) assert.deepEqual(typesOf(row), MAILBOX_ROW);
      assert.deepEqual(
        rows.map((row) => row.msgnum),
        await list(alice, `${square}/msgs.all`),
      );
      const { author, addr, subject, seen } = rows.at(-1)!;
      assert.deepEqual([rows.at(-1)!.msgnum, author, subject, seen], [number, 'alice', 'Grüße 🌱', false]);
      assert.match(String(addr), /^alice@/);
      assert.equal(mailbox.total_messages, rows.length);
    });

    it('tells which messages answer which', async () => {
      const rows = (await json(alice, `${square}/mailbox`)).msgs as Fields[];
      const [first, answer] = rows;
      assert.deepEqual(answer!.references, [first!.msgidhash]);
    });

    it('can be read in pages', async () => {
      const all = await list(alice, `${square}/msgs.all`);
      const page = async (query: string) =>
        ((await json(alice, `${square}/mailbox${query}`)).msgs as Fields[]).map((row) => row.msgnum);
      assert.deepEqual(await page(`?after=${all[1]}&limit=3`), all.slice(2, 5));
      assert.deepEqual(await page('?limit=2'), all.slice(0, 2));
      assert.deepEqual(await page('?limit=0'), []);
      assert.deepEqual(await page(`?after=${all.at(-1)}`), []);
      for (const query of ['?limit=x', '?after=-1', '?limit=']) {
        assert.equal((await alice(`${square}/mailbox${query}`)).status, 400, query);
      }
    });
  });
}

async function json(api: Api, path: string): Promise<Fields> {
  const response = await api(path);
  assert.equal(response.status, 200, path);
  assert.equal(response.headers.get('content-type'), 'application/json; charset=utf-8');
  return (await response.json()) as Fields;
}

async function list(api: Api, path: string): Promise<number[]> {
  return (await json(api, path)) as unknown as number[];
}

function typesOf(fields: Fields): Record<string, string> {
  return Object.fromEntries(Object.entries(fields).map(([name, value]) => [name, typeof value]));
}
