// Messages: content, JSON, parts, posting, deleting, moving.

import assert from 'node:assert/strict';
import { after, describe } from 'node:test';
import { assertFields, holds, json, jsonOf, post, problemOf, targets } from '../../support/conformance.ts';

interface Part {
  partnum: string;
  filename: string;
}

const HTML = [
  '<p onclick="x()">Hello</p><script>alert(1)</script><form action="/x"><input></form>',
  '<img src="https://elsewhere.example/a.png"><img src="cid:pic@x">',
].join('');

/** HTML with a picture of its own, beside a file with a part inside */
const MAIL = [
  '--m',
  'Content-Type: multipart/related; boundary=r',
  '',
  '--r',
  'Content-Type: text/html; charset=utf-8',
  '',
  HTML,
  '--r',
  'Content-Type: image/png',
  'Content-ID: <pic@x>',
  'Content-Disposition: inline; filename="p.png"',
  'Content-Transfer-Encoding: base64',
  '',
  'iVBORw0KGgo=',
  '--r--',
  '--m',
  'Content-Type: text/csv',
  'Content-Disposition: attachment; filename="a.csv"',
  '',
  'a,b',
  '--m--',
  '',
].join('\r\n');

for (const target of await targets({ after })) {
  const { user, path, prefix } = target;
  const api = user.api;
  const room = await target.makeRoom();
  const at = (name: string | number = '') => path(room, name);
  const textOf = async (name: string | number) => (await api(at(name))).text();
  const all = (of = room) => jsonOf<number[]>(api(path(of, 'msgs.all')));
  const mail = await post(target, room, MAIL, { type: 'multipart/mixed; boundary=m', query: '?subj=mail' });
  const put = (name: string, body: string | Uint8Array, headers: Record<string, string> = {}) =>
    api(at(name), { method: 'PUT', body, headers });

  describe(target.name, () => {
    holds('messages 1', 'content has its own type, ETag and Last-Modified, and can never run here', async () => {
      const number = await post(target, room, '<b>x</b>', { type: 'text/html; charset=utf-8' });
      const { headers } = await api(at(number));
      assert.equal(headers.get('content-type'), 'text/html; charset=utf-8');
      assert.equal(headers.get('etag'), `"${number}"`);
      assert.ok(Date.parse(headers.get('last-modified')!) > 0);
      assert.equal(headers.get('content-security-policy'), "sandbox; default-src 'none'; frame-ancestors 'self'");
      assert.equal(headers.get('x-content-type-options'), 'nosniff');
    });

    holds('messages 2', 'Accept: message/rfc822 and ?format=rfc822 give the message with its headers', async () => {
      const byAccept = await api(at(mail), { headers: { accept: 'message/rfc822' } });
      const byQuery = await api(`${at(mail)}?format=rfc822`);
      assert.equal(byAccept.headers.get('content-type'), 'message/rfc822');
      const text = await byQuery.text();
      assert.equal(await byAccept.text(), text);
      const others = ['*/*', 'text/html', 'message/rfc822;q=0, */*', 'message/rfc822;q=0.1, multipart/mixed'];
      for (const accept of others) {
        const content = await api(at(mail), { headers: { accept } });
        assert.match(content.headers.get('content-type')!, /^multipart\/mixed/, accept);
        assert.match(content.headers.get('vary')!, /\bAccept\b/);
        assert.notEqual(content.headers.get('etag'), byQuery.headers.get('etag'));
        await content.arrayBuffer();
      }
      await problemOf(api(`${at(mail)}?format=pdf`), 400);
      assert.match(text, /^Subject: mail\r?$/im);
    });

    holds('messages 3', 'the JSON of a message has its fields, absent ones are absent', async () => {
      const message = await jsonOf(api(`${at(mail)}/json`));
      assertFields(message, { msgnum: 'number', msgn: 'string', time: 'number', from: 'string', room: 'string' });
      assertFields(message, {
        subj: 'string',
        seen: 'boolean',
        content_type: 'string',
        parts: 'array',
        text: 'string',
      });
      assert.ok(!('wefw' in message) && !('cccc' in message) && !('unsubscribe' in message));
      assert.equal(message.locl, true, 'written on this server');
      const part = (message.parts as Part[]).find(({ filename }) => filename === 'a.csv');
      assertFields(part, { partnum: 'string', disposition: 'string', content_type: 'string', charset: 'string' });
      assertFields(part, { content_length: 'number', content_id: 'string' });
    });

    holds('messages 4', 'text is safe HTML: no script, handler, form or remote load', async () => {
      const { text } = await jsonOf<{ text: string }>(api(`${at(mail)}/json`));
      assert.match(text, /Hello/);
      assert.doesNotMatch(text, /<script|onclick|<form|<input|alert|elsewhere\.example/);
      const { text: remote } = await jsonOf<{ text: string }>(api(`${at(mail)}/json?remote=1`));
      assert.match(remote, /https:\/\/elsewhere\.example\/a\.png/);
      assert.doesNotMatch(remote, /<script|onclick|<form/);
    });

    holds('messages 5', 'cid: images are rewritten to the URLs of their parts', async () => {
      const { text } = await jsonOf<{ text: string }>(api(`${at(mail)}/json`));
      const url = new RegExp(`src="(${prefix}r/[^"]+)"`).exec(text)?.[1];
      assert.ok(url, text);
      assert.equal((await api(url)).headers.get('content-type'), 'image/png');
    });

    holds('messages 6', 'plain text becomes HTML with links; ?text=plain gives plain text', async () => {
      const number = await post(target, room, 'a < b, see https://example.org/x');
      const { text } = await jsonOf<{ text: string }>(api(`${at(number)}/json`));
      assert.match(text, /a &lt; b, see <a [^>]*href="https:\/\/example\.org\/x"/);
      const { text: plain } = await jsonOf<{ text: string }>(api(`${at(number)}/json?text=plain`));
      assert.equal(plain.trim(), 'a < b, see https://example.org/x');
    });

    holds('messages 7', 'parts have type, disposition and dotted numbers', async () => {
      const { parts } = await jsonOf<{ parts: Part[] }>(api(`${at(mail)}/json`));
      const numberOf = (name: string) => parts.find(({ filename }) => filename === name)!.partnum;
      assert.match(numberOf('p.png'), /^\d+\.\d+$/);
      const picture = await api(`${at(mail)}/${numberOf('p.png')}`);
      assert.deepEqual(Buffer.from(await picture.arrayBuffer()), Buffer.from('iVBORw0KGgo=', 'base64'));
      const file = await api(`${at(mail)}/${numberOf('a.csv')}`);
      assert.match(file.headers.get('content-type')!, /^text\/csv/);
      assert.match(file.headers.get('content-disposition')!, /^attachment; filename="?a\.csv/);
      await problemOf(api(`${at(mail)}/99`), 404);
    });

    holds(
      'messages 8',
      'in a calendar a message is named by its UID, with or without .ics, or by its number',
      async () => {
        const calendar = await target.makeRoom({ view: 3 });
        const uid = `${room.slice(-12)}-a@b`;
        const event = ['BEGIN:VEVENT', `UID:${uid}`, 'DTSTART:20300101T120000Z', 'SUMMARY:x', 'END:VEVENT'];
        const body = ['BEGIN:VCALENDAR', 'VERSION:2.0', 'PRODID:x', ...event, 'END:VCALENDAR', ''].join('\r\n');
        const number = await post(target, calendar, body, { name: `${uid}.ics`, type: 'text/calendar' });
        for (const name of [uid, `${uid}.ics`, number]) {
          assert.match(await (await api(path(calendar, name))).text(), /SUMMARY:x/, String(name));
        }
      },
    );

    holds('messages 9', 'PUT is 201 with ETag and Location, 204 where it replaces', async () => {
      const first = await put('a b.txt', 'first');
      const number = /^"(\d+)"$/.exec(first.headers.get('etag')!)![1]!;
      assert.deepEqual([first.status, first.headers.get('location')], [201, at(number)]);
      const second = await put('a b.txt', 'second');
      assert.equal(second.status, 204);
      assert.notEqual(second.headers.get('etag'), first.headers.get('etag'));
      assert.equal(await textOf('a b.txt'), 'second');
      assert.equal((await api(at(number))).status, 404);
    });

    holds('messages 10', 'PUT takes recipients: mailto, mailcc, mailbcc', async (t) => {
      if (!target.other) return t.skip('needs a second account');
      const { name, api: theirs } = target.other;
      const query = `?subj=mail%20${room.slice(-6)}&mailto=${name}&mailcc=${user.name}`;
      const number = await post(target, '_MAIL_', 'mail', { query });
      const { msgs } = await jsonOf<{ msgs: { subject: string; msgnum: number }[] }>(theirs(path('_MAIL_', 'mailbox')));
      const arrived = msgs.find(({ subject }) => subject === `mail ${room.slice(-6)}`);
      assert.ok(arrived);
      const { rcpt } = await jsonOf<{ rcpt: string[] }>(theirs(`${path('_MAIL_', arrived.msgnum)}/json`));
      assert.match(rcpt.join(), new RegExp(name, 'i'));
      await theirs(path('_MAIL_', arrived.msgnum), { method: 'DELETE' });
      for (const box of ['_MAIL_', '_SENT_']) await api(path(box, number), { method: 'DELETE' });
    });

    holds('messages 11', 'att attaches uploads; with an unknown ref nothing is posted', async () => {
      const [{ ref }] = await jsonOf<[{ ref: string }]>(api('p?filename=a.txt', { method: 'POST', body: 'file' }), 201);
      const number = await post(target, room, 'see it', { query: `?att=${ref}` });
      const { parts } = await jsonOf<{ parts: Part[] }>(api(`${at(number)}/json`));
      assert.ok(parts.some(({ filename }) => filename === 'a.txt'));
      const before = await all();
      await problemOf(api(`${at('new')}?att=${ref}!${'x'.repeat(22)}`, { method: 'PUT', body: 'x' }), 400);
      assert.deepEqual(await all(), before);
      await api(`p/${ref}`, { method: 'DELETE' });
    });

    holds('messages 12', 'an empty message is 400, and nothing is posted', async () => {
      const before = await all();
      await problemOf(put('new', ''), 400);
      assert.deepEqual(await all(), before);
    });

    holds('messages 13', 'what is PUT is what is GOT, byte for byte', async () => {
      const long = 'x'.repeat(5000);
      const texts = [
        'line\n000\nline\n',
        'bare\rCR\r\n',
        'NUL\0',
        '\xff\xfe 8-bit \x80',
        long,
        '.\n..\n',
        ' \n\t\n',
        'no end',
      ];
      const every = Uint8Array.from({ length: 256 }, (_, i) => i);
      const cases: [Uint8Array, string][] = texts.map((text) => [Buffer.from(text, 'latin1'), 'text/plain']);
      cases.push([every, 'application/octet-stream'], [Buffer.from('Grüße 🌱\n'), 'text/html; charset=utf-8']);
      for (const [body, type] of cases) {
        const response = await api(at(await post(target, room, body, { type })));
        const name = JSON.stringify(Buffer.from(body).toString('latin1').slice(0, 20));
        assert.deepEqual(Buffer.from(await response.arrayBuffer()), Buffer.from(body), name);
      }
    });

    holds('messages 14', 'DELETE is 204, 404 where there is no such message', async () => {
      const number = await post(target, room);
      assert.equal((await api(at(number), { method: 'DELETE' })).status, 204);
      await problemOf(api(at(number), { method: 'DELETE' }), 404);
    });

    holds('messages 15', 'DELETE is 403 where the caller may not', async (t) => {
      const info = await jsonOf(api(path(target.publicRoom)));
      if (info.can_delete_messages) return t.skip('needs a room in which the account may not delete');
      const [number] = await jsonOf<number[]>(api(path(target.publicRoom, 'msgs.last|1')));
      if (number === undefined) return t.skip(`needs a message in ${target.publicRoom}`);
      await problemOf(api(path(target.publicRoom, number), { method: 'DELETE' }), 403);
      assert.equal((await api(path(target.publicRoom, number))).status, 200);
    });

    holds('messages 16', 'MOVE and COPY are 201 with Location, by absolute path or URL', async () => {
      const elsewhere = await target.makeRoom();
      const number = await post(target, room);
      const send = (method: string, destination: string) => api(at(number), { method, headers: { destination } });
      const copied = await send('COPY', path(elsewhere));
      assert.deepEqual([copied.status, copied.headers.get('location')], [201, path(elsewhere, number)]);
      assert.equal((await api(path(elsewhere, number), { method: 'DELETE' })).status, 204);
      const moved = await send('MOVE', new URL(path(elsewhere), target.url).href);
      assert.deepEqual([moved.status, moved.headers.get('location')], [201, path(elsewhere, number)]);
      assert.deepEqual(await all(elsewhere), [number]);
    });

    holds('messages 17', 'MOVE is 204 where it replaces, 412 with Overwrite: F', async () => {
      const elsewhere = await target.makeRoom();
      const existing = await post(target, elsewhere, 'old', { name: 'same.txt' });
      const number = await post(target, room, 'new', { name: 'same.txt' });
      const send = (headers: Record<string, string>) =>
        api(at(number), { method: 'MOVE', headers: { destination: path(elsewhere, 'same.txt'), ...headers } });
      await problemOf(send({ overwrite: 'F' }), 412);
      assert.deepEqual(await all(elsewhere), [existing]);
      assert.equal((await send({})).status, 204);
      assert.equal(await (await api(path(elsewhere, 'same.txt'))).text(), 'new');
    });

    holds(
      'messages 18',
      'a Destination that is missing or unreadable is 400, on another host 502, no room 409',
      async () => {
        const number = await post(target, room);
        const send = (headers: Record<string, string>) => api(at(number), { method: 'MOVE', headers });
        await problemOf(send({}), 400);
        for (const destination of ['r/x/', `${prefix}f/`, '::']) await problemOf(send({ destination }), 400);
        await problemOf(send({ destination: `http://elsewhere.example${at()}` }), 502);
        await problemOf(send({ destination: path(`${room} none`) }), 409);
        assert.equal(await textOf(number), 'text');
      },
    );

    holds('messages 19', 'PATCH sets the read mark', async () => {
      const number = await post(target, room);
      for (const seen of [true, false]) {
        assert.equal((await api(at(number), { method: 'PATCH', ...json({ seen }) })).status, 204);
        assert.equal((await jsonOf(api(`${at(number)}/json`))).seen, seen);
      }
    });

    holds('messages 20', 'a message may be kept, for it never changes, but by its reader alone', async () => {
      for (const one of [at(mail), `${at(mail)}/1.1`, `${at(mail)}?format=rfc822`]) {
        const { headers } = await api(one, { method: 'HEAD' });
        assert.match(headers.get('cache-control')!, /^private, max-age=[1-9]\d*, immutable$/, one);
        for (const name of ['Cookie', 'Authorization']) assert.match(headers.get('vary')!, new RegExp(name), one);
      }
    });

    holds('messages 21', 'a part can never run here either', async () => {
      const { parts } = await jsonOf<{ parts: Part[] }>(api(`${at(mail)}/json`));
      for (const { partnum } of parts) {
        const { status, headers } = await api(`${at(mail)}/${partnum}`);
        assert.deepEqual(
          [status, headers.get('content-security-policy'), headers.get('x-content-type-options')],
          [200, "sandbox; default-src 'none'; frame-ancestors 'self'", 'nosniff'],
        );
      }
    });

    holds(
      'messages 22',
      'the JSON names references and recipients; blind copies are nobody else’s business',
      async (t) => {
        if (!target.other) return t.skip('needs a second account');
        const { name } = target.other;
        const subject = `copies ${room.slice(-6)}`;
        const recipients = `mailto=${user.name}&mailcc=${user.name}&mailbcc=${name}`;
        const query = `?subj=${encodeURIComponent(subject)}&wefw=a@x!b@x&${recipients}`;
        const number = await post(target, '_MAIL_', 'mail', { query });
        const message = await jsonOf(api(`${path('_MAIL_', number)}/json`));
        assertFields(message, { rcpt: 'array', cccc: 'array', wefw: 'string', rfca: 'string' });
        assert.deepEqual(String(message.wefw).split(/[|!]/), ['a@x', 'b@x']);
        assert.doesNotMatch(JSON.stringify(message), new RegExp(`\\b${name}\\b`, 'i'));
        const theirs = await jsonOf<{ msgs: { subject: string; msgnum: number }[] }>(
          target.other.api(path('_MAIL_', 'mailbox')),
        );
        const arrived = theirs.msgs.find((one) => one.subject === subject);
        assert.ok(arrived, 'it arrives all the same');
        await target.other.api(path('_MAIL_', arrived.msgnum), { method: 'DELETE' });
        for (const box of ['_MAIL_', '_SENT_']) await api(path(box, number), { method: 'DELETE' });
      },
    );

    holds('messages 23', 'an upload of another user cannot be attached, and nothing is posted', async (t) => {
      if (!target.other) return t.skip('needs a second account');
      const [{ ref }] = await jsonOf<[{ ref: string }]>(target.other.api('p', { method: 'POST', body: 'theirs' }), 201);
      const before = await all();
      await problemOf(api(`${at('new')}?att=${ref}`, { method: 'PUT', body: 'x' }), 400);
      assert.deepEqual(await all(), before);
      await target.other.api(`p/${ref}`, { method: 'DELETE' });
    });

    holds('messages 24', 'a contact is named by its UID, with or without .vcf', async () => {
      const contacts = await target.makeRoom({ view: 2 });
      const uid = `${room.slice(-12)}-c@d`;
      const body = ['BEGIN:VCARD', 'VERSION:3.0', `UID:${uid}`, 'FN:Ann', 'N:;Ann;;;', 'END:VCARD', ''].join('\r\n');
      const number = await post(target, contacts, body, { name: `${uid}.vcf`, type: 'text/vcard' });
      for (const name of [uid, `${uid}.vcf`, number]) {
        assert.match(await (await api(path(contacts, name))).text(), /FN:Ann/, String(name));
      }
      assert.equal((await jsonOf(api(`${path(contacts, number)}/json`))).exti, uid);
      const again = await api(path(contacts, `${uid}.vcf`), {
        method: 'PUT',
        body,
        headers: { 'content-type': 'text/vcard' },
      });
      assert.equal(again.status, 204, 'the same UID replaces');
      assert.equal((await all(contacts)).length, 1);
    });

    holds('messages 25', 'a part of a message cannot be PUT: 400, and nothing is changed', async () => {
      const before = await all();
      await problemOf(put('new', 'x', { 'content-range': 'bytes 0-0/10' }), 400);
      await problemOf(put('new', 'x', { 'content-type': 'nonsense' }), 400);
      await problemOf(put('new', 'x', { 'content-encoding': 'gzip' }), 415);
      assert.deepEqual(await all(), before);
    });

    holds(
      'messages 26',
      'a message that is not there cannot be moved: 404; who may not take it away: 403',
      async (t) => {
        const headers = { destination: path(await target.makeRoom()) };
        await problemOf(api(at(999_999_999), { method: 'MOVE', headers }), 404);
        const info = await jsonOf(api(path(target.publicRoom)));
        const [number] = await jsonOf<number[]>(api(path(target.publicRoom, 'msgs.last|1')));
        if (info.can_delete_messages || number === undefined) return t.skip('needs a message that must not be deleted');
        await problemOf(api(path(target.publicRoom, number), { method: 'MOVE', headers }), 403);
        assert.equal((await api(path(target.publicRoom, number))).status, 200);
      },
    );

    holds('messages 27', 'COPY respects Overwrite: F too, and both respect If-Match', async () => {
      const elsewhere = await target.makeRoom();
      const existing = await post(target, elsewhere, 'old', { name: 'copy.txt' });
      const number = await post(target, room, 'new', { name: 'copy.txt' });
      const send = (method: string, headers: Record<string, string>) =>
        api(at(number), { method, headers: { destination: path(elsewhere, 'copy.txt'), ...headers } });
      await problemOf(send('COPY', { overwrite: 'F' }), 412);
      for (const method of ['COPY', 'MOVE']) await problemOf(send(method, { 'if-match': '"0"' }), 412);
      assert.deepEqual(await all(elsewhere), [existing]);
      assert.equal((await send('COPY', { overwrite: 'T' })).status, 204);
      assert.equal(await textOf(number), 'new', 'it is still here');
    });

    holds('messages 28', 'a page of a wiki has a history, and each version can be read', async (t) => {
      const wiki = await target.makeRoom({ view: 6 });
      const bodies = ['<a href="other%20page">one</a>', '<p>two</p>'];
      for (const body of bodies) {
        const init = { method: 'PUT', body, headers: { 'content-type': 'text/html' } };
        assert.ok((await api(path(wiki, 'home'), init)).status < 300);
      }
      const at = `${path(wiki, 'home')}/history`;
      const versions = await jsonOf<Record<string, unknown>[]>(api(at));
      if (versions.length !== 2 && !target.isOwn) return t.skip('needs a room server that keeps histories');
      for (const each of versions) assertFields(each, { version: 'string', time: 'number', from: 'string' });
      const contents: string[] = [];
      for (const { version } of versions) contents.push(await (await api(`${at}/${version}`)).text());
      assert.deepEqual(contents, ['<p>two</p>', '<a href="other%20page">one</a>']);
      const shown = await jsonOf(api(`${at}/${versions[1]!.version}/json`));
      assert.equal(String(shown.text).trim(), `<a href="${path(wiki, 'other page')}">one</a>`);
      await problemOf(api(`${at}/none`), 404);
      await problemOf(api(`${path(wiki, 'nowhere')}/history`), 404);
    });
  });
}
