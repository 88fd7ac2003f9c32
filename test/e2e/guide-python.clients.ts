// The Python of the guide, run as it stands with the Python of the machine.

import assert from 'node:assert/strict';
import { execFile } from 'node:child_process';
import { it } from 'node:test';
import { promisify } from 'node:util';
import { startGateway } from '../support/gateway.ts';
import { programOf } from '../support/guide.ts';

it('the Python of programs.html posts and reads a message', async (test) => {
  const { url } = await startGateway(test, { demo: true });
  const text = programOf('programs.html', 'python', url);
  const { stdout } = await promisify(execFile)('/usr/bin/python3', ['-c', text], { env: { no_proxy: '*' } });
  assert.match(stdout, /^Hello <div>Hello, everybody\./);
});
