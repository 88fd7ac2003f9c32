// PATCH r/:room/mailbox: many messages at once.

import assert from 'node:assert/strict';
import { after, it } from 'node:test';
import { MAX_CHANGED_MESSAGES } from '../../../src/limits/http.ts';
import { type Api, postedNumber, startBoth } from '../../support/gateway.ts';

const gateways = await startBoth({ after }, { demo: true });

for (const [index, [name, gateway]] of gateways.entries()) {
  const alice = gateway.as('alice');
  const bob = gateway.as('bob');
  const box = `Box${index}`;
  const other = `Other${index}`;
  const change = async (api: Api, room: string, body: unknown) =>
    (await api(`r/${room}/mailbox`, { method: 'PATCH', body: JSON.stringify(body) })).status;
  const numbers = async (room: string, selector = 'all') =>
    (await (await alice(`r/${room}/msgs.${selector}`)).json()) as number[];
  for (const each of [box, other]) {
    await alice('r/', { method: 'POST', body: JSON.stringify({ name: each, kind: 'public' }) });
  }
  const fill = async (count: number) => {
    const posted: number[] = [];
    for (let i = 0; i < count; i++) {
      posted.push(postedNumber(await alice(`r/${box}/new`, { method: 'PUT', body: `text ${i}` })));
    }
    return posted;
  };

  it(`marks, moves and deletes on ${name} what is named, and nothing else`, async () => {
    const [a, b, c, d, e] = await fill(5);
    assert.equal(await change(alice, box, { msgnums: [a, c, e], seen: true }), 204);
    assert.deepEqual(await numbers(box, 'new'), [b, d]);
    assert.equal(await change(alice, box, { msgnums: [c], seen: false }), 204);
    assert.deepEqual(await numbers(box, 'new'), [b, c, d]);
    assert.equal(await change(alice, box, { msgnums: [a, b, b], move_to: other }), 204);
    assert.deepEqual(await numbers(box), [c, d, e]);
    assert.deepEqual(await numbers(other), [a, b]);
    assert.equal(await change(alice, box, { msgnums: [c, 999_999_999], delete: true }), 204, 'one has gone');
    assert.deepEqual(await numbers(box), [d, e]);
    assert.equal(await change(alice, box, { msgnums: [c], delete: true }), 404, 'none of them is there');
  });

  it(`does on ${name} as many as are allowed, in several lines of the protocol`, async () => {
    const posted = await fill(3);
    const many = [...posted, ...Array.from({ length: MAX_CHANGED_MESSAGES - 3 }, (_, i) => 900_000_000_000 + i)];
    assert.equal(await change(alice, box, { msgnums: [...many, 1], delete: true }), 400);
    assert.equal(await change(alice, box, { msgnums: many, seen: true }), 204);
    assert.equal(await change(alice, box, { msgnums: many, delete: true }), 204);
    assert.equal((await numbers(box)).filter((number) => posted.includes(number)).length, 0);
  });

  it(`changes nothing on ${name} for who may not, or asks for what is no change`, async () => {
    const [kept] = await fill(1);
    assert.equal(await change(bob, box, { msgnums: [kept], delete: true }), 403);
    assert.equal(await change(bob, box, { msgnums: [kept], move_to: other }), 403);
    assert.equal(await change(alice, box, { msgnums: [kept], move_to: box }), 403);
    for (const body of [
      {},
      { msgnums: [kept] },
      { msgnums: [], seen: true },
      { msgnums: [0], seen: true },
      { msgnums: ['1'], seen: true },
      { msgnums: [kept], seen: true, delete: true },
      { msgnums: [kept], delete: false },
    ]) {
      assert.equal(await change(alice, box, body), 400, JSON.stringify(body));
    }
    assert.equal(await change(alice, 'Calendar', { msgnums: [1], delete: true }), 409);
    const guest = await fetch(`${gateway.url}svc/r/${box}/mailbox`, { method: 'PATCH', body: '{}' });
    assert.equal(guest.status, 401);
    assert.ok((await numbers(box)).includes(kept!));
  });

  it(`leaves on ${name} a room alone in which something is locked`, async () => {
    const [kept] = await fill(1);
    const body = '<lockinfo xmlns="DAV:"><lockscope><exclusive/></lockscope><locktype><write/></locktype></lockinfo>';
    const locked = await alice(`r/${box}/${kept}`, { method: 'LOCK', headers: { 'content-type': 'text/xml' }, body });
    assert.equal(locked.status, 200);
    assert.equal(await change(alice, box, { msgnums: [kept], delete: true }), 409);
    assert.ok((await numbers(box)).includes(kept!));
    assert.equal(await change(alice, other, { msgnums: await numbers(other), delete: true }), 204, 'another room');
    const put = { method: 'PUT', headers: { 'content-type': 'text/plain' }, body: 'x' };
    assert.equal((await alice(`r/${other}/new`, put)).status, 201);
    const [moved] = await numbers(other);
    assert.equal(await change(alice, other, { msgnums: [moved], move_to: box }), 409, 'nor may anything come');
    assert.ok((await numbers(other)).includes(moved!));
    assert.equal(await change(alice, other, { msgnums: [moved], move_to: 'Trash' }), 204);
  });
}
