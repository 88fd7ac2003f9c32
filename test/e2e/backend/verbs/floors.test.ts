import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { MAX_FLOOR_NAME_BYTES, MAX_FLOORS } from '../../../../src/limits/backend.ts';
import { startRoomServer } from '../../../support/room-server.ts';
import { WireClient } from '../../../support/wire-client.ts';
import { answers, people } from '../../../support/wire-users.ts';

describe('floors', () => {
  it('are made, renamed and removed by administrators', async (t) => {
    const { login } = await people(t);
    const [ann, boss] = [await login('ann'), await login('boss')];
    await answers(boss, [
      ['CFLR', '512 Blank floor name not allowed.'],
      ['CFLR Attic', '200 ok to create...'],
      ['CFLR Attic|1', '200 1'],
      ['CFLR attic|1', "574 Floor 'Attic' already exists."],
      ['EFLR', '200 Ok'],
      ['EFLR 1|Loft', '200 Ok'],
      ['EFLR 7|Nope', '561 Floor 7 is not in use.'],
      ['EFLR 99|Nope', '561 Floor 99 is not in use.'],
      ['EFLR 1|main floor', "574 Floor 'Main Floor' already exists."],
      [`CFLR ${'n'.repeat(MAX_FLOOR_NAME_BYTES + 1)}|1`, /^512 /],
      ['LFLR', '100 Known floors:\n0|Main Floor|52\n1|Loft|0'],
      ['CRE8 1|Up|0||1', /^200/],
      ['LKRA 1', /^100 Known rooms:\nUp\|2\|1\|64\|0\|486\|0\|0\|\d+\|$/],
      ['KFLR 1|1', '561 Cannot delete; floor contains 1 rooms.'],
      ['GOTO Up', /^200/],
      ['KILL 1', /^200/],
      ['KFLR 1|0', '200 Ok to delete...'],
      ['KFLR 1|1', '200 Ok'],
      ['KFLR 1|1', '561 Floor 1 not in use.'],
      ['KFLR 99|1', '561 Floor 99 not in use.'],
    ]);
    for (const line of ['CFLR x|1', 'EFLR 0|x', 'KFLR 0|1']) {
      assert.equal(await ann.text(line), '550 This command requires Admin access.');
    }
    assert.equal(await ann.text('LKRA 7'), '100 Known rooms:');
  });

  it('are sixteen at most', async (t) => {
    const { adminSocketPath } = await startRoomServer(t);
    const admin = await WireClient.connect(adminSocketPath);
    for (let num = 1; num < MAX_FLOORS; num++) assert.equal(await admin.text(`CFLR F${num}|1`), `200 ${num}`);
    assert.equal(await admin.text('CFLR F16|1'), '561 There is no space available for a new floor.');
    await admin.expect('KFLR 3|1', 200);
    assert.equal(await admin.text('CFLR F16|1'), '200 3');
  });
});
