// Tricks by which a script could load or run something that the audit does not see: each is refused, with its line.

import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { sourceOffences } from '../../../scripts/audit-rules.ts';

const offencesOf = (path: string, text: string) => sourceOffences(new Map([[path, text]]));

describe('a script', () => {
  const allowed: [path: string, text: string][] = [
    ['src/http/b.ts', "import { readFileSync } from 'node:fs';\nimport type { B } from '../c.ts';\n"],
    ['src/gateway/b.ts', "import { a } from '../http/a.ts';\nexport { c } from './c.ts';\nexport * from './d.ts';\n"],
    ['src/main.ts', "const m = await import('./cli/user.ts');\nprocess.exitCode = m.code;\n"],
    ['src/main.ts', 'const stop = () => {};\nprocess.on("SIGINT", stop);\nconst { stdin } = process;\n'],
    [
      'src/a.ts',
      'const signal = new Map();\nsignal.require(1);\nclass A { constructor() { this.a = 1; } }\nconst o = { m() { return this; } };\n',
    ],
    ['src/a.ts', "const eval2 = 1, list = [], x = list[eval2], require = 'own name';\nx.require(require);\n"],
    [
      'src/backend/store/store.ts',
      "import { DatabaseSync } from 'node:sqlite';\nnew DatabaseSync('f', { timeout: 1 });\n",
    ],
    ['static/a/b.js', "import { a } from '../c.js';\nimport '../../src/mime/objects/x.ts';\n"],
    ['static/core/language.js', `const language = 'en';\nconst words = import(\`../words/\${language}.js\`);`],
    [
      'static/a.js',
      "const has = 'Notification' in globalThis;\nwindow.setTimeout(() => has, 1);\ndocument.querySelector('iframe');\n",
    ],
    ['static/api/a.js', "fetch('../s/icons.svg');\n"],
  ];
  for (const [path, text] of allowed) {
    it(`may be: ${text.trim()}`, () => assert.deepEqual(offencesOf(path, text), []));
  }

  const imports: [text: string, why: string][] = [
    ["import left from 'left-pad';", 'imports left-pad'],
    ["import fs from 'fs';", 'imports fs'],
    ["export * from '@scope/name';", 'imports @scope/name'],
    ["export { a } from 'left-pad';", 'imports left-pad'],
    ["import { type A } from 'left-pad';", 'imports left-pad'],
    ["import '#inner';", 'imports #inner'],
    ["import '/etc/x.ts';", 'imports /etc/x.ts'],
    ["import 'file:///x.ts';", 'imports file:///x.ts'],
    ["import 'data:text/javascript,1';", 'imports data:text/javascript,1'],
    ["import 'https://cdn.example/x.js';", 'imports https://cdn.example/x.js'],
    ["import '../node_modules/left-pad/index.js';", 'imports ../node_modules/left-pad/index.js'],
    ["import '../../other/src/x.ts';", 'imports ../../other/src/x.ts'],
    ["import '../static/core/x.js';", 'imports ../static/core/x.js'],
    ["import '../package.json' with { type: 'json' };", 'imports with attributes'],
    ["import './x.json';", 'imports ./x.json'],
    ["import './x.mjs';", 'imports ./x.mjs'],
    ["import './x.node';", 'imports ./x.node'],
    ["import './x.wasm';", 'imports ./x.wasm'],
    ["import './x';", 'imports ./x'],
    ["import './x.d.ts';", 'imports ./x.d.ts'],
    ["import './x.ts?y';", 'imports ./x.ts?y'],
    ["import './%2e%2e/x.ts';", 'imports ./%2e%2e/x.ts'],
    ["import './a/../../../x.ts';", 'imports ./a/../../../x.ts'],
    ["import './A.ts';", 'imports ./A.ts'],
    ["const m: unknown = await import('left-pad');", 'imports left-pad'],
    ["const m = await import('node:vm');", 'imports all of node:vm'],
    ["const m = await import('node:fs');", 'imports all of node:fs'],
    ["const m = await import('./x.ts', { with: { type: 'json' } });", 'imports with attributes'],
    ['const m = await import(name);', 'imports what is worked out when it runs'],
    ["const m = await import('./' + name);", 'imports what is worked out when it runs'],
    [`const m = await import(\`./\${name}.ts\`);`, 'imports what is worked out when it runs'],
    ['const m = await import(`left-pad`);', 'imports what is worked out when it runs'],
    ["import source x from './x.wasm';", 'cannot be parsed'],
    ["import defer * as x from './x.ts';", 'cannot be parsed'],
    ["import fs = require('fs');", 'cannot be parsed'],
    ["export = require('fs');", 'cannot be parsed'],
    ['enum A { b }', 'cannot be parsed'],
    ['@decorated class A {}', 'cannot be parsed'],
  ];
  for (const [text, why] of imports) refused('src/http/a.ts', text, why);

  const modules: [text: string, why: string][] = [
    ["import { runInThisContext } from 'node:vm';", 'imports node:vm'],
    ["import { WASI } from 'node:wasi';", 'imports node:wasi'],
    ["import inspector from 'node:inspector';", 'imports node:inspector'],
    ["import { start } from 'node:repl';", 'imports node:repl'],
    ["import cluster from 'node:cluster';", 'imports node:cluster'],
    ["import { setFlagsFromString } from 'node:v8';", 'imports node:v8'],
    ["import process from 'node:process';", 'imports node:process'],
    ["import { run } from 'node:test';", 'imports node:test'],
    ["import { fork } from 'node:child_process';", 'imports fork of node:child_process'],
    ["import { execFile } from 'node:child_process';", 'imports execFile of node:child_process'],
    ["import { spawn as read } from 'node:child_process';", 'imports spawn of node:child_process'],
    ["import * as c from 'node:child_process';", 'imports all of node:child_process'],
    ["import 'node:child_process';", 'imports node:child_process'],
    ["export { spawn } from 'node:child_process';", 'exports node:child_process'],
    ["export * from 'node:fs';", 'exports node:fs'],
    ["import fs from 'node:fs';", 'imports all of node:fs'],
    ["import { default as fs } from 'node:fs';", 'imports default of node:fs'],
    ["import { 'default' as fs } from 'node:fs';", 'imports default of node:fs'],
    ["import { createRequire as c } from 'node:module';", 'imports createRequire of node:module'],
    ["import { register } from 'node:module';", 'imports register of node:module'],
    ["import { registerHooks } from 'node:module';", 'imports registerHooks of node:module'],
    ["import Module from 'node:module';", 'imports all of node:module'],
    ["import { stripTypeScriptTypes } from 'node:module';", 'imports stripTypeScriptTypes of node:module'],
    ["import { Worker } from 'node:worker_threads';", 'imports Worker of node:worker_threads'],
    ["import { DatabaseSync } from 'node:sqlite';", 'imports DatabaseSync of node:sqlite'],
    ["import { setEngine } from 'node:crypto';", 'imports setEngine of node:crypto'],
    ["import { getAsset } from 'node:sea/x';", 'imports node:sea/x'],
  ];
  for (const [text, why] of modules) refused('src/system/a.ts', text, why);
  refused('src/protocol/a.ts', "import { readFileSync } from 'node:fs';", 'imports node:fs');
  refused('src/http/a.ts', "import { isSea } from 'node:sea';", 'imports node:sea');

  const server: [text: string, why: string][] = [
    ["const m = require('left-pad');", 'uses require'],
    ["module.require('x');", 'uses module'],
    ['exports.x = 1;', 'uses exports'],
    ['const c = require.main.constructor;', 'uses require'],
    ["eval('1');", 'uses eval'],
    ["(0, eval)('1');", 'uses eval'],
    ["const e = eval; e('1');", 'uses eval'],
    ["new Function('return 1')();", 'uses Function'],
    ["Function.prototype.constructor('1');", 'uses Function'],
    ["[].constructor.constructor('1')();", 'uses the property constructor'],
    ["''['constructor']['constructor']('1')();", 'uses the property constructor'],
    ["(() => 0)['con' + 'structor']('1')();", 'uses the property constructor'],
    ["const k = 'constr'; f[k + 'uctor']('1');", 'uses the property constructor'],
    [`f[\`con\${'struct'}or\`]('1');`, 'uses the property constructor'],
    ["f[a ? 'constructor' : 'b']('1');", 'uses the property constructor'],
    ["f['\\x63onstructor']('1');", 'uses the property constructor'],
    ['f.\\u0063onstructor("1");', 'uses the property constructor'],
    ["f?.constructor?.('1');", 'uses the property constructor'],
    ["const { constructor: F } = () => 0; F('1')();", 'uses the property constructor'],
    ["const { ['constructor']: F } = () => 0;", 'uses the property constructor'],
    ['({ constructor: F } = f);', 'uses the property constructor'],
    ["Reflect.construct(F, ['1']);", 'uses Reflect'],
    ["Reflect.get(a, 'b');", 'uses Reflect'],
    ['new Proxy(a, {});', 'uses Proxy'],
    ['Object.getPrototypeOf(async () => {});', 'uses Object.getPrototypeOf'],
    ["Object['getPrototypeOf'](f);", 'uses Object other than by a plain member'],
    ['const O = Object;', 'uses Object other than by a plain member'],
    ['f.__proto__.x = 1;', 'uses the property __proto__'],
    ["setTimeout('run()', 1);", 'calls setTimeout with code'],
    ["setInterval('ru' + 'n()', 1);", 'calls setInterval with code'],
    ['setImmediate(`run()`);', 'calls setImmediate with code'],
    ['WebAssembly.compile(b);', 'uses WebAssembly'],
    ['globalThis.process;', 'uses globalThis'],
    ["global['pro' + 'cess'];", 'uses global'],
    ['const g = globalThis;', 'uses globalThis'],
    ['const f = function () { return this; };', 'uses this outside a method'],
    ['const t = this;', 'uses this outside a method'],
    ['fetch("/x");', 'uses fetch'],
    ['new WebSocket("/x");', 'uses WebSocket'],
    ['navigator.x;', 'uses navigator'],
    ['__filename;', 'uses __filename'],
    ['{ let WebAssembly; }\nWebAssembly.x;', 'uses WebAssembly'],
    ['const f = (eval2) => eval2;\neval;', 'uses eval'],
    ['undeclared();', 'uses undeclared'],
    ["import.meta.resolve('x');", 'uses import.meta.resolve'],
    ['const m = import.meta;', 'uses import.meta'],
    ["import.meta['resolve']('x');", 'uses import.meta'],
    ['import.meta.url;', 'uses import.meta.url'],
    ['import.meta.main;', 'uses import.meta.main'],
    ["process.dlopen({}, '/x.node');", 'uses process.dlopen'],
    ["process['dlopen']({}, '/x.node');", 'uses process other than by a plain member'],
    ["process.binding('fs');", 'uses process.binding'],
    ["process._linkedBinding('fs');", 'uses process._linkedBinding'],
    ["process.mainModule.require('x');", 'uses process.mainModule'],
    ["process['mainModule'];", 'uses process other than by a plain member'],
    ["process?.['mainModule'];", 'uses process other than by a plain member'],
    ["process.getBuiltinModule('node:child_process');", 'uses process.getBuiltinModule'],
    ['const { getBuiltinModule } = process;', 'uses process.getBuiltinModule'],
    ['const { dlopen } = process;', 'uses process.dlopen'],
    ['const { dlopen: d = 1 } = process;', 'uses process.dlopen'],
    ["const { ['dl' + 'open']: d } = process;", 'uses process.…'],
    ['const { ...p } = process;', 'uses process.…'],
    ['let d; ({ dlopen: d } = process);', 'uses process other than by a plain member'],
    ["const p = process; p['dlo' + 'pen'];", 'uses process other than by a plain member'],
    ['const [p] = [process];', 'uses process other than by a plain member'],
    ['use(process);', 'uses process other than by a plain member'],
    ['const o = { process };', 'uses process other than by a plain member'],
    ["process.on('exit', f).dlopen;", 'uses what process.on answers'],
    ["const p = process.once('exit', () => {});", 'uses what process.once answers'],
    ["process.on('exit', a.method);", 'uses what process.on answers'],
    ["process.on('exit', function () { this.x; });", 'uses what process.on answers'],
    ['const { on } = process;', 'uses process.on'],
    ["process.env.NODE_OPTIONS = '--require x';", 'changes process.env'],
    ["process.env['NODE_OPTIONS'] += ' --import x';", 'changes process.env'],
    ['process.argv = [];', 'changes process.argv'],
    ['process.execArgv;', 'uses process.execArgv'],
    ['process.report;', 'uses process.report'],
    ['process.emitWarning = f;', 'uses process.emitWarning'],
    ['export { process };', 'cannot be parsed'],
    ['Error.prepareStackTrace = f;', 'uses the property prepareStackTrace'],
    ['function f() { arguments.callee; }', 'uses the property callee'],
    ["db.loadExtension('x');", 'uses the property loadExtension'],
    ['open({ allowExtension: true });', 'uses the property allowExtension'],
    ["connect({ clientCertEngine: 'x' });", 'uses the property clientCertEngine'],
    ["start({ execArgv: ['--import', 'x'] });", 'uses the property execArgv'],
    ['start({ eval: true });', 'uses eval'],
    ["const from = 'https://cdn.example/x.js';", 'names the address https://cdn.example/x.js'],
    ["const from = 'ht' + 'tps://cdn.example/x.js';", 'names the address https://cdn.example/x.js'],
    [`const from = \`https://cdn.example/\${x}\`;`, 'names the address https://cdn.example/'],
    ["const from = ' JavaScript:run()';", 'names the address  JavaScript:run()'],
    ["const from = '//cdn.example/x.js';", 'names the address //cdn.example/x.js'],
    ['//# sourceMappingURL=https://cdn.example/x.map', 'has a comment for tools'],
    ['//@ sourceURL=x.js', 'has a comment for tools'],
    ['/** @jsx h */', 'has a comment for tools'],
    ['debugger;', 'has DebuggerStatement'],
    ['with (a) b;', 'cannot be parsed'],
    ["function g(f) { process.on('exit', f); }\nconst f = () => {};", 'uses what process.on answers'],
    ['const { env } = process; env.NODE_OPTIONS = "x";', 'uses the property NODE_OPTIONS'],
    ['#!/bin/sh\n', 'names a program to run it'],
    ['const a = <b>c</b>;', 'cannot be parsed'],
    ['const a = ;', 'cannot be parsed'],
  ];
  for (const [text, why] of server) refused('src/http/a.ts', text, why);
  refused('src/workers/workers.ts', 'export = 1;', 'cannot be parsed');

  describe('that may make a process or a thread', () => {
    const spawn = "import { spawn } from 'node:child_process';\n";
    refused('src/workers/workers.ts', `${spawn}spawn('sh');`, 'uses spawn', 2);
    refused('src/workers/workers.ts', `${spawn}const s = spawn;`, 'uses spawn other than by a call', 2);
    refused('src/workers/workers.ts', `${spawn}export { spawn };`, 'uses spawn other than by a call', 2);
    refused(
      'src/workers/workers.ts',
      `${spawn}class W { #spawn() { spawn('sh'); } }`,
      '#spawn uses spawn and has changed: its code is now',
      2,
    );
    const worker = "import { Worker as W } from 'node:worker_threads';\n";
    refused('src/system/assets.ts', `${worker}new W('x');`, 'uses Worker', 2);
    refused('src/system/assets.ts', `${worker}class A extends W {}`, 'uses Worker other than by a call', 2);
    refused('src/system/assets.ts', "process.getBuiltinModule('node:vm');", 'uses process.getBuiltinModule');
    const start = "import { startThread } from '../system/assets.ts';\n";
    refused('src/http/a.ts', `${start}startThread(name);`, 'calls startThread with other than plain arguments', 2);
    const database = "import { DatabaseSync } from 'node:sqlite';\n";
    const store = 'src/backend/store/store.ts';
    refused(store, `${database}new DatabaseSync(f, o);`, 'calls DatabaseSync with other than plain arguments', 2);
    refused(store, `${database}new DatabaseSync(f, { ...o });`, 'calls DatabaseSync with other', 2);
    refused(store, `${database}new DatabaseSync(f, { ['a' + b]: 1 });`, 'calls DatabaseSync with other', 2);
    refused(store, `${database}const D = DatabaseSync;`, 'uses DatabaseSync other than by a call', 2);
  });

  const client: [text: string, why: string][] = [
    ["import fs from 'node:fs';", 'imports node:fs'],
    ["import 'https://cdn.example/x.js';", 'imports https://cdn.example/x.js'],
    ["import '../src/backend/start.ts';", 'imports ../src/backend/start.ts'],
    ["import './api/interface.d.ts';", 'imports ./api/interface.d.ts'],
    [`import(\`https://cdn.example/\${x}.js\`);`, 'imports what is worked out when it runs'],
    [`import(\`../words/\${language}.js\`);`, 'imports what is worked out when it runs'],
    ["new Worker('x.js');", 'uses Worker'],
    ["new SharedWorker('x.js');", 'uses SharedWorker'],
    ["importScripts('x.js');", 'uses importScripts'],
    ["fetch('x');", 'uses fetch'],
    ['new XMLHttpRequest();', 'uses XMLHttpRequest'],
    ["new WebSocket('x');", 'uses WebSocket'],
    ["window.eval('1');", 'uses window.eval'],
    ["window['ev' + 'al']('1');", 'uses window other than by a plain member'],
    ['const w = window;', 'uses window other than by a plain member'],
    ['const { eval: e } = globalThis;', 'uses globalThis other than by a plain member'],
    ['self.x;', 'uses self'],
    ['top.x;', 'uses top'],
    ["document.write('x');", 'uses document.write'],
    ["document['write']('x');", 'uses document other than by a plain member'],
    ['document.defaultView.eval;', 'uses document.defaultView'],
    ['const d = document;', 'uses document other than by a plain member'],
    ["a.innerHTML = '<b>';", 'uses the property innerHTML'],
    ["a['inner' + 'HTML'] = '<b>';", 'uses the property innerHTML'],
    ["a.insertAdjacentHTML('x', y);", 'uses the property insertAdjacentHTML'],
    ['range.createContextualFragment(x);', 'uses the property createContextualFragment'],
    ["document.createElement('p');", 'uses the property createElement'],
    ["element('script', { src });", 'makes <script>'],
    ["element('SCR' + 'IPT');", 'makes <SCRIPT>'],
    ["element(a ? 'script' : 'p');", 'makes <script>'],
    ["element('iframe');", 'makes <iframe>'],
    ["element('base');", 'makes <base>'],
    ["element('frame', { srcdoc: x });", 'uses the property srcdoc'],
    ["navigator.sendBeacon('x');", 'uses navigator.sendBeacon'],
    ["navigator.serviceWorker.register('x');", 'uses the property register'],
    ["open('https://cdn.example/');", 'uses open'],
    ["const from = 'https://cdn.example/';", 'names the address https://cdn.example/'],
    ["a.constructor.constructor('1');", 'uses the property constructor'],
    ["setTimeout('run()');", 'calls setTimeout with code'],
    ["window.setTimeout('run()');", 'calls setTimeout with code'],
    ['process.env;', 'uses process'],
    ["require('x');", 'uses require'],
    ['WebAssembly.x;', 'uses WebAssembly'],
    ['new Function("1");', 'uses Function'],
  ];
  for (const [text, why] of client) refused('static/a.js', text, why);
  refused('static/kinds/kind.d.ts', 'export const a = run();', 'has more than types');
  refused('static/kinds/kind.d.ts', "import 'x';", 'has more than types');

  function refused(
    path: string,
    text: string,
    why: string,
    line = text.startsWith('{ let') || /\neval|\nrun/.test(text) ? 2 : 1,
  ) {
    it(`is refused in ${path}: ${text}`, () => {
      const offences = offencesOf(path, text);
      assert.ok(
        offences.some((each) => each.startsWith(`${path}:${line}: ${why}`)),
        `${JSON.stringify(offences)} has no "${path}:${line}: ${why}"`,
      );
    });
  }
});
