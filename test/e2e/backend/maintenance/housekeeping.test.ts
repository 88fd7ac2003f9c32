import assert from 'node:assert/strict';
import { describe, it, type TestContext } from 'node:test';
import { Housekeeper } from '../../../../src/backend/maintenance/housekeeping.ts';
import { startRoomServer } from '../../../support/room-server.ts';
import { WireClient } from '../../../support/wire-client.ts';

describe('the daily removal', () => {
  const HOUR = 3_600_000;
  /** 11 in the morning, local time */
  const start = new Date(2030, 4, 10, 11).getTime();

  async function site(t: TestContext, options: { syncDays?: number } = {}) {
    t.mock.timers.enable({ apis: ['Date', 'setInterval'], now: start });
    const world = await startRoomServer(t, options);
    const admin = await WireClient.login(world.socketPath, 'admin', 'adminpw');
    t.after(() => admin.close());
    await admin.expect('CRE8 1|Box|0', 200);
    await admin.expect('GOTO Box', 200);
    await admin.expect('SPEX room|3|1', 200);
    await admin.send('ENT0 1||0|1|x||1', 'text');
    const passes = async (hours: number) => {
      t.mock.timers.tick(hours * HOUR);
      await world.server.housekeeper.done();
      return (await admin.expect('MSGS ALL', 100)).lines.length;
    };
    return { world, admin, passes };
  }

  it('comes once a day, at the hour of c_purge_hour', async (t) => {
    const { admin, passes } = await site(t);
    await admin.expect('CONF PUTVAL|c_purge_hour|15', 200);
    assert.equal(await passes(3), 1); // 14 h
    assert.equal(await passes(2), 1); // 16 h: the message is not old enough yet
    assert.equal(await passes(22), 1); // 14 h of the next day: now it is
    assert.equal(await passes(2), 0); // 16 h
  });

  it('comes at most once a day, whatever the hour is set to', async (t) => {
    const { world, admin, passes } = await site(t);
    let runs = 0;
    const { setConfig } = world.store;
    world.store.setConfig = (name: string, value: string) => {
      if (name === 'last_purge') runs++;
      setConfig.call(world.store, name, value);
    };
    for (const hour of ['99', '-5', 'x', '23']) {
      await admin.expect(`CONF PUTVAL|c_purge_hour|${hour}`, 200);
      runs = 0;
      for (let i = 0; i < 24; i++) await passes(1);
      assert.ok(runs <= 2, `${runs} with ${hour}`);
    }
  });

  it('is made up for by a server that did not run at that hour', async (t) => {
    const { world, passes } = await site(t);
    assert.equal(await passes(1), 1);
    world.server.housekeeper.stop();
    t.mock.timers.setTime(start + 50 * HOUR);
    world.server.housekeeper.check();
    assert.equal(await passes(0), 1, 'a housekeeper that was stopped does nothing');
    const next = new Housekeeper(world.store, assert.ifError);
    t.after(() => next.stop());
    await next.done();
    assert.equal(await passes(0), 0);
  });

  it('forgets which members were removed as many days ago as the operator says', async (t) => {
    const { world, admin, passes } = await site(t, { syncDays: 2 });
    const { lines } = await admin.expect('MSGS ALL', 100);
    await admin.expect(`DELE ${lines[0]}`, 200);
    const id = (await admin.expect('MEMB find', 100)).line.slice(4).split('|')[0];
    await passes(47);
    await admin.expect('TDAP', 200);
    await world.server.housekeeper.done();
    assert.equal((await admin.expect(`MEMB removed|${id}|1`, 100)).lines.length, 1);
    await passes(2);
    await admin.expect('TDAP', 200);
    await world.server.housekeeper.done();
    await admin.expect(`MEMB removed|${id}|1`, 576);
    await admin.expect(`MEMB removed|${id}|2`, 100);
  });

  it('comes at once when an administrator sends TDAP', async (t) => {
    const { world, admin, passes } = await site(t);
    await admin.expect('CONF PUTVAL|c_purge_hour|10', 200);
    assert.equal(await passes(22.5), 1);
    await admin.expect('SPEX room|2|1', 200);
    await admin.send('ENT0 1||0|1|y||1', 'text');
    assert.equal(await admin.text('TDAP'), '200 Manually initiating a purger run now.');
    await world.server.housekeeper.done();
    assert.equal(await passes(0), 1);
    await admin.expect('LOUT', 200);
    await admin.expect('TDAP', 520);
  });
});
