// GET a/events: what is told, to whom, from where on, and when a stream ends.

import assert from 'node:assert/strict';
import { after, describe, it } from 'node:test';
import { MAX_EVENT_STREAMS_PER_USER } from '../../../src/limits/http.ts';
import { openEvents } from '../../support/event-stream.ts';
import { type Api, behindGateway, postedNumber, startBoth, startGateway, withCookie } from '../../support/gateway.ts';

const SQUARE = 'a/events?room=Town%20Square';

const post = async (api: Api, path = 'r/Town%20Square/new') =>
  postedNumber(await api(path, { method: 'PUT', body: 'text' }));

for (const [name, gateway] of await startBoth({ after }, { demo: true })) {
  const alice = gateway.as('alice');
  const bob = gateway.as('bob');

  describe(`the event stream on ${name}`, () => {
    it('is one that nobody keeps or holds back, and begins with an id to go on from', async () => {
      const stream = await openEvents(alice, SQUARE);
      const { status, headers } = stream.response;
      assert.equal(status, 200);
      assert.equal(headers.get('content-type'), 'text/event-stream');
      assert.equal(headers.get('cache-control'), 'no-store');
      assert.equal(headers.get('x-accel-buffering'), 'no');
      assert.equal(headers.get('content-encoding'), null);
      assert.match((await stream.block())!.id, /^\d+-\d+-\d+-Town%20Square$/);
      stream.close();
    });

    it('tells new messages of the room, new mail, and rooms that have changed', async () => {
      const stream = await openEvents(alice, SQUARE);
      const first = await post(bob);
      assert.deepEqual((await stream.next('message')).data, { room: 'Town Square', msgs: [first] });
      await post(bob, 'r/Mail/new?mailto=alice');
      assert.deepEqual((await stream.next('biff')).data, { new: 1 });
      await post(bob, 'r/Lobby/new');
      let room = (await stream.next('room')).data as { name: string; mtime: number };
      while (room.name !== 'Lobby') room = (await stream.next('room')).data as typeof room;
      assert.deepEqual(Object.keys(room), ['name', 'mtime']);
      assert.ok(Math.abs(room.mtime - Date.now() / 1000) < 60);
      stream.close();
    });

    it('tells that instant messages wait, also those who look later, and does not fetch them', async () => {
      const [stream, other] = [await openEvents(alice, SQUARE), await openEvents(alice, 'a/events')];
      const headers = { 'content-type': 'application/json' };
      for (const text of ['Tea?', 'Now?']) {
        const body = JSON.stringify({ to: 'alice', text });
        assert.equal((await bob('a/im', { method: 'POST', headers, body })).status, 204);
        for (const each of [stream, other]) assert.deepEqual((await each.next('im')).data, { waiting: true });
        const messages = (await (await alice('a/im')).json()) as { text: string }[];
        assert.deepEqual(
          messages.map((each) => each.text),
          [text],
        );
      }
      const late = await openEvents(alice, SQUARE);
      await post(bob);
      const seen: (string | undefined)[] = [];
      while (!seen.includes('message')) seen.push((await late.block())?.event);
      assert.ok(!seen.includes('im'), 'nothing waits any more');
      for (const each of [stream, other, late]) each.close();
    });

    it('goes on behind Last-Event-ID, each message once and in order', async () => {
      const stream = await openEvents(alice, SQUARE);
      await post(bob);
      const { id } = await stream.next('message');
      stream.close();
      const numbers = [await post(bob), await post(bob), await post(bob)];
      const ways: [string, Record<string, string>][] = [
        [SQUARE, { 'last-event-id': id }],
        [`${SQUARE}&last_event_id=${encodeURIComponent(id)}`, {}],
        [`${SQUARE}&after=${numbers[0]! - 1}`, {}],
      ];
      for (const [path, headers] of ways) {
        const again = await openEvents(alice, path, headers);
        assert.deepEqual((await again.next('message')).data, { room: 'Town Square', msgs: numbers }, path);
        const next = await post(bob);
        numbers.push(next);
        assert.deepEqual((await again.next('message')).data, { room: 'Town Square', msgs: [next] }, path);
        again.close();
      }
    });

    it('begins anew for an id that is none', async () => {
      for (const id of ['x', '1-2', '1-2-3-%', '-1-2-3-', '9'.repeat(2000)]) {
        const stream = await openEvents(alice, SQUARE, { 'last-event-id': id });
        const number = await post(bob);
        assert.deepEqual((await stream.next('message')).data, { room: 'Town Square', msgs: [number] });
        stream.close();
      }
    });

    it('is refused to guests, for rooms that cannot be entered, and for what makes no sense', async () => {
      const refusals: [Api, string, number][] = [
        [gateway.api, 'a/events', 401],
        [gateway.as('alice', 'wrong'), 'a/events', 401],
        [alice, 'a/events?room=Nowhere', 404],
        [bob, 'a/events?room=Aide', 404],
        [alice, 'a/events?room=a%7Cb', 400],
        [alice, 'a/events?room=Lobby&after=x', 400],
      ];
      for (const [api, path, status] of refusals) assert.equal((await api(path)).status, status, path);
      const refused = await alice('a/events', { method: 'POST' });
      assert.deepEqual([refused.status, refused.headers.get('allow')], [405, 'GET, HEAD, OPTIONS']);
      assert.equal((await alice('a/events', { method: 'HEAD' })).status, 200);
    });

    it('ends at the next event for a session that has logged out', async () => {
      const mine = await withCookie(gateway, 'alice');
      const stream = await openEvents(mine, SQUARE);
      await stream.block();
      assert.equal((await mine('a/logout', { method: 'POST' })).status, 204);
      await post(bob);
      assert.equal(await stream.block(), undefined);
    });

    it('is open so often for one user at a time, and once more when one has gone', async () => {
      const open = () => openEvents(bob, 'a/events');
      const streams = await Promise.all(Array.from({ length: MAX_EVENT_STREAMS_PER_USER }, open));
      const refused = await bob('a/events');
      assert.equal(refused.status, 429);
      assert.ok(Number(refused.headers.get('retry-after')) > 0);
      streams[0]!.close();
      let again = await bob('a/events', { method: 'HEAD' });
      while (again.status === 429) again = await bob('a/events', { method: 'HEAD' });
      assert.equal(again.status, 200);
      for (const stream of streams) stream.close();
    });
  });
}

