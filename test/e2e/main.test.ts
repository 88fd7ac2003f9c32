// What the program says to whoever starts it with what cannot be: one line in words, an exit code, and nothing left
// behind.

import assert from 'node:assert/strict';
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdir, mkdtemp, open, readdir, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { after, describe, it } from 'node:test';
import { fileURLToPath } from 'node:url';
import { runVestibule, startGateway } from '../support/gateway.ts';

const main = fileURLToPath(new URL('../../src/main.ts', import.meta.url));
const folder = await mkdtemp(join(tmpdir(), 'vestibule-'));
after(() => rm(folder, { recursive: true, force: true }));
const ENV = { VESTIBULE_PASSWORD: 'x', VESTIBULE_ADMIN_PASSWORD: 'secret' };
const LONG = 'x'.repeat(300);

/** What it says of itself: not that an administrator was made, nor that a busy machine has held it up. */
function complaintIn(err: string): string {
  return err.replace('Created the account admin\n', '').replace(/^.* stall: .*\n/gm, '');
}

/** A folder with this file in it. */
async function folderWith(name: string, file: string, content: string): Promise<string> {
  const path = join(folder, name);
  await mkdir(path);
  await writeFile(join(path, file), content);
  return path;
}

describe('a data folder that cannot be one', async () => {
  const file = join(folder, 'letter.txt');
  await writeFile(file, 'Dear Ann,\n');
  const serve = ['--port', '0'];
  for (const [path, command, words] of [
    ['/proc/x', serve, 'no such file or folder'],
    ['/dev/null/x', ['user', 'add', 'Ann'], 'a part of the path is not a folder'],
    [file, ['user', 'add', 'Ann'], 'something with this name already exists'],
    [join(folder, 'new', LONG), serve, 'the name is too long'],
  ] as const) {
    it(`is told: ${words}`, async () => {
      const message = `The folder ${path} cannot be used: ${words}; choose another one.\n`;
      const before = await readdir(folder);
      const { code, out, err } = await runVestibule([...command, '--data', path], ENV);
      assert.deepEqual([code, out, complaintIn(err)], [1, '', message]);
      assert.deepEqual(await readdir(folder), before);
    });
  }
});

describe('a file that is not what the program has made', () => {
  for (const [name, content, message] of [
    [
      'vestibule.db',
      'Dear Ann,\n'.repeat(100),
      'The database FILE cannot be used: it is not a database, or it is damaged.',
    ],
    [
      'session-key',
      'x',
      'FILE is no session key. Remove the file to create a new key; all users have to log in again.',
    ],
    [
      'lock',
      'Dear Ann,\n'.repeat(100),
      'The file FILE cannot be used: it is not a database, or it is damaged; check what it is, or remove it.',
    ],
  ] as const) {
    it(`is named: ${name}`, async () => {
      const path = await folderWith(`with ${name}`, name, content);
      const { code, out, err } = await runVestibule(['--port', '0', '--data', path], ENV);
      const expected = `${message.replace('FILE', join(path, name))}\n`;
      assert.deepEqual([code, out, complaintIn(err)], [1, '', expected]);
    });
  }
});

describe('a backup', async () => {
  const gateway = await startGateway({ after });
  for (const [path, words] of [
    [join(folder, 'none', 'x.db'), 'no such file or folder'],
    ['/dev/null/x.db', 'a part of the path is not a folder'],
    [join(folder, LONG), 'the name is too long'],
  ] as const) {
    it(`is not written where ${words}`, async () => {
      const before = await readdir(folder);
      const { code, out, err } = await runVestibule(['backup', path, '--data', gateway.dataFolder]);
      const message = `The backup ${path} cannot be written: ${words}; name another file.\n`;
      assert.deepEqual([code, out, complaintIn(err)], [1, '', message]);
      assert.deepEqual(await readdir(folder), before);
    });
  }

  it('is told apart from a database of something else', async () => {
    const empty = join(folder, 'empty.db');
    await writeFile(empty, '');
    const { code, err } = await runVestibule(['check', empty]);
    assert.deepEqual([code, err], [1, `${empty} is no database of Vestibule.\n`]);
  });
});

describe('an account', async () => {
  const gateway = await startGateway({ after });
  const add = (name: string, password: string) =>
    runVestibule(['user', 'add', name, '--data', gateway.dataFolder], { VESTIBULE_PASSWORD: password });
  for (const [what, name, password, message] of [
    ['a name that is taken', 'Admin', 'x', 'A user with this name, or a similar one, already exists.'],
    ['a password of two lines', 'Ann', 'a\nb', 'A password has 1 to 256 bytes, no | and no control characters.'],
  ] as const) {
    it(`does not get ${what}`, async () => {
      assert.deepEqual(await add(name, password), { code: 1, out: '', err: `${message}\n` });
    });
  }
});

describe('an address that cannot be listened on', () => {
  for (const [option, value, message] of [
    ['--host', '192.0.2.1', 'Cannot listen on 192.0.2.1: this machine does not have it; see --host and --port.'],
    [
      '--line-listen',
      'tcp://192.0.2.1:5504',
      '--line-listen cannot use tcp://192.0.2.1:5504: this machine does not have it; choose another address.',
    ],
  ] as const) {
    it(`is told: ${option}`, async () => {
      const data = join(folder, `data of ${option}`);
      const { code, out, err } = await runVestibule(['--port', '0', '--data', data, option, value], ENV);
      assert.deepEqual([code, out, complaintIn(err)], [1, '', `${message}\n`]);
    });
  }
});

describe('the output', () => {
  it('is a completion script, or the manual page', async () => {
    const completion = await runVestibule(['completion', 'bash']);
    assert.deepEqual([completion.code, completion.err], [0, '']);
    assert.match(completion.out, /complete .* vestibule\n$/);
    const page = await runVestibule(['man']);
    assert.deepEqual([page.code, page.err], [0, '']);
    assert.match(page.out, /^\.TH VESTIBULE 1/);
  });

  it('may be closed by whoever has read enough of it', async () => {
    const child = spawn(process.execPath, [main, '--help']);
    let said = '';
    child.stderr.setEncoding('utf8').on('data', (text: string) => (said += text));
    child.stdout.destroy();
    assert.deepEqual([await once(child, 'close'), said], [[0, null], '']);
  });

  it('that cannot be written is told in a line', async () => {
    const full = await open('/dev/full', 'w');
    const child = spawn(process.execPath, [main, '--help'], { stdio: ['ignore', full.fd, 'pipe'] });
    let said = '';
    child.stderr!.setEncoding('utf8').on('data', (text: string) => (said += text));
    const ended = await once(child, 'close');
    await full.close();
    assert.deepEqual([ended, said], [[1, null], 'The output cannot be written: the disk is full.\n']);
  });
});
