// W3C Trace Context: what counts as a traceparent, and what a request makes of it.

import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { continuedTrace, formatTraceParent, parseTraceParent } from '../../src/telemetry/observer.ts';

const TRACE = '0af7651916cd43dd8448eb211c80319c';
const PARENT = 'b7ad6b7169203331';

describe('traceparent', () => {
  it('is read, the flag with it', () => {
    const expected = { traceId: TRACE, parentId: PARENT, isSampled: true };
    assert.deepEqual(parseTraceParent(`00-${TRACE}-${PARENT}-01`), expected);
    assert.deepEqual(parseTraceParent(`00-${TRACE}-${PARENT}-02`), { ...expected, isSampled: false });
    assert.deepEqual(parseTraceParent(`cc-${TRACE}-${PARENT}-01-what-comes-later`), expected);
  });

  it('that is none counts as none', () => {
    for (const text of [
      undefined,
      '',
      `00-${TRACE}-${PARENT}`,
      `00-${TRACE}-${PARENT}-01-more`,
      `00-${TRACE.toUpperCase()}-${PARENT}-01`,
      `00-${'0'.repeat(32)}-${PARENT}-01`,
      `00-${TRACE}-${'0'.repeat(16)}-01`,
      `ff-${TRACE}-${PARENT}-01`,
      `cc-${TRACE}-${PARENT}-01.x`,
      `00-${TRACE}-${PARENT}-01, 00-${TRACE}-${PARENT}-01`,
    ]) {
      assert.equal(parseTraceParent(text), undefined, text ?? 'none');
    }
  });

  it('is continued with an id of its own, or begun', () => {
    const caller = parseTraceParent(`00-${TRACE}-${PARENT}-01`);
    const continued = continuedTrace(caller);
    assert.match(formatTraceParent(continued), new RegExp(`^00-${TRACE}-(?!${PARENT})[0-9a-f]{16}-01$`));
    const begun = formatTraceParent(continuedTrace(undefined));
    assert.match(begun, /^00-[0-9a-f]{32}-[0-9a-f]{16}-00$/);
    assert.notEqual(begun, formatTraceParent(continuedTrace(undefined)));
  });
});
