import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { AppError } from '../../src/errors.ts';
import { type CallHandler, type CallMessage, Calls } from '../../src/fleet/calls.ts';

function connected(handlers: Record<string, CallHandler>): Calls {
  const post = (to: () => Calls) => (message: CallMessage) => {
    const copy = structuredClone(message);
    setImmediate(() => to().take(copy));
  };
  const near: Calls = new Calls(
    post(() => far),
    {},
  );
  const far: Calls = new Calls(
    post(() => near),
    handlers,
  );
  return near;
}

describe('a call to another process', () => {
  it('is answered, at once or later, whatever came between', async () => {
    const slow = Promise.withResolvers<string>();
    const calls = connected({ double: (n: number) => 2 * n, wait: () => slow.promise, nothing: () => undefined });
    const waiting = calls.call('wait');
    assert.equal(await calls.call('double', 21), 42);
    assert.equal(await calls.call('nothing'), undefined);
    slow.resolve('late');
    assert.equal(await waiting, 'late');
  });

  it('throws the error of the other end with all that a client is told', async () => {
    const condition = { name: 'no-conflicting-lock', hrefs: ['/a'] };
    const thrown = new AppError('locked', 'Somebody has it.', { retryAfterSeconds: 3, backendCode: 540, condition });
    const calls = connected({
      fail: () => {
        throw thrown;
      },
    });
    await assert.rejects(calls.call('fail'), (error: AppError) => {
      assert.ok(error instanceof AppError);
      const { code, message, retryAfterSeconds, backendCode } = error;
      assert.deepEqual([code, message, retryAfterSeconds, backendCode], ['locked', thrown.message, 3, 540]);
      assert.deepEqual(error.condition, condition);
      return true;
    });
  });

  it('throws what the operating system said with its code', async () => {
    const full = Object.assign(new Error('write'), { code: 'ENOSPC' });
    await assert.rejects(connected({ write: () => Promise.reject(full) }).call('write'), { code: 'ENOSPC' });
  });

  it('is a fault where there is no such call, or the other end has one', async () => {
    const calls = connected({ fault: () => (undefined as unknown as string).length });
    await assert.rejects(calls.call('unknown'), /Unknown call unknown/);
    await assert.rejects(calls.call('constructor'), /Unknown call constructor/);
    await assert.rejects(
      calls.call('fault'),
      (error: Error) => !(error instanceof AppError) && /TypeError/.test(error.message),
    );
  });

  it('fails with busy when the other end is gone, before and after', async () => {
    const calls = connected({ wait: () => new Promise(() => {}) });
    const waiting = calls.call('wait');
    calls.end();
    await assert.rejects(waiting, { code: 'busy', retryAfterSeconds: 1 });
    await assert.rejects(calls.call('wait'), { code: 'busy' });
  });
});
