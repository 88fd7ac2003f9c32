// Requests that are broken, too large, from another site, or break off: a clear 4xx, and nothing is lost or half-done.

import assert from 'node:assert/strict';
import { once } from 'node:events';
import { readdir } from 'node:fs/promises';
import { connect } from 'node:net';
import { join } from 'node:path';
import { after, describe, it } from 'node:test';
import { MAX_BODY_BYTES, MAX_PARTS, MAX_PICTURE_BYTES, MAX_SMALL_BODY_BYTES } from '../../src/limits/http.ts';
import { eventually } from '../support/eventually.ts';
import { basic, startGateway, withCookie } from '../support/gateway.ts';
import { rawRequest, sendRaw } from '../support/raw-http.ts';

const gateway = await startGateway({ after }, { demo: true });
const { api } = gateway;
const alice = gateway.as('alice');
const square = 'r/Town%20Square';
const AUTHORIZATION = `Authorization: ${basic('alice')}`;

async function messages(): Promise<number[]> {
  return (await (await alice(`${square}/msgs.all`)).json()) as number[];
}

/** Files in the folders of uploads and of bodies under way. */
async function leftovers(): Promise<string[]> {
  const found: string[] = [];
  for (const folder of ['spool', 'fleet/uploads']) {
    const entries = await readdir(join(gateway.dataFolder, folder), { recursive: true, withFileTypes: true });
    for (const entry of entries) if (entry.isFile()) found.push(join(entry.parentPath, entry.name));
  }
  return found;
}

describe('a Destination', () => {
  it('is needed, readable, and on this server', async () => {
    const [number] = await messages();
    const wrong: [string | undefined, number][] = [
      [undefined, 400],
      ['', 400],
      ['Mail', 400],
      ['svc/r/Mail/', 400],
      ['/svc/r/', 400],
      ['/svc/r', 400],
      ['/svc/p/x', 400],
      ['/other/r/Mail/', 400],
      ['/svc/r/Mail/1/2', 409],
      ['/svc/r/Mail/?x=1', 400],
      ['/svc/r/Mail/#x', 400],
      ['ftp://x/svc/r/Mail/', 400],
      ['http://', 400],
      ['http://elsewhere.example/svc/r/Mail/', 502],
      ['http://127.0.0.1:1/svc/r/Mail/', 502],
      ['//elsewhere.example/svc/r/Mail/', 400],
    ];
    for (const [destination, status] of wrong) {
      for (const method of ['MOVE', 'COPY']) {
        const headers: Record<string, string> = destination === undefined ? {} : { destination };
        const response = await alice(`${square}/${number}`, { method, headers });
        assert.equal(response.status, status, `${method} to ${destination}`);
      }
    }
    assert.equal((await messages())[0], number);
  });
});

describe('a form with files', () => {
  const form = (body: string, type = 'multipart/form-data; boundary=b') =>
    alice('p', { method: 'POST', headers: { 'content-type': type }, body });
  const file = '--b\r\nContent-Disposition: form-data; name="f"; filename="a.txt"\r\n\r\nthe first file\r\n';

  it('that cannot be read is refused, and nothing of it stays', async () => {
    const wrong = [
      '',
      'nonsense',
      '--b--\r\n',
      file,
      `${file}--b`,
      `${file}--b\r\nContent-Disposition: form-data; name="g"; filename="b.txt"\r\n\r\ncut of`,
      `${file}--b\r\nno header at all\r\n\r\nx\r\n--b--\r\n`,
      '--b\r\nContent-Disposition: form-data; name="f"\r\n\r\nonly a field\r\n--b--\r\n',
    ];
    const tooMuch = [
      `${file}--b\r\nContent-Disposition: form-data; name="g"; filename="b.txt"\r\nX: ${'x'.repeat(20_000)}\r\n\r\n` +
        'x\r\n--b--\r\n',
      `${file}--b\r\nContent-Disposition: form-data; name="g"; filename="b.txt"\r\n${'X: x\r\n'.repeat(5000)}`,
      `${file}${'--b\r\nContent-Disposition: form-data; name="g"\r\n\r\nx\r\n'.repeat(MAX_PARTS)}--b--\r\n`,
    ];
    for (const [status, bodies] of [
      [400, wrong],
      [413, tooMuch],
    ] as const) {
      for (const body of bodies) {
        assert.equal((await form(body)).status, status, body.slice(-40));
        assert.deepEqual(await leftovers(), [], body.slice(-40));
      }
    }
    for (const type of [
      'multipart/form-data',
      'multipart/form-data; boundary=',
      `multipart/form-data; boundary=${'b'.repeat(71)}`,
    ]) {
      assert.equal((await form(`${file}--b--\r\n`, type)).status, 400, type);
    }
    assert.deepEqual(await leftovers(), []);
  });

  it('that breaks off leaves nothing', async () => {
    const head = rawRequest('POST', '/svc/p', [
      AUTHORIZATION,
      'Content-Type: multipart/form-data; boundary=b',
      'Content-Length: 1000000',
    ]);
    const cut = file.slice(0, file.indexOf('the first'));
    await breakOff(Buffer.concat([head, Buffer.from(file + cut), Buffer.alloc(200_000, 'x')]), async () => {
      await eventually(async () => (await leftovers()).length >= 3, true); // one is whole, one on its way
    });
    await eventually(leftovers, []); // the end of a connection is noticed a moment later
  });
});

