// The circuit breaker: who has failed too often in a row is left alone, and probed.

import assert from 'node:assert/strict';
import { afterEach, beforeEach, describe, it, mock } from 'node:test';
import { FIRST_PROBE_MS, LAST_PROBE_MS, MAX_FAILURES_IN_A_ROW } from '../../../src/limits/protocol.ts';
import { Circuit } from '../../../src/room-server/connection/connector.ts';

function start() {
  const probes: PromiseWithResolvers<void>[] = [];
  const opened: unknown[] = [];
  const circuit = new Circuit({
    probe: () => {
      probes.push(Promise.withResolvers());
      return probes.at(-1)!.promise;
    },
    opened: (error) => opened.push(error),
  });
  const fail = (times: number) => {
    for (let i = 0; i < times; i++) circuit.failed();
  };
  return { circuit, probes, opened, fail };
}

const settled = () => new Promise((resolve) => setImmediate(resolve));

describe('a circuit', () => {
  beforeEach(() => mock.timers.enable({ apis: ['setTimeout'] }));
  afterEach(() => mock.timers.reset());

  it('lets everybody through until so many failures in a row, and then nobody', () => {
    const { circuit, opened, fail } = start();
    fail(MAX_FAILURES_IN_A_ROW - 1);
    circuit.check();
    assert.equal(opened.length, 0);
    fail(1);
    assert.throws(() => circuit.check(), { code: 'backend_unreachable', retryAfterSeconds: 1 });
    assert.equal(opened.length, 1);
    fail(1); // of those that were under way
    assert.equal(opened.length, 1);
  });

  it('counts those in a row: what has come meanwhile takes them back', () => {
    const { circuit, fail } = start();
    fail(MAX_FAILURES_IN_A_ROW - 1);
    circuit.heard();
    fail(MAX_FAILURES_IN_A_ROW - 1);
    circuit.check();
  });

  it('is closed again by a probe that is answered; there is one at a time, and a longer pause each time', async () => {
    const { circuit, probes, fail } = start();
    fail(MAX_FAILURES_IN_A_ROW);
    mock.timers.tick(FIRST_PROBE_MS - 1);
    assert.equal(probes.length, 0);
    mock.timers.tick(1);
    assert.equal(probes.length, 1);
    mock.timers.tick(10 * LAST_PROBE_MS);
    assert.equal(probes.length, 1, 'the first one is still under way');
    let pause = FIRST_PROBE_MS;
    for (let i = 1; i < 8; i++) {
      probes.at(-1)!.reject(new Error('silence'));
      await settled();
      pause = Math.min(2 * pause, LAST_PROBE_MS);
      mock.timers.tick(pause - 1);
      assert.equal(probes.length, i);
      mock.timers.tick(1);
      assert.equal(probes.length, i + 1);
    }
    assert.equal(circuit.isOpen, true);
    probes.at(-1)!.resolve();
    await settled();
    circuit.check();
    fail(MAX_FAILURES_IN_A_ROW - 1);
    circuit.check();
  });

  it('is closed by whatever comes from the room server', () => {
    const { circuit, fail } = start();
    fail(MAX_FAILURES_IN_A_ROW);
    circuit.heard();
    circuit.check();
  });

  it('probes no more when it is closed for good', async () => {
    const { circuit, probes, fail } = start();
    fail(MAX_FAILURES_IN_A_ROW);
    circuit.close();
    mock.timers.tick(10 * LAST_PROBE_MS);
    assert.equal(probes.length, 0);
  });
});
