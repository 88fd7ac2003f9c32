// The endpoint table of the interface's first description, row by row, and its three rules.

import assert from 'node:assert/strict';
import { after, describe } from 'node:test';
import { assertFields, holds, json, jsonOf, post, targets } from '../../support/conformance.ts';

const PNG = Buffer.from(
  'iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAYAAAAfFcSJAAAADUlEQVR42mNk+M9QDwADhgGAWjR9awAAAABJRU5ErkJggg==',
  'base64',
);

interface Upload {
  uploadfilename: string;
  contenttype: string;
  ref: string;
  contentlength: number;
}

for (const target of await targets({ after })) {
  const { user, nobody, path, prefix } = target;
  const api = user.api;
  const room = await target.makeRoom();
  const at = (name: string | number = '') => path(room, name);
  const upload = async (body: string) => {
    const form = new FormData();
    form.append('file', new Blob([body], { type: 'text/plain' }), 'a.txt');
    const packed = new Response(form);
    const headers = { 'content-type': packed.headers.get('content-type')! };
    const sent = api('p', { method: 'POST', headers, body: new Uint8Array(await packed.arrayBuffer()) });
    return jsonOf<Upload[]>(sent, 201);
  };

  describe(target.name, () => {
    holds('row 1', 'GET / redirects to the landing page', async () => {
      const response = await nobody('/');
      assert.equal(response.status, 302);
      assert.ok(response.headers.get('location'));
    });

    holds('row 2', 'GET a/landing.html is the landing page', async () => {
      const response = await nobody('a/landing.html');
      assert.equal(response.status, 200);
      assert.match(response.headers.get('content-type')!, /^text\/html/);
    });

    holds('row 3', 'GET f/ is a JSON list of the accessible floors', async () => {
      const floors = await jsonOf<unknown[]>(api('f/'));
      assert.ok(floors.length > 0);
    });

    holds('row 4', 'GET r/ is a JSON list of the accessible rooms', async () => {
      const names = (await jsonOf<{ name: string }[]>(api('r/'))).map(({ name }) => name);
      assert.ok(names.includes(room));
    });

    holds('row 5', 'OPTIONS r/<roomname>/ answers as usual', async () => {
      const response = await api(at(), { method: 'OPTIONS' });
      assert.equal(response.status, 200);
      assert.match(response.headers.get('allow')!, /\bGET\b.*\bOPTIONS\b.*\bPROPFIND\b/);
    });

    holds('row 6', 'PROPFIND r/<roomname>/ is a DAV property listing of the room', async () => {
      const number = await post(target, room);
      const response = await api(at(), { method: 'PROPFIND', headers: { depth: '1' } });
      assert.equal(response.status, 207);
      assert.match(response.headers.get('content-type')!, /^application\/xml/);
      const text = await response.text();
      assert.ok(text.includes(`<D:href>${at()}</D:href>`) && text.includes(`<D:href>${at(number)}</D:href>`));
    });

    holds('row 7', 'GET r/<roomname>/ is JSON information about the room', async () => {
      const info = await jsonOf(api(at()));
      assertFields(info, { name: 'string', current_view: 'number' });
      assert.equal(info.name, room);
    });

    holds('row 8', 'GET r/<roomname>/info.txt is the banner', async () => {
      assert.equal((await api(at('info.txt'), { method: 'PUT', body: 'A banner' })).status, 204);
      assert.equal((await (await api(at('info.txt'))).text()).trim(), 'A banner');
    });

    holds('row 9', 'GET r/<roomname>/msgs.all is the message list', async () => {
      const number = await post(target, room);
      assert.ok((await jsonOf<number[]>(api(at('msgs.all')))).includes(number));
    });

    holds('row 10', 'GET r/<roomname>/msgs.new is the list of new messages', async () => {
      await api(`${at('slrp')}?last=HIGHEST`);
      const number = await post(target, room);
      assert.deepEqual(await jsonOf(api(at('msgs.new'))), [number]);
    });

    holds('row 11', 'GET r/<roomname>/mailbox is a JSON dictionary', async () => {
      assertFields(await jsonOf(api(at('mailbox'))), { msgs: 'array' });
    });

    holds('row 12', 'GET r/<roomname>/stat has name and modification time', async () => {
      const stat = await jsonOf(api(at('stat')));
      assert.equal(stat.name, room);
      assertFields(stat, { room_mtime: 'number' });
    });

    holds('row 13', 'GET r/<roomname>/<msgnum> is the content of the message', async () => {
      const number = await post(target, room, 'the content');
      assert.equal(await (await api(at(number))).text(), 'the content');
    });

    holds('row 14', 'GET r/<roomname>/<msgnum>/json is the message in JSON', async () => {
      const number = await post(target, room, 'in JSON');
      const message = await jsonOf(api(`${at(number)}/json`));
      assert.equal(message.msgnum, number);
      assert.match(String(message.text), /in JSON/);
    });

    holds('row 15', 'GET r/<roomname>/<msgnum>/<part> is a MIME component', async () => {
      const body =
        '--b\r\nContent-Type: text/plain\r\n\r\none\r\n--b\r\nContent-Type: text/x-two\r\n\r\ntwo\r\n--b--\r\n';
      const number = await post(target, room, body, { type: 'multipart/mixed; boundary=b' });
      const response = await api(`${at(number)}/2`);
      assert.match(response.headers.get('content-type')!, /^text\/x-two/);
      assert.equal((await response.text()).trim(), 'two');
    });

    holds('row 16', 'DELETE r/<roomname>/<msgnum> deletes the message', async () => {
      const number = await post(target, room);
      assert.equal((await api(at(number), { method: 'DELETE' })).status, 204);
      assert.ok(!(await jsonOf<number[]>(api(at('msgs.all')))).includes(number));
    });

    holds('row 17', 'MOVE r/<roomname>/<msgnum> moves the message to another room', async () => {
      const number = await post(target, room);
      const elsewhere = await target.makeRoom();
      const headers = { destination: path(elsewhere) };
      assert.equal((await api(at(number), { method: 'MOVE', headers })).status, 201);
      assert.deepEqual(await jsonOf(api(path(elsewhere, 'msgs.all'))), [number]);
      assert.equal((await api(at(number))).status, 404);
    });

    holds('row 18', 'PUT r/<roomname>/<xxx> inserts a message, with wefw and subj', async () => {
      const number = await post(target, room, 'answer', { name: 'xxx', query: '?subj=Re%3A%20it&wefw=one@x!two@x' });
      const message = await jsonOf(api(`${at(number)}/json`));
      assert.equal(message.subj, 'Re: it');
      assert.deepEqual(String(message.wefw).split('|'), ['one@x', 'two@x']);
    });

    holds('row 19', 'GET r/<roomname>/slrp sets the Last Read Pointer', async () => {
      const number = await post(target, room);
      assert.equal((await api(`${at('slrp')}?last=${number}`)).status, 204);
      assert.equal((await jsonOf(api(at()))).last_seen, number);
    });

    holds('row 20', 'GET c/info is the INFO of the server', async () => {
      assertFields(await jsonOf(api('c/info')), { serv_software: 'string', serv_humannode: 'string' });
    });

    holds('row 21', 'POST a/login logs the caller in', async () => {
      const credentials = { username: user.name, password: user.password };
      const response = await nobody('a/login', { method: 'POST', ...json(credentials) });
      assert.equal(response.status, 200);
      assert.equal(response.headers.getSetCookie().length, 1);
    });

    holds('row 22', 'GET a/whoami is the identity of the caller', async () => {
      const { username } = await jsonOf<{ username: string }>(api('a/whoami'));
      assert.equal(username.toLowerCase(), user.name.toLowerCase());
    });

    holds('row 23', 'GET a/biff is the check for new mail', async () => {
      assertFields(await jsonOf(api('a/biff')), { new: 'number' });
    });

    holds('row 24', 'GET u/<username>/userpic is an image', async (t) => {
      const picture = `u/${encodeURIComponent(user.name)}/userpic`;
      if (target.isOwn) await api(picture, { method: 'PUT', body: PNG, headers: { 'content-type': 'image/png' } });
      const response = await api(picture);
      if (!target.isOwn && response.status === 404) return t.skip('needs an account that has a picture');
      assert.equal(response.status, 200);
      assert.match(response.headers.get('content-type')!, /^image\//);
    });

    holds('row 25', 'GET s/<path> is static content', async () => {
      const response = await nobody('s/landing.html');
      assert.equal(response.status, 200);
      assert.match(response.headers.get('content-type')!, /^text\/html/);
    });

    holds('row 26', 'GET /.well-known/<path> is static content', async (t) => {
      if (!target.hasSite) return t.skip('needs a static folder of the site');
      assert.equal(await (await nobody('/.well-known/here.txt')).text(), 'here');
    });

    holds('row 27', 'POST p takes files and answers their records', async () => {
      const [{ ref, ...record }] = (await upload('a file')) as [Upload];
      assert.deepEqual(record, { uploadfilename: 'a.txt', contenttype: 'text/plain', contentlength: 6 });
      await api(`p/${ref}`, { method: 'DELETE' });
    });

    holds('row 28', 'GET p/<id> is the stored item', async () => {
      const [{ ref }] = (await upload('a file')) as [Upload];
      assert.equal(await (await api(`p/${ref}`)).text(), 'a file');
      await api(`p/${ref}`, { method: 'DELETE' });
    });

    holds('row 29', 'DELETE p/<id> deletes the stored item', async () => {
      const [{ ref }] = (await upload('a file')) as [Upload];
      assert.equal((await api(`p/${ref}`, { method: 'DELETE' })).status, 204);
      assert.equal((await api(`p/${ref}`)).status, 404);
    });

    holds('row 30', 'GET p/ and a message reference loads its attachments', async () => {
      const [{ ref }] = (await upload('attached')) as [Upload];
      const number = await post(target, room, 'see it', { query: `?att=${ref}` });
      const records = await jsonOf<Upload[]>(api(at(number).replace(`${prefix}r/`, `${prefix}p/`)));
      assert.deepEqual(
        records.map((record) => [record.uploadfilename, record.contentlength]),
        [['a.txt', 8]],
      );
      for (const one of [ref, records[0]!.ref]) await api(`p/${one}`, { method: 'DELETE' });
    });

    holds('rule 1', 'GET slrp changes state although it is a GET', async () => {
      const number = await post(target, room);
      const before = (await jsonOf(api(at()))).last_seen;
      await api(`${at('slrp')}?last=${number}`);
      assert.notEqual((await jsonOf(api(at()))).last_seen, before);
    });

    holds('rule 2', 'the ETag of a PUT is the number of the new message', async () => {
      const put = await api(at('new'), { method: 'PUT', body: 'x' });
      const numbers = await jsonOf<number[]>(api(at('msgs.all')));
      assert.equal(put.headers.get('etag'), `"${numbers.at(-1)}"`);
    });

    holds('rule 3', 'refs of uploads are made by the service', async () => {
      const [first] = await upload('a');
      const [second] = await upload('a');
      assert.notEqual(first!.ref, second!.ref);
      for (const { ref } of [first!, second!]) {
        assert.equal((await api(`p/${ref.slice(0, -1)}`)).status, 404, 'part of one is none');
        await api(`p/${ref}`, { method: 'DELETE' });
      }
    });
  });
}
