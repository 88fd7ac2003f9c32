// scripts/package/elf.ts on the Node that runs the tests, where that is one of Linux.

import assert from 'node:assert/strict';
import { execFileSync } from 'node:child_process';
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { it } from 'node:test';
import { withoutLibatomic, withoutSymbols } from '../../scripts/package/elf.ts';

it('Node without symbols and libatomic is smaller, runs, and is linked to the C and the C++ library only', (test) => {
  if (process.platform !== 'linux') return;
  const folder = mkdtempSync(join(tmpdir(), 'vestibule-elf-'));
  test.after(() => rmSync(folder, { recursive: true }));
  const node = readFileSync(process.execPath);
  const edited = withoutSymbols(node);
  assert.ok(edited.length < 0.8 * node.length, `${edited.length} of ${node.length} bytes`);
  withoutLibatomic(edited);
  const path = join(folder, 'node');
  writeFileSync(path, edited, { mode: 0o755 });
  // lists of V8 that are swapped: functions that are made and collected, and code of WebAssembly
  const script = `
    for (let i = 0; i < 2000; i++) new Function('return ' + i)();
    new WebAssembly.Instance(new WebAssembly.Module(new Uint8Array([0, 97, 115, 109, 1, 0, 0, 0])));
    const { Worker } = require('node:worker_threads');
    new Worker('for (let i = 0; i < 2000; i++) new Function(String(i))()', { eval: true });
    process.on('exit', () => console.log('done'));`;
  assert.equal(execFileSync(path, ['-e', script], { encoding: 'utf8' }), 'done\n');
  const libraries = execFileSync('ldd', [path], { encoding: 'utf8' });
  assert.match(libraries, /libstdc\+\+/);
  assert.doesNotMatch(libraries, /libatomic/);
  const again = Buffer.from(edited);
  withoutLibatomic(again);
  assert.ok(again.equals(edited), 'a second time nothing is left to do');
});

it('what is no executable of this kind is refused', () => {
  assert.throws(() => withoutSymbols(Buffer.from('#!/bin/sh\n')), /Not an executable/);
  assert.throws(() => withoutLibatomic(Buffer.from('#!/bin/sh\n')), /Not an executable/);
});
