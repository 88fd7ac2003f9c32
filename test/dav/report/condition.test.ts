// Preconditions of reports.

import assert from 'node:assert/strict';
import { it } from 'node:test';
import { FailedCondition } from '../../../src/dav/report/condition.ts';
import { AppError } from '../../../src/errors.ts';

it('A precondition that does not hold is 403, with its element in the namespace of its RFC', () => {
  for (const [condition, namespace, name] of [
    [FailedCondition.dav('valid-sync-token'), 'DAV:', 'valid-sync-token'],
    [FailedCondition.calendar('supported-filter'), 'urn:ietf:params:xml:ns:caldav', 'supported-filter'],
    [FailedCondition.card('supported-filter'), 'urn:ietf:params:xml:ns:carddav', 'supported-filter'],
  ] as const) {
    assert.ok(condition instanceof AppError);
    assert.equal(condition.code, 'forbidden');
    assert.deepEqual(condition.condition, { namespace, name, hrefs: [] });
  }
});
