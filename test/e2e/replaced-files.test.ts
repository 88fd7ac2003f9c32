// A file that is replaced while another gateway reads it, at each moment of the reading: it is there all the time, so
// it is always found, as it was or as it is.

import assert from 'node:assert/strict';
import { join } from 'node:path';
import { after, describe, it } from 'node:test';
import { startGateway } from '../support/gateway.ts';
import { startRelay } from '../support/relay.ts';

const PATH = 'r/Files/a.txt';

const first = await startGateway({ after }, { demo: true });
const relay = await startRelay(join(first.dataFolder, 'citadel.socket'));
after(() => relay.close());
const here = first.as('alice');
const there = (await startGateway({ after }, { backend: `unix:${relay.path}` })).as('alice');
assert.equal((await there('r/Files/', { method: 'MKCOL' })).status, 201);

async function replace(): Promise<void> {
  const { status } = await here(PATH, { method: 'PUT', headers: { 'content-type': 'text/plain' }, body: 'words' });
  assert.ok(status === 201 || status === 204);
}

/** Asks again and again, with the file replaced before the first command to the room server, the second, …, none. */
async function atEachMoment(ask: () => Promise<void>): Promise<void> {
  for (let moment = 0, isReached = true; isReached; moment++) {
    isReached = false;
    await replace();
    let count = 0;
    relay.before = async () => {
      if (count++ !== moment) return;
      isReached = true;
      await replace();
    };
    await ask();
    relay.before = () => {};
    assert.ok(moment < 50);
  }
}

const REQUESTS: [what: string, path: string, method: string, status: number, headers?: Record<string, string>][] = [
  ['content', PATH, 'GET', 200],
  ['head', PATH, 'HEAD', 200],
  ['message', `${PATH}?format=rfc822`, 'GET', 200],
  ['JSON', `${PATH}/json`, 'GET', 200],
  ['part', `${PATH}/1`, 'GET', 200],
  ['attachments', `p/Files/a.txt`, 'GET', 200],
  ['properties', PATH, 'PROPFIND', 207, { depth: '0' }],
  ['copy', PATH, 'COPY', 204, { destination: '/svc/r/Files/b.txt' }],
  ['removal', PATH, 'DELETE', 204],
];

describe('a file that is replaced meanwhile', () => {
  for (const [what, path, method, status, headers = {}] of REQUESTS) {
    it(`is found for its ${what}`, async () => {
      await replace();
      if (method === 'COPY') await there(path, { method, headers });
      await atEachMoment(async () => {
        const answer = await there(path, { method, headers });
        assert.equal(answer.status, status);
        await answer.arrayBuffer();
      });
    });
  }

  it('is listed', async () => {
    await atEachMoment(async () => {
      const answer = await there('r/Files/', { method: 'PROPFIND', headers: { depth: '1' } });
      assert.match(await answer.text(), /a\.txt<\/D:href>/);
    });
  });

  it('moves once', async () => {
    await atEachMoment(async () => {
      const answer = await there(PATH, { method: 'MOVE', headers: { destination: '/svc/r/Files/b.txt' } });
      assert.ok(answer.status === 201 || answer.status === 204, `${answer.status}`);
      const numbers = (await (await there('r/Files/msgs.all')).json()) as number[];
      assert.ok(numbers.length <= 2, `${numbers}`); // and what came after the MOVE
    });
  });
});
