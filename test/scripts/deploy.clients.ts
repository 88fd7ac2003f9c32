// The unit as systemd's own tool judges it: what it may do is little.

import assert from 'node:assert/strict';
import { execFileSync } from 'node:child_process';
import { it } from 'node:test';
import { fileURLToPath } from 'node:url';

const unit = fileURLToPath(new URL('../../scripts/deploy/vestibule.service', import.meta.url));

it('the unit has an exposure below 2 of 10', () => {
  const output = execFileSync('systemd-analyze', ['security', '--offline=true', unit], { encoding: 'utf8' });
  const [, level] = /Overall exposure level for \S+: ([\d.]+)/.exec(output)!;
  assert.ok(Number(level) < 2, `${level}`);
});
