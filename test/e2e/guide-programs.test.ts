// What the guide shows beside curl, run as it stands: a program (the Python: guide-python.clients.ts), and the drill of
// a backup. And that the changelog knows this version.

import assert from 'node:assert/strict';
import { execFile } from 'node:child_process';
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { it, type TestContext } from 'node:test';
import { fileURLToPath } from 'node:url';
import { promisify } from 'node:util';
import { startGateway } from '../support/gateway.ts';
import { guidePages, programOf, textsOf } from '../support/guide.ts';

const run = promisify(execFile);
const main = fileURLToPath(new URL('../../src/main.ts', import.meta.url));
const page = (name: string) => guidePages.find((each) => each.name === name)!;

function folderFor(test: TestContext): string {
  const folder = mkdtempSync(join(tmpdir(), 'guide-programs-'));
  test.after(() => rmSync(folder, { recursive: true }));
  return folder;
}

it('the JavaScript of programs.html posts and reads a message', async (test) => {
  const { url } = await startGateway(test, { demo: true });
  const file = join(folderFor(test), 'program.mjs');
  writeFileSync(file, programOf('programs.html', 'javascript', url));
  assert.match((await run(process.execPath, [file])).stdout, /^Hello <div>Hello, everybody\./);
});

it('the drill of backups.html succeeds beside a server that runs, and leaves nothing', async (test) => {
  const { dataFolder } = await startGateway(test, { demo: true });
  const folder = folderFor(test);
  const drill = /<pre class="drill"><code>([\s\S]*?)<\/code>/.exec(page('backups.html').html)![1]!;
  const lines = drill.replaceAll('&amp;', '&').split('\n');
  assert.equal(lines.length, 6);
  const vestibule = `vestibule() { '${process.execPath}' '${main}' "$@"; }`;
  const env = { PATH: '/usr/bin:/bin', VESTIBULE_DATA: dataFolder };
  const script = [vestibule, 'set -e', ...lines, 'ls -A'].join('\n');
  const { stdout } = await run('sh', ['-c', script], { cwd: folder, env });
  assert.match(stdout, /\talice\t/, 'the accounts are there again');
  assert.match(stdout.trimEnd().split('\n').at(-1)!, /\tbob\t/, 'and nothing is listed behind them');
});

it('the newest version of changelog.html is that of the program', () => {
  const { version } = JSON.parse(readFileSync(new URL('../../package.json', import.meta.url), 'utf8'));
  assert.equal(textsOf(page('changelog.html'), 'h2')[0], version);
});
