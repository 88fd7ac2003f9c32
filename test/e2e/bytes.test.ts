// What is PUT is what GET returns, byte for byte: on the embedded room server, and through a second gateway that
// reaches the first one's over the line protocol.

import assert from 'node:assert/strict';
import { after, describe, it } from 'node:test';
import { type Api, behindGateway, postedNumber, startGateway } from '../support/gateway.ts';
import { newSeed, randomFrom } from '../support/random.ts';
import { MULTIPART_TYPE, multipartBodies, noise, plainBodies } from './bodies.ts';

const MIB = 1024 * 1024;
const seed = newSeed();
const first = await startGateway({ after }, { demo: true, options: ['--line-listen', 'tcp://127.0.0.1:0'] });
const second = await behindGateway({ after }, first);
const gateways = { 'the embedded room server': first.as('alice'), 'a second gateway': second.as('alice') };

const ROOM = 'r/Town%20Square';
const TYPES = ['text/plain; charset=utf-8', 'text/html', 'application/octet-stream', undefined];

for (const [name, api] of Object.entries(gateways)) {
  describe(`on ${name}`, () => {
    for (const [kind, body] of Object.entries(plainBodies(seed))) {
      it(`keeps ${kind}`, async () => {
        for (const type of TYPES) {
          const stored = await get(api, await put(api, body, type));
          assert.equal(diff(stored.bytes, body), undefined, `as ${type}, seed ${seed}`);
          if (type !== undefined) assert.equal(stored.type, type);
        }
      });
    }

    for (const [kind, body] of Object.entries(multipartBodies())) {
      it(`keeps ${kind}`, async () => {
        const stored = await get(api, await put(api, body, MULTIPART_TYPE));
        assert.equal(diff(stored.bytes, body), undefined);
        assert.equal(stored.type, MULTIPART_TYPE);
      });
    }

    it('keeps 25 MiB of random bytes', async () => {
      const body = noise(randomFrom(seed), 25 * MIB);
      const stored = await get(api, await put(api, body, 'application/octet-stream'));
      assert.equal(diff(stored.bytes, body), undefined, `seed ${seed}`);
    });

    it('keeps uploads and attachments', async () => {
      for (const [kind, body] of Object.entries(plainBodies(seed))) {
        const ref = await upload(api, body);
        assert.equal(diff((await get(api, `p/${ref}`)).bytes, body), undefined, `upload: ${kind}, seed ${seed}`);
        const path = await put(api, Buffer.from('see the attachment\n'), 'text/plain', `?att=${ref}`);
        assert.equal(diff((await get(api, `${path}/2`)).bytes, body), undefined, `attachment: ${kind}, seed ${seed}`);
      }
    });

    it('keeps the text that an attachment goes with', async () => {
      const ref = await upload(api, Buffer.from('attached'));
      for (const [kind, body] of Object.entries(plainBodies(seed))) {
        const path = await put(api, body, 'text/plain; charset=utf-8', `?att=${ref}`);
        assert.equal(diff((await get(api, `${path}/1`)).bytes, body), undefined, `${kind}, seed ${seed}`);
      }
    });
  });
}

it('gives on one gateway what was put on the other', async () => {
  const there = { [first.url]: second.as('alice'), [second.url]: first.as('alice') };
  const bodies = Object.entries(plainBodies(seed)).map(([kind, body]) => ({ kind, body, type: 'text/plain' }));
  const multiparts = Object.entries(multipartBodies()).map(([kind, body]) => ({ kind, body, type: MULTIPART_TYPE }));
  for (const { kind, body, type } of [...bodies, ...multiparts]) {
    for (const gateway of [first, second]) {
      const path = await put(gateway.as('alice'), body, type);
      assert.equal(diff((await get(there[gateway.url]!, path)).bytes, body), undefined, `${kind}, seed ${seed}`);
    }
  }
});

it('has logged no fault', () => {
  assert.deepEqual([...first.faults, ...second.faults], []);
});

/** The path of the new message. */
async function put(api: Api, body: Buffer, type: string | undefined, query = ''): Promise<string> {
  const headers: Record<string, string> = type === undefined ? {} : { 'content-type': type };
  const response = await api(`${ROOM}/new${query}`, { method: 'PUT', headers, body });
  return `${ROOM}/${postedNumber(response)}`;
}

async function get(api: Api, path: string): Promise<{ bytes: Buffer; type: string | null }> {
  const response = await api(path);
  assert.equal(response.status, 200, path);
  const bytes = Buffer.from(await response.arrayBuffer());
  return { bytes, type: response.headers.get('content-type') };
}

async function upload(api: Api, body: Buffer): Promise<string> {
  const response = await api('p?filename=some.bin', {
    method: 'POST',
    headers: { 'content-type': 'application/octet-stream' },
    body,
  });
  const [record] = (await response.json()) as { ref: string; contentlength: number }[];
  assert.equal(record!.contentlength, body.length);
  return record!.ref;
}

/** Where two contents differ, in a line; undefined when they are the same. */
function diff(actual: Buffer, expected: Buffer): string | undefined {
  if (actual.equals(expected)) return undefined;
  let at = 0;
  while (at < actual.length && actual[at] === expected[at]) at++;
  const show = (bytes: Buffer) => JSON.stringify(bytes.subarray(at, at + 40).toString('latin1'));
  return `${actual.length} of ${expected.length} bytes, at ${at}: ${show(actual)} instead of ${show(expected)}`;
}
