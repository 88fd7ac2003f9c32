// Rooms and floors: fields of the lists, selections of messages, read pointers, passwords, names of a caller's own
// rooms.

import assert from 'node:assert/strict';
import { after, describe } from 'node:test';
import { assertFields, holds, json, jsonOf, post, problemOf, statusesOf, targets } from '../../support/conformance.ts';

const FLAGS = {
  is_mailbox: 'boolean',
  is_private: 'boolean',
  is_password_protected: 'boolean',
  is_guessname: 'boolean',
  is_read_only: 'boolean',
  is_directory: 'boolean',
  is_room_aide: 'boolean',
} as const;

for (const target of await targets({ after })) {
  const { user, other, path, prefix } = target;
  const api = user.api;
  const room = await target.makeRoom();
  const at = (name: string | number = '') => path(room, name);
  const numbers: number[] = [];
  for (const subject of ['one', 'two', 'three', 'four']) {
    numbers.push(await post(target, room, `marmalade ${subject}`, { query: `?subj=${subject}` }));
  }
  const list = (selector: string) => jsonOf<number[]>(api(at() + selector));

  describe(target.name, () => {
    holds('rooms 1', 'a floor has num, name and refcount', async () => {
      for (const floor of await jsonOf<unknown[]>(api('f/'))) {
        assertFields(floor, { num: 'number', name: 'string', refcount: 'number' });
      }
    });

    holds('rooms 2', 'f and r redirect to their slash forms with 308', async () => {
      for (const one of ['f', 'r', 'u']) {
        for (const query of ['', '?a=%20']) {
          const response = await api(one + query);
          assert.deepEqual([response.status, response.headers.get('location')], [308, `${prefix}${one}/${query}`]);
        }
      }
    });

    holds('rooms 3', 'an entry of the room list has its fields', async () => {
      for (const entry of await jsonOf<unknown[]>(api('r/'))) {
        assertFields(entry, { name: 'string', floor: 'number', rorder: 'number', known: 'boolean' });
        assertFields(entry, { hasnewmsgs: 'boolean', current_view: 'number', default_view: 'number', mtime: 'number' });
        assertFields(entry, { ...FLAGS, is_zapped: 'boolean' });
      }
    });

    holds('rooms 4', 'a room has its fields', async () => {
      const info = await jsonOf(api(at()));
      assertFields(info, { name: 'string', current_view: 'number', default_view: 'number', new_messages: 'number' });
      assertFields(info, { total_messages: 'number', last_seen: 'number', is_trash_folder: 'boolean' });
      assertFields(info, { can_delete_messages: 'boolean', room_mtime: 'number', floor: 'number', ...FLAGS });
      assertFields(info, { highest_msgnum: 'number', has_info: 'boolean' });
      assert.equal(info.total_messages, numbers.length);
      assert.equal(info.highest_msgnum, numbers.at(-1));
    });

    holds('rooms 5', 'info.txt is text, and 404 where the room has no banner', async () => {
      await problemOf(api(at('info.txt')), 404);
      await api(at('info.txt'), { method: 'PUT', body: 'Grüße' });
      const response = await api(at('info.txt'));
      assert.equal(response.headers.get('content-type'), 'text/plain; charset=utf-8');
      assert.equal((await response.text()).trim(), 'Grüße');
      await api(at('info.txt'), { method: 'DELETE' });
    });

    holds('rooms 6', 'stat has name and room_mtime', async () => {
      assertFields(await jsonOf(api(at('stat'))), { name: 'string', room_mtime: 'number' });
    });

    holds('rooms 7', 'msgs.all and msgs.new are ascending arrays of numbers, msgs.old is the rest', async () => {
      await api(`${at('slrp')}?last=${numbers[1]}`);
      assert.deepEqual(await list('msgs.all'), numbers);
      assert.deepEqual(await list('msgs.new'), numbers.slice(2));
      assert.deepEqual(await list('msgs.old'), numbers.slice(0, 2));
    });

    holds('rooms 8', 'msgs.first|N, last|N, gt|N and lt|N, the bar encoded or bare', async () => {
      for (const bar of ['|', '%7C', '%7c']) {
        assert.deepEqual(await list(`msgs.first${bar}2`), numbers.slice(0, 2));
        assert.deepEqual(await list(`msgs.last${bar}2`), numbers.slice(2));
        assert.deepEqual(await list(`msgs.gt${bar}${numbers[2]}`), numbers.slice(3));
        assert.deepEqual(await list(`msgs.lt${bar}${numbers[1]}`), numbers.slice(0, 1));
        assert.deepEqual(await list(`msgs.last${bar}0`), []);
      }
    });

    holds('rooms 9', 'msgs.search|words searches the text', async (t) => {
      const { serv_fulltext_enabled: isIndexed } = await jsonOf(api('c/info'));
      if (!isIndexed) return t.skip('needs a room server with a full-text index');
      const found = await api(`${at()}msgs.search|marmalade%20three`);
      assert.match(found.headers.get('searched') ?? '', /^(all|from=\d+)$/);
      assert.deepEqual(await found.json(), [numbers[2]]);
    });

    holds('rooms 10', 'another selection is 400', async () => {
      for (const bad of [
        'msgs.',
        'msgs.odd',
        'msgs.all|1',
        'msgs.last',
        'msgs.last|x',
        'msgs.gt|-1',
        'msgs.search|',
        'msgs.last%257C2',
        'msgs.search|a%7Cb',
      ]) {
        await problemOf(api(at() + bad), 400);
      }
    });

    holds('rooms 11', 'mailbox is a dictionary of decoded records', async () => {
      const own = await target.makeRoom();
      await post(target, own, 'x', { query: '?subj=Gr%C3%BC%C3%9Fe' });
      const mailbox = await jsonOf<{ name: string; msgs: Record<string, unknown>[] }>(api(path(own, 'mailbox')));
      assertFields(mailbox, { name: 'string', total_messages: 'number', new_messages: 'number', msgs: 'array' });
      const [row] = mailbox.msgs;
      assertFields(row, { msgnum: 'number', time: 'number', author: 'string', addr: 'string', subject: 'string' });
      assertFields(row, { msgidhash: 'number', references: 'array', seen: 'boolean' });
      assert.equal(row!.subject, 'Grüße');
    });

    holds('rooms 12', 'mailbox takes after and limit', async () => {
      const msgs = async (query: string) => {
        const mailbox = await jsonOf<{ msgs: { msgnum: number }[] }>(api(`${at('mailbox')}${query}`));
        return mailbox.msgs.map(({ msgnum }) => msgnum);
      };
      assert.deepEqual(await msgs(`?after=${numbers[0]}&limit=2`), numbers.slice(1, 3));
      await problemOf(api(`${at('mailbox')}?limit=x`), 400);
    });

    holds('rooms 13', 'a password-protected room takes its password in X-Room-Password', async (t) => {
      if (!other) return t.skip('needs a second account');
      const locked = await target.makeRoom({ kind: 'password', password: 'sesame' });
      const send = (value?: string) => other.api(path(locked), { headers: value ? { 'x-room-password': value } : {} });
      assert.deepEqual(await statusesOf([undefined, 'wrong', 'sesame'], send), [403, 403, 200]);
    });

    holds('rooms 14', 'slrp is 204', async () => {
      for (const last of [numbers[0], 'HIGHEST']) {
        assert.equal((await api(`${at('slrp')}?last=${last}`)).status, 204);
      }
    });

    holds('rooms 15', 'slrp without a positive whole number is 400, and nothing is changed', async () => {
      await api(`${at('slrp')}?last=${numbers[1]}`);
      for (const query of ['', '?last=', '?last=0', '?last=-1', '?last=1.5', '?last=x', '?last=highest']) {
        await problemOf(api(at('slrp') + query), 400);
      }
      assert.equal((await jsonOf(api(at()))).last_seen, numbers[1]);
    });

    holds('rooms 16', 'after slrp, msgs.new lists nothing up to that message', async () => {
      await api(at(numbers[0]!), { method: 'PATCH', ...json({ seen: false }) });
      await api(`${at('slrp')}?last=${numbers[2]}`);
      assert.deepEqual(await list('msgs.new'), numbers.slice(3));
    });

    holds('rooms 17', '_MAIL_, _TRASH_, _SENT_, _DRAFTS_ and _BASEROOM_ reach rooms', async () => {
      const names = ['_MAIL_', '_TRASH_', '_SENT_', '_DRAFTS_', '_BASEROOM_'];
      for (const name of names) assertFields(await jsonOf(api(path(name))), { name: 'string' });
      assert.equal((await jsonOf(api(path('_MAIL_')))).is_mailbox, true);
    });

    holds('rooms 18', 'the flags tell of what kind a room is', async () => {
      const NONE = { is_private: false, is_guessname: false, is_password_protected: false };
      for (const [kind, flags] of Object.entries({
        public: {},
        guessname: { is_private: true, is_guessname: true },
        password: { is_private: true, is_password_protected: true },
        invitation: { is_private: true },
      })) {
        const made = await target.makeRoom({ kind, ...(kind === 'password' && { password: 'sesame' }) });
        const info = await jsonOf(api(path(made)));
        const entry = (await jsonOf<Record<string, unknown>[]>(api('r/'))).find(({ name }) => name === made);
        for (const [flag, isSet] of Object.entries({ ...NONE, ...flags })) {
          assert.deepEqual([info[flag], entry?.[flag]], [isSet, isSet], `${flag} of a ${kind} room`);
        }
      }
      assert.equal((await jsonOf(api(at()))).is_room_aide, true);
    });

    holds('rooms 19', 'has_info tells whether there is a banner', async () => {
      assert.equal((await jsonOf(api(at()))).has_info, false);
      await api(at('info.txt'), { method: 'PUT', body: 'A banner' });
      assert.equal((await jsonOf(api(at()))).has_info, true);
      await api(at('info.txt'), { method: 'DELETE' });
    });

    holds('rooms 20', 'lists hold what the caller may enter only', async (t) => {
      if (!other) return t.skip('needs a second account');
      const names = (await jsonOf<{ name: string }[]>(other.api('r/'))).map(({ name }) => name);
      assert.ok(names.includes(target.publicRoom) && !names.includes(room));
      await problemOf(other.api(at()), 404);
    });

    holds('rooms 22', 'a room is an Atom feed, 304 while nothing has changed, for who may read it', async () => {
      const feed = await api(at('feed'));
      assert.deepEqual([feed.status, feed.headers.get('content-type')], [200, 'application/atom+xml; charset=utf-8']);
      const text = await feed.text();
      assert.match(
        text,
        /^<\?xml version="1\.0" encoding="utf-8"\?>\s*<feed xmlns="http:\/\/www\.w3\.org\/2005\/Atom">/,
      );
      for (const tag of ['id', 'title', 'updated', 'entry']) assert.ok(text.includes(`<${tag}>`), tag);
      const headers = { 'if-none-match': feed.headers.get('etag')! };
      assert.equal((await api(at('feed'), { headers })).status, 304);
      await problemOf(api(path(`${room} none`, 'feed')), 404);
      await problemOf(target.nobody(`${at('feed')}?user=${user.name}&token=wrong`), 401);
    });

    holds('rooms 21', 'every path, href and Location of a room with an odd name is encoded once', async () => {
      const name = `ä/% ?#&<"'>+ ${room.slice(-12)}`;
      await target.makeRoom({ name });
      const number = await post(target, name);
      const put = await api(path(name, 'ö %41.txt'), { method: 'PUT', body: 'x' });
      assert.match(put.headers.get('location')!, new RegExp(`^${path(name)}\\d+$`));
      const list = await (await api('r/', { method: 'PROPFIND', headers: { depth: '1' } })).text();
      assert.ok(list.includes(`<D:href>${path(name)}</D:href>`), list);
      const members = await (await api(path(name), { method: 'PROPFIND', headers: { depth: '1' } })).text();
      for (const one of [path(name), path(name, number), path(name, 'ö %41.txt')]) {
        assert.ok(members.includes(`<D:href>${one}</D:href>`), members);
      }
      const itself = await (await api(path(name, 'ö %41.txt'), { method: 'PROPFIND' })).text();
      assert.ok(itself.includes(`<D:href>${path(name, 'ö %41.txt')}</D:href>`), itself);
      const back = await api(path(room, numbers[0]), { method: 'COPY', headers: { destination: path(name) } });
      assert.equal(back.headers.get('location'), path(name, numbers[0]));
    });
  });
}
