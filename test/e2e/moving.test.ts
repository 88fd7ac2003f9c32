// Moving, copying and deleting messages.

import assert from 'node:assert/strict';
import { after, describe, it } from 'node:test';
import { type Api, postedNumber, startBoth, startGateway } from '../support/gateway.ts';

const square = 'r/Town%20Square';

for (const [name, gateway] of await startBoth({ after }, { demo: true })) {
  const alice = gateway.as('alice');
  const bob = gateway.as('bob');
  const post = async (body: string) =>
    `${square}/${postedNumber(await alice(`${square}/new`, { method: 'PUT', body }))}`;

  describe(`moving and deleting on ${name}`, () => {
    const numberIn = (path: string) => Number(path.split('/').at(-1));

    it('moves a message to another room', async () => {
      const path = await post('to be moved');
      for (const destination of [`${gateway.url}svc/r/Garden%20Diary/`, `/svc/r/Town%20Square/${numberIn(path)}`]) {
        const from = destination.includes('Garden') ? path : `r/Garden%20Diary/${numberIn(path)}`;
        const response = await alice(from, { method: 'MOVE', headers: { destination } });
        assert.equal(response.status, 201);
        const location = response.headers.get('location')!;
        assert.equal(await (await alice(location)).text(), 'to be moved');
        assert.equal((await alice(from)).status, 404);
      }
    });

    it('copies a message', async () => {
      const path = await post('to be copied');
      const headers = { destination: '/svc/r/Mail/' };
      const response = await alice(path, { method: 'COPY', headers });
      assert.equal(response.status, 201);
      assert.equal(await (await alice(response.headers.get('location')!)).text(), 'to be copied');
      assert.equal((await alice(path)).status, 200);
      const destination = response.headers.get('location')!;
      for (const overwrite of ['F', 'f', ' F ']) {
        const headers = { destination, overwrite };
        assert.equal((await alice(path, { method: 'COPY', headers })).status, 412, overwrite);
      }
    });

    it('refuses a move that cannot be, and leaves the message where it is', async () => {
      const path = await post('stays');
      const to = (destination: string, api: Api = alice) => api(path, { method: 'MOVE', headers: { destination } });
      assert.equal((await to('/svc/r/No%20such%20room/')).status, 409);
      assert.equal((await to('http://elsewhere.example/svc/r/Mail/')).status, 502);
      assert.equal((await to('/svc/r/Mail/', bob)).status, 403, 'bob may not delete here');
      assert.equal((await to('/svc/r/Town%20Square/')).status, 403, 'into the same room');
      assert.equal((await to('/svc/r/Mail/folder/letter.txt')).status, 409, 'rooms have no folders');
      assert.equal((await alice(path, { method: 'MOVE' })).status, 400);
      assert.equal(await (await alice(path)).text(), 'stays');
      const headers = { destination: '/svc/r/Mail/' };
      assert.equal((await alice(`${square}/999999`, { method: 'MOVE', headers })).status, 404);
    });

    it('deletes a message once', async () => {
      const path = await post('to be deleted');
      assert.equal((await bob(path, { method: 'DELETE' })).status, 403);
      assert.equal((await alice(path, { method: 'DELETE' })).status, 204);
      for (const method of ['GET', 'HEAD', 'DELETE']) assert.equal((await alice(path, { method })).status, 404, method);
      const all = (await (await alice(`${square}/msgs.all`)).json()) as number[];
      assert.equal(all.includes(numberIn(path)), false);
    });
  });
}

describe('the host of a Destination', () => {
  it('is this one with or without the default port, and the one that a trusted proxy names', async (t) => {
    const gateway = await startGateway(t, { demo: true, options: ['--trust-proxy'] });
    const alice = gateway.as('alice');
    const path = `${square}/${postedNumber(await alice(`${square}/new`, { method: 'PUT', body: 'text' }))}`;
    const copy = async (destination: string, headers: Record<string, string>) =>
      (await alice(path, { method: 'COPY', headers: { destination, ...headers } })).status;
    const own = { host: 'Mail.example' };
    const proxied = { ...own, 'x-forwarded-host': 'forged.example, front.example' };
    for (const [destination, headers, status] of [
      ['http://mail.example:80/svc/r/Mail/', own, 201],
      ['https://MAIL.example:443/svc/r/Drafts/', own, 201],
      ['http://mail.example:81/svc/r/Trash/', own, 502],
      ['http://front.example/svc/r/Trash/', own, 502],
      ['http://forged.example/svc/r/Trash/', proxied, 502],
      ['http://front.example/svc/r/Trash/', proxied, 201],
    ] as const) {
      assert.equal(await copy(destination, headers), status, `${destination} ${Object.keys(headers)}`);
    }
  });
});
