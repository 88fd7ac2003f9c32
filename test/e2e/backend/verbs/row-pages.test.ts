// ROWS and COUN: pages of a list, what their rows show, how much is new in each room.

import assert from 'node:assert/strict';
import { it } from 'node:test';
import { MAX_DETAILED_ROWS, MAX_FIRST_WORDS_CHARACTERS, MAX_LISTED_ROWS } from '../../../../src/limits/backend.ts';
import { startRoomServer } from '../../../support/room-server.ts';
import { WireClient } from '../../../support/wire-client.ts';

const MIXED = [
  'Content-type: multipart/mixed; boundary=b',
  '',
  '--b',
  'Content-type: text/plain; charset=utf-8',
  '',
  'On Monday you wrote:',
  '> old words',
  '  New   words, 100 % | sure',
  '--b',
  'Content-type: text/plain; name=plan.txt',
  'Content-disposition: attachment; filename=plan.txt',
  '',
  'not these',
  '--b',
  'Content-type: image/png; name=seal.png',
  'Content-disposition: inline; filename=seal.png',
  'Content-id: <seal>',
  '',
  'x',
  '--b--',
  '',
].join('\n');
const HTML =
  'Content-type: text/html\n\n<style>p{}</style><p>Some <b>bold</b> words</p><blockquote>quoted</blockquote>\n';

async function postTo(ann: WireClient, subject: string, text: string, to = ''): Promise<number> {
  const confirmation = await ann.send(`ENT0 1|${to}||4|${subject}||1`, text);
  return Number(confirmation[0]);
}

const listOf = async (client: WireClient, line: string) => (await client.expect(line, 100)).lines;
const numbers = (rows: string[]): number[] => rows.map((row) => Number(row.split('|')[0]));
const tail = (row: string): string[] => row.split('|').slice(8);

it('ROWS gives the messages between two numbers, from either end, and what is not read', async (t) => {
  const { socketPath } = await startRoomServer(t, { users: { ann: 4 } });
  const ann = await WireClient.login(socketPath, 'ann', 'annpw');
  await ann.expect('CRE8 1|Box|0||0|0|0', 200);
  await ann.expect('GOTO Box', 200);
  const posted: number[] = [];
  for (let i = 0; i < 6; i++) posted.push(await postTo(ann, `s${i}`, 'Content-type: text/plain\n\nx\n'));
  const [a, b, c, d, e, f] = posted;
  const rows = async (args: string) => numbers(await listOf(ann, `ROWS ${args}`));
  assert.deepEqual(await rows('0|0|99|0|0|0'), posted);
  assert.deepEqual(await rows('0|0|2|0|0|0'), [a, b]);
  assert.deepEqual(await rows('0|0|2|1|0|0'), [e, f], 'ascending, whichever end they come from');
  assert.deepEqual(await rows(`${b}|${e}|9|0|0|0`), [c, d]);
  assert.deepEqual(await rows(`0|${d}|2|1|0|0`), [b, c]);
  assert.deepEqual(await rows(`${f}|0|9|0|0|0`), []);
  await ann.expect(`SLRP ${b}`, 200);
  await ann.expect(`SEEN ${e}|1`, 200);
  assert.deepEqual(await rows('0|0|9|0|1|0'), [c, d, f]);
  assert.deepEqual(await rows('0|0|2|1|1|0'), [d, f], 'over the gap between what is unread');
  const marks = (await listOf(ann, 'ROWS 0|0|9|0|0|0')).map((row) => tail(row)[0]).join('');
  assert.equal(marks, '110010');
  assert.match(await ann.text('ROWS 0|0|0|0|0|0'), /^512/);
  assert.match(await ann.text('ROWS 0|0'), /^512/);
});

