// Bounds that an operator sets: what is asked for is what holds, at n and n + 1.

import assert from 'node:assert/strict';
import { once } from 'node:events';
import { connect } from 'node:net';
import { after, describe, it } from 'node:test';
import { MIB } from '../../src/limits/units.ts';
import { openEvents } from '../support/event-stream.ts';
import { startGateway } from '../support/gateway.ts';

describe('--max-body 1', async () => {
  const gateway = await startGateway({ after }, { demo: true, options: ['--max-body', '1'] });
  const alice = gateway.as('alice');
  const headers = { 'Content-Type': 'application/octet-stream' };
  const sent = (size: number) => ({ method: 'POST', headers, body: Buffer.alloc(size) });
  const put = (size: number) => ({ ...sent(size), method: 'PUT' });

  it('is the size of the largest upload, and of the largest message', async () => {
    for (const [path, init] of [
      ['p?filename=x', sent],
      ['r/Town%20Square/new?subj=x', put],
    ] as const) {
      assert.equal((await alice(path, init(MIB))).status, 201, path);
      assert.equal((await alice(path, init(MIB + 1))).status, 413, path);
    }
  });

  it('is told to those who ask', async () => {
    const { max_message_bytes } = (await (await alice('a/start')).json()) as { max_message_bytes: number };
    assert.equal(max_message_bytes, MIB);
  });
});

describe('--max-event-streams 1', async () => {
  const gateway = await startGateway({ after }, { demo: true, options: ['--max-event-streams', '1'] });

  it('lets in one, and tells the next when to come again', async () => {
    const one = await openEvents(gateway.as('alice'), 'a/events');
    const next = await gateway.as('bob')('a/events');
    assert.deepEqual([next.status, next.headers.get('retry-after')], [503, '60']);
    one.close();
  });
});

describe('connections of clients', () => {
  async function answers(options: string[], count: number): Promise<string[]> {
    const gateway = await startGateway({ after }, { options });
    const { hostname, port } = new URL(gateway.url);
    const found: string[] = [];
    for (let i = 0; i < count; i++) {
      const socket = connect(Number(port), hostname);
      after(() => void socket.destroy());
      socket.write(`GET /svc/a/whoami HTTP/1.1\r\nHost: ${hostname}:${port}\r\n\r\n`);
      const [head] = (await once(socket, 'data')) as [Buffer];
      found.push(head.toString('latin1').slice(9, 12));
    }
    return found;
  }

  it('are so many as --max-connections says', async () => {
    assert.deepEqual(await answers(['--max-connections', '2'], 3), ['200', '200', '503']);
  });

  it('are so many of one address as --max-per-address says', async () => {
    assert.deepEqual(await answers(['--max-per-address', '2'], 3), ['200', '200', '429']);
  });
});