describe('a stream', () => {
  it('ends at once when the gateway stops', async (t) => {
    const gateway = await startGateway(t, { demo: true });
    const stream = await openEvents(gateway.as('alice'), SQUARE);
    await stream.block();
    await gateway.close();
    const hint = await stream.block(); // nothing but when to come back
    assert.deepEqual(hint, { event: '', data: null, id: '', comment: '' });
    assert.equal(await stream.block(), undefined);
  });

  it('outlives its room server, and misses nothing of what was posted meanwhile', async (t) => {
    const first = await startGateway(t, { demo: true, options: ['--line-listen', 'tcp://127.0.0.1:0'] });
    const second = await behindGateway(t, first);
    const stream = await openEvents(second.as('alice'), SQUARE);
    await stream.block();
    await first.restart();
    const number = await post(first.as('bob'));
    assert.deepEqual((await stream.next('message')).data, { room: 'Town Square', msgs: [number] });
    assert.deepEqual(second.faults, []);
    stream.close();
  });

  it('goes on behind its last id after a restart of the gateway, nothing twice and nothing left out', async (t) => {
    const gateway = await startGateway(t, { demo: true });
    const alice = gateway.as('alice');
    const stream = await openEvents(alice, SQUARE);
    const before = await post(gateway.as('bob'));
    const { id } = await stream.next('message');
    stream.close();
    const missed = [await post(gateway.as('bob')), await post(gateway.as('bob'), 'r/Mail/new?mailto=alice')];
    await gateway.restart();
    const after = await post(gateway.as('bob'));
    assert.ok(before < missed[0]!);
    const again = await openEvents(alice, SQUARE, { 'last-event-id': id });
    assert.deepEqual((await again.next('biff')).data, { new: 1 });
    const message = await again.next('message');
    assert.deepEqual(message.data, { room: 'Town Square', msgs: [missed[0], after] });
    again.close();
    const behind = await openEvents(alice, SQUARE, { 'last-event-id': message.id });
    const latest = await post(gateway.as('bob'));
    assert.deepEqual((await behind.next('message')).data, { room: 'Town Square', msgs: [latest] });
    behind.close();
  });

  it('of a room with a password takes it in a header', async (t) => {
    const { as } = await startGateway(t, { demo: true, users: [{ name: 'carol', password: 'carol' }] });
    const refused = await as('carol')('a/events?room=Committee');
    assert.equal(refused.status, 403);
    const wrong = await as('carol')('a/events?room=Committee', { headers: { 'x-room-password': 'nonsense' } });
    assert.equal(wrong.status, 403);
    const stream = await openEvents(as('carol'), 'a/events?room=Committee', { 'x-room-password': 'sesame' });
    stream.close();
  });
});
