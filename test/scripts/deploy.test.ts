// The files for operators in scripts/deploy: the guide shows them as they are, and their times go together with ours.

import assert from 'node:assert/strict';
import { readdirSync, readFileSync } from 'node:fs';
import { it } from 'node:test';
import { parseCommandLine } from '../../src/cli/options.ts';
import { BODY_WAIT_MS, DEFAULT_DRAIN_SECONDS, EVENTS_KEEP_ALIVE_MS } from '../../src/limits/http.ts';
import { guidePages, textsOf } from '../support/guide.ts';

const folder = new URL('../../scripts/deploy/', import.meta.url);
const textOf = (name: string) => readFileSync(new URL(name, folder), 'utf8');

/** options of other programs, and those that are spoken of */
const OTHERS = [
  ...['--config', '--drain-seconds', '--system', '--uid', '--home-dir', '--shell', '--file', '--tag', '--detach'],
  ...['--publish', '--volume', '--interval', '--timeout', '--start-period'],
];

it('the guide shows each file, and nothing else', () => {
  const page = guidePages.find(({ name }) => name === 'deploy.html')!;
  const files = readdirSync(folder).map((name) => textOf(name).trimEnd());
  assert.deepEqual(textsOf(page, 'pre').sort(), files.sort());
});

it('the unit gives the program the time that it gives its requests', () => {
  const [, seconds] = /^TimeoutStopSec=(\d+)$/m.exec(textOf('vestibule.service'))!;
  assert.ok(Number(seconds) > DEFAULT_DRAIN_SECONDS);
});

it('a proxy waits longer than an event stream is silent and than a body may pause', () => {
  const waits = ['nginx.conf', 'apache.conf', 'haproxy.cfg'].flatMap((name) =>
    [...textOf(name).matchAll(/(?:proxy_read_timeout |timeout (?:client|server) |timeout=)(\d+)/g)].map(
      ([, each]) => each,
    ),
  );
  assert.equal(waits.length, 4);
  for (const wait of waits) assert.ok(Number(wait) * 1000 > Math.max(EVENTS_KEEP_ALIVE_MS, BODY_WAIT_MS));
});

it('the options that the files name are there', () => {
  for (const name of readdirSync(folder)) {
    for (const [, option, value] of textOf(name).matchAll(/(--[a-z-]+)(?: (tcp:[\w.:/]*\d))?/g)) {
      if (OTHERS.includes(option!)) continue;
      assert.equal(parseCommandLine(value ? [option!, value] : [option!], {}).command, 'serve', `${name}: ${option}`);
    }
  }
});
