// sync-collection: what has changed in a room since a token.

import assert from 'node:assert/strict';
import { after, it } from 'node:test';
import { hrefsIn, startDavWorld } from '../../../support/dav-world.ts';

const { alice, newRoom } = await startDavWorld({ after });

async function sync(room: string, token = '', limit = '', level = '1') {
  const asked = `<D:sync-token>${token}</D:sync-token><D:sync-level>${level}</D:sync-level>`;
  const limited = limit === '' ? '' : `<D:limit><D:nresults>${limit}</D:nresults></D:limit>`;
  const prop = '<D:prop><D:getetag/></D:prop>';
  const body = `<D:sync-collection>${asked}${limited}${prop}</D:sync-collection>`;
  const told = await alice('REPORT', `${room}/`, {}, body);
  const names = hrefsIn(told)
    .map((href) => href.slice(`/svc/${room}/`.length))
    .sort();
  const next = /<D:sync-token>([^<]*)<\/D:sync-token>\s*<\/D:multistatus>/.exec(told.text)![1]!;
  return { names, next, isCut: told.text.includes('number-of-matches-within-limits'), text: told.text };
}

it('A token leads from one state to the next, with what came, changed and went', async () => {
  const room = await newRoom('a.txt', 'b.txt');
  const first = await sync(room);
  assert.deepEqual(first.names, ['a.txt', 'b.txt']);
  assert.deepEqual((await sync(room, first.next)).names, []);
  await alice('PUT', `${room}/a.txt`, {}, 'changed');
  await alice('DELETE', `${room}/b.txt`);
  await alice('PUT', `${room}/c.txt`, {}, 'new');
  const second = await sync(room, first.next);
  assert.deepEqual(second.names, ['a.txt', 'b.txt', 'c.txt']);
  assert.match(second.text, /b\.txt<\/D:href><D:status>HTTP\/1\.1 404/);
  assert.deepEqual((await sync(room, second.next)).names, []);
});

it('An answer that is cut goes on with its token, with nothing twice and nothing left out', async () => {
  const files = ['a.txt', 'b.txt', 'c.txt', 'd.txt', 'e.txt'];
  const room = await newRoom(...files);
  const start = await sync(room);
  for (const file of files.slice(0, 2)) await alice('DELETE', `${room}/${file}`);
  for (const file of files.slice(2)) await alice('PUT', `${room}/${file}`, {}, 'changed');
  const found: string[] = [];
  let token = start.next;
  for (let page = 0; page < 10; page++) {
    const { names, next, isCut } = await sync(room, token, '2');
    found.push(...names.filter((name) => name !== ''));
    token = next;
    if (!isCut) break;
    assert.equal(names.length, 3, 'two, and the room that says so');
  }
  assert.deepEqual(found.sort(), files);
  assert.deepEqual((await sync(room, token)).names, []);
});

it('What lies in folders is told at all levels, not at the first', async () => {
  const room = await newRoom('docs/', 'docs/a.txt');
  assert.deepEqual((await sync(room)).names, ['docs/']);
  assert.deepEqual((await sync(room, '', '', 'infinite')).names, ['docs/', 'docs/a.txt']);
});

it('A token that was made up is no token', async () => {
  const room = await newRoom();
  for (const token of ['x', 'data:,1', 'data:,more;1']) {
    const body = `<D:sync-collection><D:sync-token>${token}</D:sync-token><D:prop/></D:sync-collection>`;
    const { status, text } = await alice('REPORT', `${room}/`, {}, body);
    assert.equal(status, 403, token);
    assert.match(text, /<D:valid-sync-token\/>/);
  }
});
