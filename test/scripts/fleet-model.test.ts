// The simulation of a fleet: what queueing theory says of simple ones, and that what is short of time is found.

import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { type FleetPlan, quantiles, simulate } from '../../scripts/fleet-model.ts';

const NONE = { read: 0, post: 0, 'log-in': 0 };
const PLAN: FleetPlan = {
  gateways: 1,
  roomServers: 1,
  passwordThreads: 2,
  rates: { ...NONE, read: 100 },
  fanOut: 0,
  times: {
    gateway: { read: 0, post: 0, 'log-in': 0 },
    roomServer: { read: 1, post: 4, 'log-in': 1 },
    password: 80,
    store: 0,
    eventAtGateway: 0,
    eventAtRoomServer: 0,
    client: 0,
  },
  networkMs: 0,
};
const REQUESTS = 100_000;

function isNear(value: number, expected: number, share: number, what: string): void {
  assert.ok(Math.abs(value - expected) <= expected * share, `${what}: ${value}, not ${expected}`);
}

describe('a simulated fleet', () => {
  it('makes requests wait at one station as long as Pollaczek and Khinchine say', () => {
    for (const perSecond of [300, 600, 800]) {
      const load = perSecond / 1000;
      const { latency, busy } = simulate({ ...PLAN, rates: { ...NONE, read: perSecond } }, REQUESTS);
      // half of a service is fixed, half exponential: the square of its coefficient of variation is 1/4
      const expected = 1 + (load / (1 - load)) * ((1 + 1 / 4) / 2);
      isNear(latency.read.mean, expected, 0.1, `${perSecond} a second`);
      isNear(busy['room server'], load, 0.05, 'the share that it works');
    }
  });

  it('takes no longer than its parts where there is next to nothing to do', () => {
    const times = { ...PLAN.times, gateway: { read: 2, post: 2, 'log-in': 2 } };
    const { latency } = simulate({ ...PLAN, times, networkMs: 0.5, rates: { ...NONE, read: 1 } }, 10_000);
    isNear(latency.read.mean, 2 + 1 + 4 * 0.5, 0.05, 'gateway, room server and network');
  });

  it('says which part is busy first, and more of them help', () => {
    const rates = { ...NONE, read: 900, post: 10 };
    const short = simulate({ ...PLAN, rates }, REQUESTS);
    assert.equal(short.first, 'room server');
    const spread = simulate({ ...PLAN, rates, roomServers: 4 }, REQUESTS);
    assert.ok(spread.latency.read.p99 < short.latency.read.p99 / 3);
    const times = { ...PLAN.times, gateway: { read: 3, post: 3, 'log-in': 3 } };
    assert.equal(simulate({ ...PLAN, times, rates: { ...NONE, read: 300 } }, REQUESTS).first, 'gateway');
    assert.equal(simulate({ ...PLAN, rates: { ...NONE, 'log-in': 20 } }, 10_000).first, 'passwords');
  });

  it('lets streams that hear of posts cost the gateways and the room server', () => {
    const times = { ...PLAN.times, eventAtGateway: 0.1, eventAtRoomServer: 0.05 };
    const plan = { ...PLAN, times, rates: { ...NONE, post: 50 } };
    const [quiet, loud] = [simulate(plan, 20_000), simulate({ ...plan, fanOut: 100 }, 20_000)];
    isNear(loud.busy['room server'] - quiet.busy['room server'], 50 * 100 * 0.00005, 0.1, 'at the room server');
    isNear(loud.busy.gateway, 50 * 100 * 0.0001, 0.1, 'at the gateway');
  });

  it('is the same for the same seed', () => {
    assert.deepEqual(simulate(PLAN, 5000, 3), simulate(PLAN, 5000, 3));
    assert.notDeepEqual(simulate(PLAN, 5000, 3), simulate(PLAN, 5000, 4));
  });
});

it('quantiles are those of the values, and 0 of nothing', () => {
  const values = Array.from({ length: 100 }, (_, i) => 99 - i);
  assert.deepEqual(quantiles(values), { mean: 49.5, median: 50, p95: 95, p99: 99 });
  assert.deepEqual(quantiles([]), { mean: 0, median: 0, p95: 0, p99: 0 });
});