describe('a PUT that breaks off', () => {
  for (const [kind, field] of [
    ['of known length', 'Content-Length: 5000000'],
    ['in chunks', 'Transfer-Encoding: chunked'],
  ] as const) {
    it(`leaves no message and no file: ${kind}`, async () => {
      const before = await messages();
      const head = rawRequest('PUT', `/svc/${square}/new`, [AUTHORIZATION, field, 'Content-Type: text/plain']);
      const piece = Buffer.alloc(0x80000, 'line\n');
      await breakOff(
        Buffer.concat([head, Buffer.from(field.startsWith('Transfer') ? '80000\r\n' : ''), piece]),
        async () => {
          await eventually(async () => (await leftovers()).length, 1); // the body is on its way
        },
      );
      await eventually(leftovers, []);
      assert.deepEqual(await messages(), before);
    });
  }
});

describe('a body over its limit', () => {
  it('is refused at once when it says so', async () => {
    for (const [method, path] of [
      ['PUT', `${square}/new`],
      ['POST', 'p'],
    ] as const) {
      const length = [`Content-Length: ${MAX_BODY_BYTES + 1}`, 'Content-Type: text/plain'];
      const { status, body } = await sendRaw(
        gateway.url,
        rawRequest(method, `/svc/${path}`, [AUTHORIZATION, ...length]),
      );
      assert.equal(status, 413, path);
      assert.match(body, /"status":413/);
    }
    const absurd = rawRequest('PUT', `/svc/${square}/new`, [AUTHORIZATION, 'Content-Length: 99999999999999999999']);
    assert.ok([400, 413].includes((await sendRaw(gateway.url, absurd)).status));
  });

  it('is refused when it turns out to be', async () => {
    const picture = (bytes: number) =>
      alice('u/alice/userpic', { method: 'PUT', headers: { 'content-type': 'image/png' }, body: inChunks(bytes) });
    assert.equal((await picture(MAX_PICTURE_BYTES)).status, 204);
    assert.equal((await picture(MAX_PICTURE_BYTES + 1)).status, 413);
    const login = (bytes: number) => api('a/login', { method: 'POST', body: inChunks(bytes) });
    assert.equal((await login(MAX_SMALL_BODY_BYTES)).status, 400, 'it is no name and password');
    assert.equal((await login(MAX_SMALL_BODY_BYTES + 1)).status, 413);
    assert.deepEqual(await leftovers(), []);
  });

  it('is refused in a coding', async () => {
    const headers = { 'content-encoding': 'gzip', 'content-type': 'text/plain' };
    const before = await messages();
    assert.equal((await alice(`${square}/new`, { method: 'PUT', headers, body: 'x' })).status, 415);
    assert.deepEqual(await messages(), before);
  });
});

