// Uploads: sending files ahead, using them as attachments, fetching and deleting them; and users' pictures.

import assert from 'node:assert/strict';
import { after, describe, it } from 'node:test';
import { MAX_MESSAGE_ATTACHMENTS } from '../../../src/limits/sessions.ts';
import { ADMIN_PASSWORD, type Api, postedNumber, startBoth, withCookie } from '../../support/gateway.ts';
import { randomFrom } from '../../support/random.ts';
import { noise } from '../bodies.ts';

interface Upload {
  uploadfilename: string;
  contenttype: string;
  ref: string;
  contentlength: number;
}

const square = 'r/Town%20Square';

for (const [name, gateway] of await startBoth({ after }, { demo: true })) {
  const alice = gateway.as('alice');
  const bob = gateway.as('bob');

  describe(`uploads on ${name}`, () => {
    it('take any number of files of a form', async () => {
      const form = new FormData();
      form.append('note', 'an ordinary field');
      form.append('file', new Blob(['first\r\nfile'], { type: 'text/plain' }), 'C:\\fakepath\\näme "1".txt');
      form.append('file', new Blob([new Uint8Array([0, 255, 13, 10])]), '../../etc/passwd');
      const records = await recordsOf(await sendForm(alice, form), 201);
      assert.deepEqual(
        records.map(({ ref, ...record }) => record),
        [
          { uploadfilename: 'näme "1".txt', contenttype: 'text/plain', contentlength: 11 },
          { uploadfilename: 'passwd', contenttype: 'application/octet-stream', contentlength: 4 },
        ],
      );
      for (const { ref } of records) assert.match(ref, /^[\w-]{22,}$/);
      assert.notEqual(records[0]!.ref, records[1]!.ref);
      assert.equal(await (await alice(`p/${records[0]!.ref}`)).text(), 'first\r\nfile');
    });

    it('take any other body as one file', async () => {
      const named = await send(alice, 'p?filename=a%20file.csv', 'a,b', { 'content-type': 'text/csv' });
      assert.deepEqual([named.uploadfilename, named.contenttype, named.contentlength], ['a file.csv', 'text/csv', 3]);
      const disposition = { 'content-disposition': 'attachment; filename="b.bin"' };
      const other = await send(alice, 'p/', 'xyz', disposition);
      assert.deepEqual([other.uploadfilename, other.contenttype], ['b.bin', 'application/octet-stream']);
      const empty = await send(alice, 'p?filename=empty', '');
      assert.equal(empty.contentlength, 0);
      assert.equal(await (await alice(`p/${empty.ref}`)).text(), '');
    });

    it('are given back as attachments, whole, in part, and as HEAD', async () => {
      const { ref } = await send(alice, 'p?filename=gr%C3%BC%C3%9Fe.html', '0123456789', {
        'content-type': 'text/html',
      });
      const response = await alice(`p/${ref}`);
      assert.equal(response.headers.get('content-type'), 'text/html');
      assert.match(
        response.headers.get('content-disposition')!,
        /^attachment; .*filename\*=utf-8''gr%C3%BC%C3%9Fe\.html/i,
      );
      assert.match(response.headers.get('content-security-policy')!, /sandbox/);
      assert.equal(await response.text(), '0123456789');
      const part = await alice(`p/${ref}`, { headers: { range: 'bytes=3-5' } });
      assert.deepEqual([part.status, await part.text()], [206, '345']);
      const head = await alice(`p/${ref}`, { method: 'HEAD' });
      assert.deepEqual([head.status, head.headers.get('content-length')], [200, '10']);
    });

    it('belong to who sent them', async () => {
      const { ref } = await send(alice, 'p?filename=mine', 'mine');
      const answers = [];
      for (const path of [`p/${ref}`, 'p/AAAAAAAAAAAAAAAAAAAAAA', 'p/x']) {
        for (const method of ['GET', 'DELETE']) {
          const response = await bob(path, { method });
          const { request_id, ...problem } = (await response.json()) as Record<string, unknown>;
          answers.push(problem);
        }
      }
      assert.equal(answers[0]!.status, 404);
      for (const answer of answers) assert.deepEqual(answer, answers[0], 'all alike');
      assert.equal((await alice(`p/${ref}`)).status, 200);
    });

    it('are closed to a session whose account has another password, or is gone', async () => {
      const admin = gateway.as('admin', ADMIN_PASSWORD);
      const json = { 'content-type': 'application/json' };
      const account = (password: string) => JSON.stringify({ username: 'mallory', password });
      assert.equal((await admin('u/', { method: 'POST', headers: json, body: account('old') })).status, 201);
      const mallory = await withCookie(gateway, 'mallory', 'old');
      const { ref } = await send(mallory, 'p?filename=x', 'x');
      const statuses = async () => [
        (await mallory(`p/${ref}`)).status,
        (await mallory('p?filename=y', { method: 'POST', body: 'y' })).status,
        (await mallory(`r/Lobby/new?att=${ref}`, { method: 'PUT', body: 'text' })).status,
        (await mallory(`p/${ref}`, { method: 'DELETE' })).status,
      ];
      const changed = { method: 'PATCH', headers: json, body: JSON.stringify({ password: 'new' }) };
      assert.equal((await admin('u/mallory/', changed)).status, 204);
      assert.deepEqual(await statuses(), [401, 401, 401, 401]);
      assert.equal((await admin('u/mallory/', { method: 'DELETE' })).status, 204);
      assert.deepEqual(await statuses(), [401, 401, 401, 401]);
    });

    it('are deleted once', async () => {
      const { ref } = await send(alice, 'p?filename=x', 'x');
      assert.equal((await alice(`p/${ref}`, { method: 'DELETE' })).status, 204);
      assert.equal((await alice(`p/${ref}`)).status, 404);
      assert.equal((await alice(`p/${ref}`, { method: 'DELETE' })).status, 404);
    });

    it('survive a restart', async () => {
      const { ref } = await send(alice, 'p?filename=x', 'still here');
      await gateway.restart();
      assert.equal(await (await alice(`p/${ref}`)).text(), 'still here');
    });
  });

  describe(`attachments on ${name}`, () => {
    it('go with a message and can be loaded again', async () => {
      const first = await send(alice, 'p?filename=%E6%97%A5%E6%9C%AC.txt', 'one', { 'content-type': 'text/plain' });
      const second = await send(alice, 'p?filename=b.png', '\x89PNG', { 'content-type': 'image/png' });
      const put = await alice(`${square}/new?att=${first.ref}!${second.ref}`, {
        method: 'PUT',
        headers: { 'content-type': 'text/plain; charset=utf-8' },
        body: 'two files',
      });
      const path = `${square}/${postedNumber(put)}`;
      const { parts, text } = (await (await alice(`${path}/json`)).json()) as {
        parts: Record<string, unknown>[];
        text: string;
      };
      assert.match(text, /two files/);
      assert.deepEqual(
        parts.map((part) => [part.partnum, part.filename, part.content_type, part.disposition]),
        [
          ['1', '', 'text/plain', ''],
          ['2', '日本.txt', 'text/plain', 'attachment'],
          ['3', 'b.png', 'image/png', 'attachment'],
        ],
      );
      assert.equal(await (await alice(`${path}/2`)).text(), 'one');
      const shapes = [`p/Town%20Square/${postedNumber(put)}`, `p/r/Town%20Square/${postedNumber(put)}`];
      for (const shape of shapes) {
        const loaded = await recordsOf(await bob(shape), 200);
        assert.deepEqual(
          loaded.map((record) => [record.uploadfilename, record.contenttype, record.contentlength]),
          [
            ['日本.txt', 'text/plain', 3],
            ['b.png', 'image/png', Buffer.byteLength('\x89PNG')],
          ],
        );
        assert.equal(await (await bob(`p/${loaded[0]!.ref}`)).text(), 'one');
      }
      assert.equal((await alice('p/Town%20Square/999999')).status, 404);
    });

    it('are forwarded: log in, load them, send them on, and the receiver has the same bytes', async () => {
      const files = [noise(randomFrom(7), 300_000), Buffer.from('line\r\n000\r\n\0\xff', 'latin1'), Buffer.alloc(0)];
      const refs: string[] = [];
      for (const [n, bytes] of files.entries()) {
        const body = new Uint8Array(bytes);
        refs.push((await send(alice, `p?filename=${n}.bin`, body, { 'content-type': 'image/x-any' })).ref);
      }
      const put = await alice(`${square}/new?att=${refs.join('!')}`, { method: 'PUT', body: 'see these' });
      const session = await withCookie(gateway, 'bob');
      const loaded = await recordsOf(await session(`p/Town%20Square/${postedNumber(put)}`), 200);
      const att = loaded.map(({ ref }) => ref).join('!');
      const mail = await session(`r/_MAIL_/new?subj=Fwd&mailto=alice&att=${att}`, { method: 'PUT', body: 'as I said' });
      const number = postedNumber(mail);
      const { parts, subj } = (await (await alice(`r/_MAIL_/${number}/json`)).json()) as {
        subj: string;
        parts: { partnum: string; filename: string; content_type: string; size: number }[];
      };
      assert.equal(subj, 'Fwd');
      assert.deepEqual(
        parts.slice(1).map(({ filename, content_type, size }) => [filename, content_type, size]),
        files.map((bytes, n) => [`${n}.bin`, 'image/x-any', bytes.length]),
      );
      for (const [n, bytes] of files.entries()) {
        const part = await alice(`r/_MAIL_/${number}/${parts[n + 1]!.partnum}`);
        assert.deepEqual(Buffer.from(await part.arrayBuffer()), bytes);
      }
    });

    it('that are unknown or of another user keep the message from being posted', async () => {
      const mine = await send(alice, 'p?filename=x', 'x');
      const before = await (await alice(`${square}/msgs.all`)).json();
      for (const [api, refs] of [
        [alice, 'unknown'],
        [alice, `${mine.ref}!unknown`],
        [bob, mine.ref],
      ] as const) {
        assert.equal((await api(`${square}/new?att=${refs}`, { method: 'PUT', body: 'text' })).status, 400, refs);
      }
      assert.deepEqual(await (await alice(`${square}/msgs.all`)).json(), before);
    });

    it('are so many and no more', async () => {
      const { ref } = await send(alice, 'p?filename=x', 'x');
      const put = (count: number) =>
        alice(`${square}/new?att=${new Array(count).fill(ref).join('!')}`, { method: 'PUT', body: 'text' });
      assert.equal((await put(MAX_MESSAGE_ATTACHMENTS + 1)).status, 400);
      const { parts } = (await (
        await alice(`${square}/${postedNumber(await put(MAX_MESSAGE_ATTACHMENTS))}/json`)
      ).json()) as { parts: unknown[] };
      assert.equal(parts.length, MAX_MESSAGE_ATTACHMENTS + 1);
    });

    it('are named by its subject or their kind where a message that was sent along has no name', async () => {
      const inner = (head: string) => `--b\nContent-Type: message/rfc822\n\n${head}\nhello\n`;
      const body = `--b\n\ntext\n${inner('Subject: inner\n')}${inner('From: bob@example.org\n')}--b--\n`;
      const headers = { 'content-type': 'multipart/mixed; boundary=b' };
      const number = postedNumber(await alice(`${square}/new`, { method: 'PUT', headers, body }));
      const loaded = (await (await alice(`p/Town%20Square/${number}`)).json()) as Upload[];
      assert.deepEqual(
        loaded.map(({ uploadfilename, contenttype }) => [uploadfilename, contenttype]),
        [
          ['inner.eml', 'message/rfc822'],
          ['message.eml', 'message/rfc822'],
        ],
      );
    });
  });

  describe(`pictures on ${name}`, () => {
    const png = Buffer.concat([Buffer.from('\x89PNG\r\n\x1a\n', 'latin1'), Buffer.alloc(5000, 'pixels\0\r\n000\n')]);

    it('are set by their owner and seen by others', async () => {
      const response = await alice('u/alice/userpic', {
        method: 'PUT',
        headers: { 'content-type': 'image/png' },
        body: png,
      });
      assert.equal(response.status, 204);
      const picture = await bob('u/Alice/userpic');
      assert.equal(picture.status, 200);
      assert.equal(picture.headers.get('content-type'), 'image/png');
      assert.deepEqual(Buffer.from(await picture.arrayBuffer()), png);
      const head = await bob('u/alice/userpic', { method: 'HEAD' });
      assert.deepEqual([head.status, head.headers.get('content-length')], [200, String(png.length)]);
      assert.equal((await bob('u/alice/userpic')).status, 200, 'the connection is still good after a HEAD');
    });

    it('are of nobody else', async () => {
      const init = { method: 'PUT', headers: { 'content-type': 'image/png' }, body: png };
      assert.equal((await bob('u/alice/userpic', init)).status, 403);
      assert.equal((await gateway.api('u/alice/userpic', init)).status, 401);
      const text = { ...init, headers: { 'content-type': 'text/html' } };
      assert.equal((await alice('u/alice/userpic', text)).status, 415);
    });

    it('are missing where there are none', async () => {
      for (const user of ['bob', 'nobody%20here']) assert.equal((await alice(`u/${user}/userpic`)).status, 404, user);
    });
  });
}

async function send(
  api: Api,
  path: string,
  body: string | Uint8Array<ArrayBuffer>,
  headers: Record<string, string> = {},
): Promise<Upload> {
  const [record] = await recordsOf(await api(path, { method: 'POST', headers, body }), 201);
  return record!;
}

async function sendForm(api: Api, form: FormData): Promise<Response> {
  const encoded = new Response(form);
  const body = new Uint8Array(await encoded.arrayBuffer());
  return api('p', { method: 'POST', headers: { 'content-type': encoded.headers.get('content-type')! }, body });
}

async function recordsOf(response: Response, status: number): Promise<Upload[]> {
  assert.equal(response.status, status);
  return (await response.json()) as Upload[];
}
