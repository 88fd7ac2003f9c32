import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { MAX_INFO_TEXT_BYTES } from '../../../../../src/limits/backend.ts';
import { startRoomServer } from '../../../../support/room-server.ts';
import { WireClient } from '../../../../support/wire-client.ts';
import { answers } from '../../../../support/wire-users.ts';

describe('users', () => {
  it('set their own flags within the mask', async (t) => {
    const { socketPath } = await startRoomServer(t, { users: { ann: 4 } });
    const ann = await WireClient.login(socketPath, 'ann', 'annpw');
    await answers(ann, [
      ['GETU', '200 80|24|10768|'],
      ['SETU 80|24', '512 Usage error.'],
      ['SETU 100|50|0', '200 Ok'],
      ['GETU', '200 80|24|0|'],
      ['SETU 80|24|-1', '200 Ok'],
      ['GETU', '200 80|24|27634|'],
    ]);
  });

  it('have a profile and addresses', async (t) => {
    const { socketPath } = await startRoomServer(t, { users: { ann: 4 } });
    const ann = await WireClient.login(socketPath, 'ann', 'annpw');
    await ann.send('EBIO', 'I am Ann.\n 000\n000x\n\nBye ünï\n');
    assert.match(await ann.text('RBIO ANN'), /^100 OK\|ann\|2\|4\|\d+\|0\|0\nI am Ann\.\n 000\n000x\n\nBye ünï$/);
    await ann.send('EBIO', 'x'.repeat(MAX_INFO_TEXT_BYTES));
    assert.match(await ann.text('RBIO ann'), /Bye/, 'too much is dropped as a whole');
    await ann.send('EBIO', '');
    assert.deepEqual((await ann.ask('RBIO ann')).lines, []);
    const address = (await ann.ask('GVEA')).lines[0]!;
    assert.match(address, /^ann@/);
    await answers(ann, [
      ['GVSN', '100 valid screen names:\nann'],
      [`ISME ${address}`, '200 ann'],
      ['ISME admin', '512 Not you.'],
      [`QDIR ${address}`, '200 ann'],
      ['QDIR x@example.org', '570 x@example.org was not found.'],
      ['QDIR', '570  was not found.'],
      ['RBIO nosuch', '570 No such user.'],
    ]);
  });

  it('are told of new mail by CHEK and BIFF', async (t) => {
    const { socketPath } = await startRoomServer(t, { users: { ann: 4, cal: 4 } });
    const ann = await WireClient.login(socketPath, 'ann', 'annpw');
    const cal = await WireClient.login(socketPath, 'cal', 'calpw');
    await cal.expect('GOTO _MAIL_', 200);
    await cal.send('ENT0 1|ann||4|hi||1', 'Content-type: text/plain\n\nx\n');
    assert.match(await ann.text('CHEK'), /^200 1\|0\|0\|/);
    assert.equal(await ann.text('BIFF'), '200 1');
    assert.equal(await ann.text('BIFF'), '200 0');
    await ann.expect('GOTO _MAIL_', 200);
    await ann.expect('SLRP HIGHEST', 200);
    assert.match(await ann.text('CHEK'), /^200 0\|/);
  });
});
