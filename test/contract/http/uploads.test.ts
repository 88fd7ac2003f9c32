// Uploads: files sent ahead.

import assert from 'node:assert/strict';
import { after, describe } from 'node:test';
import { assertFields, holds, jsonOf, post, problemOf, targets } from '../../support/conformance.ts';
import type { Init } from '../../support/raw-http.ts';

interface Upload {
  uploadfilename: string;
  contenttype: string;
  ref: string;
  contentlength: number;
}

for (const target of await targets({ after })) {
  const { user, path, prefix } = target;
  const api = user.api;
  const room = await target.makeRoom();
  const remove = async (records: readonly Upload[]) => {
    for (const { ref } of records) await api(`p/${ref}`, { method: 'DELETE' });
  };
  const send = (where: string, init: Init) => jsonOf<Upload[]>(api(where, { method: 'POST', ...init }), 201);

  describe(target.name, () => {
    holds('uploads 1', 'a form with any number of files is 201 with their records', async () => {
      const form = new FormData();
      form.append('file', new Blob(['first'], { type: 'text/plain' }), 'C:\\dir\\grün.txt');
      form.append('file', new Blob([new Uint8Array([0, 255])]), '../b.bin');
      const packed = new Response(form);
      const headers = { 'content-type': packed.headers.get('content-type')! };
      const records = await send('p', { headers, body: new Uint8Array(await packed.arrayBuffer()) });
      for (const one of records) {
        assertFields(one, { uploadfilename: 'string', contenttype: 'string', ref: 'string', contentlength: 'number' });
      }
      assert.deepEqual(
        records.map((one) => [one.uploadfilename, one.contenttype, one.contentlength]),
        [
          ['grün.txt', 'text/plain', 5],
          ['b.bin', 'application/octet-stream', 2],
        ],
      );
      await remove(records);
    });

    holds(
      'uploads 2',
      'any other body is one file, named by Content-Disposition or ?filename=, also at p/',
      async () => {
        const headers = { 'content-type': 'text/csv', 'content-disposition': 'attachment; filename="a.csv"' };
        const records = [
          ...(await send('p/', { headers, body: 'a,b' })),
          ...(await send('p?filename=b%20c.txt', { body: 'x' })),
        ];
        assert.deepEqual(
          records.map((one) => one.uploadfilename),
          ['a.csv', 'b c.txt'],
        );
        await remove(records);
      },
    );

    holds('uploads 3', 'refs hold 128 random bits or more', async () => {
      const records = [...(await send('p', { body: 'x' })), ...(await send('p', { body: 'x' }))];
      for (const { ref } of records) assert.match(ref, /^[\w-]{22,}$/);
      assert.notEqual(records[0]!.ref.slice(0, 8), records[1]!.ref.slice(0, 8));
      await remove(records);
    });

    holds('uploads 4', 'GET is the file as an attachment, HEAD and Range included', async () => {
      const records = await send('p?filename=gr%C3%BC%C3%9Fe.html', {
        body: '0123456789',
        headers: { 'content-type': 'text/html' },
      });
      const at = `p/${records[0]!.ref}`;
      const response = await api(at);
      assert.equal(response.headers.get('content-type'), 'text/html');
      assert.match(response.headers.get('content-disposition')!, /^attachment; .*filename\*=utf-8''gr%C3%BC%C3%9Fe/i);
      assert.equal(await response.text(), '0123456789');
      assert.equal((await api(at, { method: 'HEAD' })).headers.get('content-length'), '10');
      assert.equal(await (await api(at, { headers: { range: 'bytes=7-' } })).text(), '789');
      await remove(records);
    });

    holds('uploads 5', 'another user’s ref and an unknown one are 404 alike', async (t) => {
      if (!target.other) return t.skip('needs a second account');
      const records = await send('p', { body: 'mine' });
      const { request_id: _, ...foreign } = await problemOf(target.other.api(`p/${records[0]!.ref}`), 404);
      const { request_id: __, ...unknown } = await problemOf(target.other.api(`p/${'x'.repeat(22)}`), 404);
      assert.deepEqual(foreign, unknown);
      assert.equal((await target.other.api(`p/${records[0]!.ref}`, { method: 'DELETE' })).status, 404);
      await remove(records);
    });

    holds('uploads 6', 'DELETE is 204, and then the ref is unknown', async () => {
      const [{ ref }] = (await send('p', { body: 'x' })) as [Upload];
      assert.equal((await api(`p/${ref}`, { method: 'DELETE' })).status, 204);
      for (const method of ['GET', 'DELETE']) await problemOf(api(`p/${ref}`, { method }), 404);
    });

    holds(
      'uploads 7',
      'a message’s attachments become uploads, at p/<room>/<msgnum> and p/r/<room>/<msgnum>',
      async () => {
        const sent = await send('p?filename=a.txt', { body: 'attached' });
        const number = await post(target, room, 'see it', { query: `?att=${sent[0]!.ref}` });
        const reference = path(room, number).slice(`${prefix}r/`.length);
        for (const at of [`p/${reference}`, `p/r/${reference}`]) {
          const records = await jsonOf<Upload[]>(api(at));
          assert.deepEqual(
            records.map(({ uploadfilename, contentlength }) => [uploadfilename, contentlength]),
            [['a.txt', 8]],
          );
          assert.equal(await (await api(`p/${records[0]!.ref}`)).text(), 'attached');
          await remove(records);
        }
        await remove(sent);
      },
    );

    holds('uploads 8', 'names have no path and no control characters, and are never empty', async () => {
      const names = {
        'a%01%7Fb.txt': 'ab.txt',
        '%2Fetc%2Fpasswd': 'passwd',
        '..': 'file',
        'a%5Cb.txt': 'b.txt',
        '': 'file',
      };
      for (const [sent, kept] of Object.entries(names)) {
        const records = await send(`p?filename=${sent}`, { body: 'x' });
        assert.equal(records[0]!.uploadfilename, kept);
        await remove(records);
      }
    });

    holds('uploads 9', 'a form without a file, cut off or without a boundary is 400', async () => {
      const type = 'multipart/form-data; boundary=b';
      const part = (more: string) => `--b\r\nContent-Disposition: form-data; name="f"${more}\r\n\r\nabc`;
      const cases = [
        [type, `${part('')}\r\n--b--\r\n`],
        [type, part('; filename="a"')],
        ['multipart/form-data', 'x'],
      ];
      for (const [contentType = '', body = ''] of cases) {
        const headers = { 'content-type': contentType };
        await problemOf(api('p', { method: 'POST', headers, body }), 400);
      }
    });

    holds('uploads 10', 'forwarding: attachments of one message go on in another, byte for byte', async () => {
      const bytes = Uint8Array.from({ length: 256 }, (_, i) => i);
      const sent = await send('p?filename=b.bin', { body: bytes });
      const first = await post(target, room, 'see it', { query: `?att=${sent[0]!.ref}` });
      const loaded = await jsonOf<Upload[]>(api(path(room, first).replace(`${prefix}r/`, `${prefix}p/`)));
      const query = `?subj=Fwd&att=${loaded.map(({ ref }) => ref).join('!')}`;
      const second = await post(target, room, 'forwarded', { query });
      const { parts } = await jsonOf<{ parts: { filename: string; partnum: string }[] }>(
        api(`${path(room, second)}/json`),
      );
      const { partnum } = parts.find(({ filename }) => filename === 'b.bin')!;
      const response = await api(`${path(room, second)}/${partnum}`);
      assert.deepEqual(new Uint8Array(await response.arrayBuffer()), bytes);
      await remove([...sent, ...loaded]);
    });

    holds('uploads 11', 'a message without attachments gives an empty array, one that is not there 404', async () => {
      const number = await post(target, room);
      const at = (name: string | number) => path(room, name).replace(`${prefix}r/`, `${prefix}p/`);
      assert.deepEqual(await jsonOf(api(at(number))), []);
      await problemOf(api(at(999_999_999)), 404);
    });

    holds('uploads 12', 'uploads need a log-in', async () => {
      for (const [method, one] of [
        ['POST', 'p'],
        ['GET', 'p/x'],
        ['DELETE', 'p/x'],
        ['GET', 'p/x/1'],
      ] as const) {
        await problemOf(target.nobody(one, { method, ...(method === 'POST' && { body: 'x' }) }), 401);
      }
    });
  });
}