it('ROWS tells recipients, files and first words, packed', async (t) => {
  const { socketPath } = await startRoomServer(t, { users: { ann: 4 } });
  const ann = await WireClient.login(socketPath, 'ann', 'annpw');
  await ann.expect('CRE8 1|Box|0||0|0|0', 200);
  await ann.expect('GOTO Box', 200);
  await postTo(ann, 'mixed', MIXED);
  await postTo(ann, 'html', HTML);
  await postTo(ann, 'long', `Content-type: text/plain\n\n${'word '.repeat(100)}\n`);
  await postTo(ann, 'astral', `Content-type: text/plain; charset=utf-8\n\n${'a'.repeat(159)}${'😀'.repeat(9)}\n`);
  await ann.expect('GOTO Mail', 200);
  await postTo(ann, 'to', 'Content-type: text/plain\n\nx\n', 'ann');
  await ann.expect('GOTO Box', 200);
  const [mixed, html, long, astral] = (await listOf(ann, 'ROWS 0|0|9|0|0|1')).map(tail);
  // a plain text shows no picture: it is a file, inline or not
  assert.deepEqual(mixed, ['0', '', '2', 'On Monday you wrote: New words, 100 %25 %7C sure', '']);
  assert.deepEqual(html!.slice(2, 4), ['0', 'Some bold words']);
  assert.match(long![3]!, /^(word )+word…$/);
  assert.ok(long![3]!.length <= MAX_FIRST_WORDS_CHARACTERS + 1);
  assert.ok(astral![3]!.isWellFormed(), 'no character is cut in two');
  await ann.expect('GOTO Mail', 200);
  assert.match((await listOf(ann, 'ROWS 0|0|1|1|0|1'))[0]!, /\|0\|ann[^|]*\|0\|x\|$/);
});

it('ROWS gives a page and no more, and nothing to whom the room is closed', async (t) => {
  const { socketPath } = await startRoomServer(t, { users: { ann: 4, bob: 4 } });
  const ann = await WireClient.login(socketPath, 'ann', 'annpw');
  await ann.expect('CRE8 1|Den|2|secret|0|0|0', 200);
  await ann.expect('GOTO Den|secret', 200);
  for (let i = 0; i <= MAX_LISTED_ROWS; i++) await postTo(ann, `s${i}`, 'Content-type: text/plain\n\nx\n');
  assert.equal((await listOf(ann, 'ROWS 0|0|100000|0|0|0')).length, MAX_LISTED_ROWS);
  assert.equal((await listOf(ann, 'ROWS 0|0|100000|0|0|1')).length, MAX_DETAILED_ROWS);
  assert.equal((await listOf(ann, `ROWS 0|0|${MAX_LISTED_ROWS - 1}|0|0|0`)).length, MAX_LISTED_ROWS - 1);
  const bob = await WireClient.login(socketPath, 'bob', 'bobpw');
  await bob.expect('GOTO Den|secret', 200);
  assert.equal((await listOf(bob, 'ROWS 0|0|1|0|0|0')).length, 1);
  await ann.expect('KICK bob', 200);
  assert.match(await bob.text('ROWS 0|0|1|0|0|0'), /^550/, 'he was put out meanwhile');
});

it('COUN tells of each known room how much is in it and how much is new', async (t) => {
  const { socketPath } = await startRoomServer(t, { users: { ann: 4 } });
  const ann = await WireClient.login(socketPath, 'ann', 'annpw');
  await ann.expect('CRE8 1|Box|0||0|0|0', 200);
  await ann.expect('GOTO Box', 200);
  const first = await postTo(ann, 'a', 'Content-type: text/plain\n\nx\n');
  const last = await postTo(ann, 'b', 'Content-type: text/plain\n\nx\n');
  const box = async () => (await listOf(ann, 'COUN')).find((row) => row.startsWith('Box|'));
  assert.equal(await box(), `Box|2|2|${last}|0|`);
  await ann.expect(`SLRP ${first}`, 200);
  assert.equal(await box(), `Box|1|2|${last}|0|`);
  ann.write(`ULRI 256|image/png\n${'x'.repeat(256)}`);
  await ann.line();
  assert.equal(await box(), `Box|1|2|${last}|1|`);
  await ann.expect('FORG', 200);
  assert.equal(await box(), undefined, 'a forgotten room is not known');
});
