// Reading messages and their parts.

import assert from 'node:assert/strict';
import { after, describe, it } from 'node:test';
import { MAX_RENDERED_SOURCE_BYTES } from '../../../src/limits/mime.ts';
import { type Api, postedNumber, startBoth } from '../../support/gateway.ts';

type Fields = Record<string, unknown>;

const users = [{ name: 'carol', password: 'carol' }];
const square = 'r/Town%20Square';

for (const [name, gateway] of await startBoth({ after }, { demo: true, users })) {
  const alice = gateway.as('alice');
  const bob = gateway.as('bob');
  const put = (path: string, body: string, type = 'text/plain; charset=utf-8') =>
    alice(path, { method: 'PUT', headers: { 'content-type': type }, body });
  const post = async (query: string, body: string, type?: string) =>
    `${square}/${postedNumber(await put(`${square}/new${query}`, body, type))}`;

  describe(`reading a message on ${name}`, () => {
    it('gives its content, that can never run in our origin', async () => {
      const path = await post('', '<script>alert(1)</script>', 'text/html; charset=utf-8');
      const response = await alice(path);
      assert.equal(response.status, 200);
      assert.equal(await response.text(), '<script>alert(1)</script>');
      const { headers } = response;
      assert.equal(headers.get('content-type'), 'text/html; charset=utf-8');
      assert.equal(headers.get('content-security-policy'), "sandbox; default-src 'none'; frame-ancestors 'self'");
      assert.equal(headers.get('x-content-type-options'), 'nosniff');
      assert.equal(headers.get('etag'), `"${path.split('/').at(-1)}"`);
      assert.match(headers.get('cache-control')!, /private.*immutable/);
      assert.equal(headers.get('vary'), 'Accept, Authorization, Cookie, Sec-Fetch-Dest');
      assert.ok(Math.abs(Date.parse(headers.get('last-modified')!) - Date.now()) < 60_000);
    });

    it('tells the names of files that only their types have, whatever these names hold', async () => {
      const hostile = 'x"},{"number":"400","name":"y';
      const part = (file: string) =>
        `--b\nContent-Type: application/x-a; name="${file.replaceAll('"', '\\"')}"\n\nsome bytes\n`;
      const files = Array.from({ length: 400 }, (_, i) => part(i < 3 ? hostile : `file-${i + 1}.bin`));
      const path = await post('', `${files.join('')}--b--\n`, 'multipart/mixed; boundary=b');
      for (const number of [2, 4, 400]) {
        const answer = await alice(`${path}/${number}`);
        await answer.text();
        const said = answer.headers.get('content-disposition')!;
        assert.ok(said.includes(number === 2 ? 'number' : `file-${number}.bin`), `${number}: ${said}`);
      }
    });

    it('tells the name of a file behind what is looked at of a message', async () => {
      const long = `--b\nContent-Type: text/plain\n\n${'a line of text\n'.repeat(MAX_RENDERED_SOURCE_BYTES / 10)}`;
      const file = '--b\nContent-Type: application/x-a; name="last.bin"\n\nsome bytes\n--b--\n';
      const path = await post('', long + file, 'multipart/mixed; boundary=b');
      const answer = await alice(`${path}/2`);
      assert.equal((await answer.text()).trim(), 'some bytes');
      assert.match(answer.headers.get('content-disposition')!, /last\.bin/);
    });

    it('answers HEAD, conditions and ranges', async () => {
      const path = await post('', 'hello\nrange\n');
      const head = await alice(path, { method: 'HEAD' });
      assert.deepEqual([head.status, head.headers.get('content-length')], [200, '12']);
      const etag = head.headers.get('etag')!;
      const unchanged = await alice(path, { headers: { 'if-none-match': etag } });
      assert.deepEqual([unchanged.status, unchanged.headers.get('etag')], [304, etag]);
      assert.equal((await alice(path, { headers: { 'if-match': '"1"' } })).status, 412);
      const part = await alice(path, { headers: { range: 'bytes=6-10' } });
      assert.deepEqual(
        [part.status, part.headers.get('content-range'), await part.text()],
        [206, 'bytes 6-10/12', 'range'],
      );
      const tail = await alice(path, { headers: { range: 'bytes=-1' } });
      assert.deepEqual([tail.status, await tail.text()], [206, '\n']);
      assert.equal((await alice(path, { headers: { range: 'bytes=12-' } })).status, 416);
    });

    it('gives ranges of a large message and of a multipart', async () => {
      const large = 'abcdefghij'.repeat(30_000);
      const multipart = '--b\n\nthe first part\n--b--\n';
      for (const [body, type] of [
        [large, 'application/octet-stream'],
        [multipart, 'multipart/mixed; boundary=b'],
      ] as const) {
        const path = await post('', body, type);
        const part = await alice(path, { headers: { range: 'bytes=5-19' } });
        assert.deepEqual([part.status, await part.text()], [206, body.slice(5, 20)], type);
        const tail = await alice(path, { headers: { range: `bytes=${body.length - 4}-` } });
        assert.deepEqual([tail.status, await tail.text()], [206, body.slice(-4)], type);
        const head = await alice(path, { method: 'HEAD' });
        assert.equal(head.headers.get('content-length'), String(body.length), type);
        assert.equal(await (await alice(path)).text(), body, 'the connection is still good');
      }
    });

    it('gives it with its headers', async () => {
      const path = await post('?subj=Gr%C3%BC%C3%9Fe', 'hello\n');
      for (const response of [
        await alice(path, { headers: { accept: 'message/rfc822' } }),
        await alice(`${path}?format=rfc822`),
      ]) {
        assert.equal(response.headers.get('content-type'), 'message/rfc822');
        const text = await response.text();
        assert.match(text, /^From: .*alice/im);
        assert.match(text, /^Subject: =\?utf-8\?/im);
        assert.match(text, /\r\n\r\nhello\r\n$/);
      }
      assert.equal((await alice(`${path}?format=other`)).status, 400);
    });

    it('gives a message that was put as content, not the one around it, to who asks for that type', async () => {
      const letter = 'Subject: inner\r\n\r\nhello\r\n';
      const path = await post('?subj=outer', letter, 'message/rfc822');
      assert.equal(await (await alice(path, { headers: { accept: 'message/rfc822' } })).text(), letter);
      assert.match(await (await alice(`${path}?format=rfc822`)).text(), /^Subject: outer\r$/m);
    });

    it('gives the parts of a multipart, nested ones too', async () => {
      const body = [
        '--outer',
        'Content-Type: multipart/alternative; boundary=inner',
        '',
        '--inner',
        'Content-Type: text/plain',
        '',
        'as text',
        '--inner',
        'Content-Type: text/html',
        '',
        '<b>as page</b><img src="cid:pic@here">',
        '--inner--',
        '--outer',
        'Content-Type: image/png; name="p.png"',
        'Content-ID: <pic@here>',
        'Content-Transfer-Encoding: base64',
        'Content-Disposition: attachment; filename="p.png"',
        '',
        'iVBORw0KGgo=',
        '--outer--',
        '',
      ].join('\n');
      const path = await post('', body, 'multipart/mixed; boundary=outer');
      const { parts, text } = await json(alice, `${path}/json`);
      const attached = (parts as Fields[]).find((part) => part.filename === 'p.png')!;
      assert.deepEqual([attached.content_type, attached.disposition], ['image/png', 'attachment']);
      const response = await alice(`${path}/${attached.partnum}`);
      assert.equal(response.headers.get('content-type'), 'image/png');
      assert.match(response.headers.get('content-disposition')!, /^attachment; filename="?p\.png"?/);
      assert.match(response.headers.get('cache-control')!, /immutable/);
      assert.deepEqual(Buffer.from(await response.arrayBuffer()), Buffer.from('iVBORw0KGgo=', 'base64'));
      assert.match(await (await alice(`${path}/1.1`)).text(), /^as text\s*$/);
      assert.equal((await alice(`${path}/1.2`)).headers.get('content-type'), 'text/html');
      const source = /<img[^>]* src="([^"]+)"/.exec(String(text))?.[1];
      assert.ok(source, 'the image is shown from a part');
      const image = await alice(source.replaceAll('&amp;', '&'));
      assert.equal(image.status, 200);
      assert.equal(image.headers.get('content-type'), 'image/png');
      for (const wrong of ['9', '1.9', 'x', '0']) assert.equal((await alice(`${path}/${wrong}`)).status, 404, wrong);
    });

    it('knows no other messages', async () => {
      const mail = (await json(bob, 'r/Mail/msgs.last%7C1')) as unknown as number[];
      for (const path of ['999999', '0', 'no-number', `${mail[0]}`, '99999999999999999999']) {
        for (const form of ['', '/json', '/1']) {
          assert.equal((await alice(`${square}/${path}${form}`)).status, 404, `${path}${form}`);
        }
      }
    });
  });
}

async function json(api: Api, path: string): Promise<Fields> {
  const response = await api(path);
  assert.equal(response.status, 200, path);
  return (await response.json()) as Fields;
}
