// Inbox and outbox: for their owner only, and empty where the room server keeps no scheduling messages.

import assert from 'node:assert/strict';
import { after, describe, it } from 'node:test';
import { eventually } from '../../../support/eventually.ts';
import { startGateway } from '../../../support/gateway.ts';
import { meetingOf, startPeople } from '../../../support/meetings.ts';
import { startRealServer } from '../../../support/real-server.ts';

const { api, addresses, put } = await startPeople({ after }, ['anna', 'ben']);
const [anna, ben] = [api('anna'), api('ben')];

const propfind = (who: typeof anna, path: string) => who(path, { method: 'PROPFIND', headers: { depth: '1' } });

describe('an inbox', () => {
  it('holds what has come, each under an address of its own, and gives and removes it', async () => {
    await put('anna', meetingOf('boxed', addresses.anna!, [addresses.ben!]));
    const hrefs = async () => {
      const text = await (await propfind(ben, 'u/ben/inbox/')).text();
      return [...text.matchAll(/<D:href>\/svc\/(u\/ben\/inbox\/[^<]+)<\/D:href><D:propstat>/g)].map(
        ([, href]) => href!,
      );
    };
    await eventually(async () => (await hrefs()).length, 1);
    const [href] = await hrefs();
    const message = await (await ben(href!)).text();
    assert.match(message, /METHOD:REQUEST[\s\S]*UID:boxed/);
    assert.equal((await ben(href!, { method: 'DELETE' })).status, 204);
    assert.deepEqual(await hrefs(), []);
    assert.equal((await ben(href!)).status, 404);
  });

  it('is its owner’s, however his name is spelled', async () => {
    assert.equal((await propfind(ben, 'u/BEN/inbox/')).status, 207);
    for (const box of ['inbox', 'outbox']) {
      assert.equal((await propfind(anna, `u/ben/${box}/`)).status, 403, box);
      assert.equal((await propfind(api(undefined), `u/ben/${box}/`)).status, 401, box);
    }
    assert.equal((await anna('u/ben/inbox/1')).status, 404);
    assert.equal((await anna('u/ben/inbox/1', { method: 'DELETE' })).status, 404);
  });
});

it('where the room server keeps none, there is an empty collection, and nothing in it', async (t) => {
  const real = await startRealServer(t, { users: { carl: 4 } });
  const carl = (await startGateway(t, { backend: `unix:${real.path}` })).as('carl', 'carlpw');
  const listed = await propfind(carl, 'u/carl/inbox/');
  assert.equal(listed.status, 207);
  assert.equal((await listed.text()).match(/<D:response>/g)?.length, 1);
  assert.equal((await carl('u/carl/inbox/1')).status, 404);
});
