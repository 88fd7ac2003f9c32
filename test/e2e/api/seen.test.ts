// PATCH of a message: its read mark, and nothing else of it.

import assert from 'node:assert/strict';
import { after, describe, it } from 'node:test';
import { type Api, postedNumber, startBoth, withCookie } from '../../support/gateway.ts';

for (const [name, gateway] of await startBoth({ after }, { demo: true })) {
  const alice = gateway.as('alice');
  const bob = gateway.as('bob');
  const mark = (api: Api, path: string, body: string, headers: Record<string, string> = {}) =>
    api(path, { method: 'PATCH', body, headers: { 'content-type': 'application/json', ...headers } });
  const post = async (room = 'Lobby') => postedNumber(await bob(`r/${room}/new`, { method: 'PUT', body: 'text' }));
  const isNew = async (msgnum: number, room = 'Lobby') => {
    const fresh = (await (await alice(`r/${room}/msgs.new`)).json()) as number[];
    const { seen } = (await (await alice(`r/${room}/${msgnum}/json`)).json()) as { seen: boolean };
    assert.equal(seen, !fresh.includes(msgnum), 'both lists say the same');
    return !seen;
  };

  describe(`the read mark of a message on ${name}`, () => {
    it('is set and taken away, of this message only, for this user only', async () => {
      const [first, second, third] = [await post(), await post(), await post()];
      const response = await mark(alice, `r/Lobby/${second}`, '{"seen":true}');
      assert.deepEqual([response.status, await response.text()], [204, '']);
      assert.deepEqual([await isNew(first), await isNew(second), await isNew(third)], [true, false, true]);
      const fresh = (await (await bob('r/Lobby/msgs.new')).json()) as number[];
      assert.ok(fresh.includes(second));
      assert.equal((await mark(alice, `r/Lobby/${second}`, '{"seen":true}')).status, 204, 'once more');
      assert.equal((await mark(alice, `r/Lobby/${second}`, '{"seen":false}')).status, 204);
      assert.equal(await isNew(second), true);
    });

    it('goes with the last-read pointer: what lies below it can be new again', async () => {
      const [first, second] = [await post(), await post()];
      assert.equal((await alice(`r/Lobby/slrp?last=${second}`)).status, 204);
      assert.deepEqual([await isNew(first), await isNew(second)], [false, false]);
      assert.equal((await mark(alice, `r/Lobby/${first}`, '{"seen":false}')).status, 204);
      assert.deepEqual([await isNew(first), await isNew(second)], [true, false]);
      const third = await post();
      assert.equal(await isNew(third), true);
      assert.equal((await alice(`r/Lobby/slrp?last=${third}`)).status, 204);
      assert.deepEqual(await (await alice('r/Lobby/msgs.new')).json(), []);
    });

    it('is refused for what is not there, and to who may not', async () => {
      const here = await post();
      const refusals: [Api, string, number][] = [
        [alice, 'r/Lobby/999999', 404],
        [alice, 'r/Lobby/nobody@nowhere', 404],
        [alice, `r/Nowhere/${here}`, 404],
        [bob, `r/Aide/${here}`, 404],
        [alice, `r/Mail/${here}`, 404],
        [gateway.api, `r/Lobby/${here}`, 401],
      ];
      for (const [api, path, status] of refusals) {
        assert.equal((await mark(api, path, '{"seen":true}')).status, status, path);
      }
      const mine = await withCookie(gateway, 'alice');
      const foreign = await mark(mine, `r/Lobby/${here}`, '{"seen":true}', { 'sec-fetch-site': 'cross-site' });
      assert.equal(foreign.status, 403);
      assert.equal(await isNew(here), true);
    });

    it('takes a boolean and nothing else', async () => {
      const here = await post();
      const bodies = [
        '',
        '{',
        'null',
        '7',
        '"seen"',
        '[]',
        '{}',
        '{"seen":1}',
        '{"seen":"true"}',
        '{"seen":true,"subj":"x"}',
      ];
      for (const body of bodies) assert.equal((await mark(alice, `r/Lobby/${here}`, body)).status, 400, body);
      assert.equal(await isNew(here), true);
    });
  });
}
