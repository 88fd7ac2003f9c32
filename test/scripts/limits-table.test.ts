// The table of limits in the guide is that of src/limits: `npm run readme` writes it.

import assert from 'node:assert/strict';
import { it } from 'node:test';
import { fixedLimits, limitRows, untoldLimits } from '../../scripts/limits-table.ts';
import { MAX_LOCKS_PER_USER } from '../../src/limits/dav.ts';
import { MAX_BODY_BYTES, MAX_HTTP_CONNECTIONS } from '../../src/limits/http.ts';
import { MIB } from '../../src/limits/units.ts';
import { guidePages } from '../support/guide.ts';

it('the guide says the numbers of src/limits', () => {
  const { html } = guidePages.find(({ name }) => name === 'sizing.html')!;
  assert.equal(/<!-- npm run readme -->\n([\s\S]*?)<!-- end -->/.exec(html)?.[1], limitRows());
  assert.ok(limitRows().includes(`<td>${MAX_HTTP_CONNECTIONS} (<code>--max-connections</code>)</td>`));
  assert.ok(limitRows().includes(`<td>${MAX_BODY_BYTES / MIB} MiB (<code>--max-body</code>)</td>`));
});

it('what one client, account or user may have is set by an option', () => {
  assert.deepEqual(fixedLimits(), []);
  assert.ok(limitRows().includes(`<td>${MAX_LOCKS_PER_USER} (<code>--bound locks-of-user=</code>)</td>`));
});

it('the guide leaves out no bound on what one client, account or user may have', () => {
  assert.deepEqual(untoldLimits(), []);
});
