import assert from 'node:assert/strict';
import { it } from 'node:test';
import {
  answerText,
  binaryStart,
  collected,
  listing,
  listingStart,
  ok,
  statusLine,
  takeText,
} from '../../../src/backend/session/reply.ts';
import { STATUS } from '../../../src/protocol/status.ts';

it('replies have a code, a flag, a text, and what their class says', () => {
  assert.equal(ok('Lobby|1'), '200 Lobby|1\n');
  assert.equal(ok(7), '200 7\n');
  assert.equal(ok('ok', '*'), '200*ok\n');
  assert.equal(listing('Rooms:', ['a|1\n', 'b|2\n']), '100 Rooms:\na|1\nb|2\n000\n');
  assert.equal(listing(' ', '', '*'), '100* \n000\n');
  assert.equal(listingStart('msg:'), '100 msg:\n');
  assert.equal(statusLine(STATUS.moreNeeded, 'Password required for ann'), '300 Password required for ann\n');
  assert.equal(takeText('send now', 1, () => {}).reply, '400 send now\n');
  assert.equal(answerText('send message', 1, () => '').reply, '800 send message\n');
  assert.equal(binaryStart(12, -1, 'a.png', 'image/png', ''), '600 12|-1|a.png|image/png|\n');
  assert.equal(collected(12, () => {}).reply, '700 12\n');
  assert.equal(statusLine(STATUS.goingDown, 'Goodbye.'), '231 Goodbye.\n');
  assert.equal(statusLine(STATUS.unsupported, 'Invalid subcommand'), '530 Invalid subcommand\n');
});
