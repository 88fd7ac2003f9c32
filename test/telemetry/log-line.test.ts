// Lines of the log, in both formats: one line each, whatever a peer has sent.

import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { faultLine, type RequestEntry, requestLine, wordsLine } from '../../src/telemetry/log-line.ts';

const ENTRY: RequestEntry = {
  requestId: '4711',
  traceId: 'a'.repeat(32),
  user: 'Ann "x"\n2026',
  method: 'GET',
  route: '/svc/r/:room/',
  status: 200,
  bytes: 12,
  milliseconds: 3.11111,
  backendMilliseconds: 1.2345,
};
const TIME = /^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\.\d{3}Z /;

describe('a line of the log', () => {
  it('of a request has who, what and how long', () => {
    const text = requestLine('text', ENTRY);
    assert.equal(
      text.replace(TIME, ''),
      `[4711] "Ann \\"x\\"\\n2026" GET /svc/r/:room/ 200 12 B, 3.1 ms, backend 1.2 ms, trace ${'a'.repeat(32)}`,
    );
    assert.match(text, TIME);
    const { time, ...fields } = JSON.parse(requestLine('json', ENTRY));
    assert.ok(Math.abs(Date.parse(time) - Date.now()) < 60_000);
    assert.deepEqual(fields, {
      level: 'info',
      request: '4711',
      trace: 'a'.repeat(32),
      user: 'Ann "x"\n2026',
      method: 'GET',
      route: '/svc/r/:room/',
      status: 200,
      bytes: 12,
      milliseconds: 3.1,
      backend_milliseconds: 1.2,
    });
    assert.ok(!requestLine('json', ENTRY).includes('\n'));
  });

  it('of nobody on no route says so', () => {
    const entry = { ...ENTRY, user: undefined, route: '' };
    assert.match(requestLine('text', entry), /\[4711\] - GET - 200 /);
    const { user, route } = JSON.parse(requestLine('json', entry));
    assert.deepEqual([user, route], [undefined, '-']);
  });

  it('of a fault has its request, where there is one', () => {
    assert.equal(faultLine('text', '4711', 'Broken.').replace(TIME, ''), '[4711] Broken.');
    const parsed = (request: string) => {
      const { time, ...fields } = JSON.parse(faultLine('json', request, 'Error: a\n    at b.ts:1'));
      return fields;
    };
    assert.deepEqual(parsed('4711'), { level: 'error', request: '4711', message: 'Error: a\n    at b.ts:1' });
    assert.deepEqual(parsed('-'), { level: 'error', message: 'Error: a\n    at b.ts:1' });
  });

  it('of words is the words, or an object', () => {
    assert.equal(wordsLine('text', 'Reloaded: landing'), 'Reloaded: landing');
    const { level, message } = JSON.parse(wordsLine('json', 'Reloaded: landing'));
    assert.deepEqual([level, message], ['info', 'Reloaded: landing']);
  });
});
