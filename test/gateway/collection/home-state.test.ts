// Tokens of a home: the rooms that were told come back, for who was told of them.

import assert from 'node:assert/strict';
import { it } from 'node:test';
import type { App } from '../../../src/gateway/app.ts';
import {
  homeOfToken,
  homeRows,
  isHomeDigest,
  type ReportedRoom,
  tokenOfHome,
} from '../../../src/gateway/collection/properties.ts';
import { Sealer } from '../../../src/gateway/seal.ts';
import { randomFrom } from '../../support/random.ts';

const IDENTITY = { user: 'alice', password: '' };

function appOf(account: string, rows: readonly string[] = []): App {
  const answer = (lines: readonly string[]) => ({ code: 100, text: '', lines });
  const pool = { accountOf: async () => account, read: async () => [answer(rows), answer([])] };
  return { pool, sealer: new Sealer(Buffer.alloc(32, 1)) } as unknown as App;
}

const ALICE = appOf('1');
const TOLD = new Map<string, ReportedRoom>([
  ['Calendar', { digest: 'abcdefgh', token: 'data:,1-2' }],
  ['Größe "x", ünd', { digest: 'ijklmnop', token: '' }],
]);

it('The rooms of a token come back in their order, for the same user', async () => {
  const token = await tokenOfHome(ALICE, IDENTITY, TOLD);
  assert.match(token, /^data:,[\w-]+$/, 'a URI');
  assert.deepEqual([...(await homeOfToken(ALICE, IDENTITY, token))!], [...TOLD]);
  assert.equal(await homeOfToken(appOf('2'), IDENTITY, token), undefined);
  assert.equal(await homeOfToken(ALICE, IDENTITY, 'data:,1-2'), undefined);
  assert.equal(await tokenOfHome(ALICE, IDENTITY, new Map(TOLD)), token);
  assert.equal(isHomeDigest(token), false);
});

it('A thousand rooms are listed, and of many more there is a digest', async () => {
  const random = randomFrom(5);
  const digest = () => Buffer.from(Array.from({ length: 6 }, () => random(256))).toString('base64url');
  const rooms = (count: number) =>
    new Map(Array.from({ length: count }, (_, i) => [`Room ${i}`, { digest: digest(), token: `data:,${i}-${i}` }]));
  assert.equal(isHomeDigest(await tokenOfHome(ALICE, IDENTITY, rooms(1000))), false);
  const digestOf = await tokenOfHome(ALICE, IDENTITY, rooms(10_000));
  assert.equal(isHomeDigest(digestOf), true);
  assert.equal(await homeOfToken(ALICE, IDENTITY, digestOf), undefined);
});

it('A home lists the rooms that are known and not forgotten', async () => {
  const [known, unknown, forgotten] = ['Known|2|0|0|0|2|0|0|1|', 'Unknown|2|0|0|0|4|0|0|1|', 'Gone|2|0|0|0|18|0|0|1|'];
  const rows = await homeRows(appOf('1', [known!, unknown!, forgotten!]), IDENTITY);
  assert.deepEqual(
    rows.map(({ name }) => name),
    ['Known'],
  );
});
