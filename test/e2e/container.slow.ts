// The steps of scripts/deploy/Containerfile, one after the other in a layer over this machine's own files: the image is
// made, its program runs as the account of the image, and the health check finds it well. Needs root or sudo.
// Run: npm run test:slow

import assert from 'node:assert/strict';
import { readFileSync } from 'node:fs';
import { it } from 'node:test';
import { builtBinary } from '../support/binary.ts';
import { runInLayer } from '../support/layer.ts';

const text = readFileSync(new URL('../../scripts/deploy/Containerfile', import.meta.url), 'utf8');
/** instruction → what it says */
const steps = new Map(
  [...text.matchAll(/^([A-Z]+) (.*)$/gm)].map(([, name, words]): [string, string] => [name!, words!]),
);
const step = (name: string) => steps.get(name) ?? assert.fail(name);
const wordsOf = (list: string) => (JSON.parse(/\[.*\]/.exec(list)![0]) as string[]).join(' ');

it('the image of the Containerfile serves, stops, and is well by its own health check', () => {
  const [from, to] = step('COPY').split(' ');
  assert.equal(from, 'dist/vestibule');
  const as = `setpriv --reuid ${step('USER')} --regid ${step('USER')} --clear-groups env ${step('ENV')}`;
  const script = `
${step('RUN')}
cd ${step('WORKDIR')}
${as} ${wordsOf(step('ENTRYPOINT'))} --port 18504 >/tmp/out 2>/tmp/err &
for i in $(seq 300); do grep -q Listening /tmp/out && break; sleep 0.1; done
cat /tmp/out
${as} VESTIBULE_PORT=18504 ${wordsOf(step('HEALTHCHECK'))}
echo "healthy: $?"
kill $!; wait $!
echo "stopped: $?"
${as} VESTIBULE_PORT=18504 ${wordsOf(step('HEALTHCHECK'))} >/dev/null
echo "then: $?"
`;
  const output = runInLayer(script, { from: builtBinary(), to: to! });
  assert.match(output, /^Listening on http:/m);
  assert.match(output, /^healthy: 0$/m, output);
  assert.match(output, /^stopped: 0$/m);
  assert.match(output, /^then: 1$/m);
  assert.equal(step('VOLUME'), step('WORKDIR'));
});
