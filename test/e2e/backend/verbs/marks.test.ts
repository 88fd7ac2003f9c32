import assert from 'node:assert/strict';
import { it } from 'node:test';
import { startRoomServer } from '../../../support/room-server.ts';
import { WireClient } from '../../../support/wire-client.ts';

it('SLRP, SEEN and GTSN change what is new', async (t) => {
  const { socketPath } = await startRoomServer(t, { users: { ann: 4 } });
  const ann = await WireClient.login(socketPath, 'ann', 'annpw');
  await ann.expect('CRE8 1|Box|0||0|0|0', 200);
  await ann.expect('GOTO Box', 200);
  const numbers: number[] = [];
  for (let i = 0; i < 4; i++) {
    const confirmation = await ann.send('ENT0 1|||4|m||1', 'Content-type: text/plain\n\nx\n');
    numbers.push(Number(confirmation[0]));
  }
  const [a, b, c, d] = numbers;
  const isNew = async () => (await ann.text('GOTO Box')).split('|')[1];
  assert.equal(await ann.text('GTSN'), '200 *:0');
  assert.equal(await isNew(), '4');
  assert.equal(await ann.text(`SLRP ${b}`), `200 ${b}`);
  assert.equal(await isNew(), '2');
  assert.equal(await ann.text(`SEEN ${d}|1`), '200 OK');
  assert.equal(await ann.text('GTSN'), `200 ${a}:${b},${d}`);
  assert.equal(await isNew(), '1');
  assert.doesNotMatch(await ann.text('LKRN'), /Box/, 'the highest message is read');
  assert.equal(await ann.text(`SEEN ${c}`), '512 Invalid parameters');
  assert.equal(await ann.text('SEEN 999999|1'), '200 OK');
  assert.equal(await ann.text('SLRP highest'), `200 ${d}`);
  assert.equal(await ann.text('GTSN'), `200 *:${d}`);
  assert.equal(await isNew(), '0');
  assert.equal(await ann.text('SLRP abc'), '200 0');
  assert.equal(await isNew(), '4');
});