describe('a request that is too large', () => {
  it('is refused for its headers and its address', async () => {
    const status = async (bytes: Buffer) => (await sendRaw(gateway.url, bytes)).status;
    assert.equal(await status(rawRequest('GET', '/svc/r/', [`X-Long: ${'x'.repeat(20_000)}`])), 431);
    const many = Array.from({ length: 200 }, (_, i) => `X-${i}: x`);
    assert.equal(await status(rawRequest('GET', '/svc/r/', many)), 431);
    assert.equal(await status(rawRequest('GET', `/svc/r/${'x'.repeat(9000)}/`)), 414);
    assert.equal(await status(rawRequest('GET', `/${'x/'.repeat(100)}`)), 400);
    for (const path of ['a/biff', 'r/Lobby/mailbox', 's/landing.html']) {
      assert.equal(await status(rawRequest('GET', `/svc/${path}?${'a&'.repeat(200)}`, [AUTHORIZATION])), 400, path);
    }
    assert.equal(await status(Buffer.from('nonsense\r\n\r\n')), 400);
    assert.equal(await status(rawRequest('BREW', '/svc/r/')), 501);
  });
});

describe('a request from another site that carries the cookie', () => {
  const foreign: Record<string, string>[] = [
    { 'sec-fetch-site': 'cross-site' },
    { 'sec-fetch-site': 'same-site' },
    { origin: 'https://elsewhere.example' },
    { origin: 'null' },
  ];

  it('changes nothing', async () => {
    const mine = await withCookie(gateway, 'alice');
    const before = await messages();
    const last = before.at(-1)!;
    const { last_seen } = (await (await mine(`${square}/`)).json()) as { last_seen: number };
    for (const headers of foreign) {
      const requests: [string, string, Record<string, string>?][] = [
        ['PUT', `${square}/new`],
        ['DELETE', `${square}/${last}`],
        ['MOVE', `${square}/${last}`, { destination: '/svc/r/Mail/' }],
        ['COPY', `${square}/${last}`, { destination: '/svc/r/Mail/' }],
        ['POST', 'p?filename=x'],
        ['PUT', 'u/alice/userpic', { 'content-type': 'image/png' }],
        ['GET', `${square}/slrp?last=${last}`],
        ['POST', 'a/logout'],
        ['GET', 'a/logout'],
      ];
      for (const [method, path, more] of requests) {
        const body = method === 'GET' ? {} : { body: 'text' };
        const response = await mine(path, { method, headers: { ...headers, ...more }, ...body });
        assert.equal(response.status, 403, `${method} ${path} ${JSON.stringify(headers)}`);
      }
      const login = { method: 'POST', headers: { ...headers, 'content-type': 'text/plain' }, body: 'bob|bob' };
      assert.equal((await api('a/login', login)).status, 403, 'nor logs the visitor in as somebody else');
    }
    assert.deepEqual(await messages(), before);
    assert.deepEqual(await leftovers(), []);
    const now = (await (await mine(`${square}/`)).json()) as { last_seen: number };
    assert.equal(now.last_seen, last_seen);
  });

  it('may read, and our own pages may do everything', async () => {
    const mine = await withCookie(gateway, 'alice');
    const own = [{ 'sec-fetch-site': 'same-origin' }, { origin: gateway.url.slice(0, -1) }, {}];
    for (const headers of own as Record<string, string>[]) {
      assert.equal((await mine(`${square}/new`, { method: 'PUT', headers, body: 'text' })).status, 201);
    }
    assert.equal((await mine('r/', { headers: foreign[0]! })).status, 200);
  });
});

it('has logged no fault', () => {
  assert.deepEqual(gateway.faults, []);
});

/** Sends the beginning of a request, and goes away when `meanwhile` is done. */
async function breakOff(bytes: Buffer, meanwhile?: () => Promise<void>): Promise<void> {
  const { hostname, port } = new URL(gateway.url);
  const socket = connect(Number(port), hostname);
  await once(socket, 'connect');
  await new Promise<void>((resolve) => void socket.write(bytes, () => resolve()));
  await meanwhile?.();
  socket.destroy();
}

async function* inChunks(bytes: number): AsyncGenerator<Buffer> {
  for (let left = bytes; left > 0; left -= 100_000) yield Buffer.alloc(Math.min(left, 100_000), 'x');
}
