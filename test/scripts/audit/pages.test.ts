// Tricks by which a page, a drawing or a style sheet could load or run something from elsewhere, and files that are
// none of the product's: each is refused, with its line.

import assert from 'node:assert/strict';
import { chmodSync, mkdirSync, mkdtempSync, rmSync, symlinkSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { describe, it } from 'node:test';
import { loadedBy } from '../../../scripts/audit/pages.ts';
import { folderOffences, rootOffences, treeEntries, treeFacts } from '../../../scripts/audit/tree.ts';
import { sourceOffences } from '../../../scripts/audit-rules.ts';

const offencesOf = (path: string, text: string) => sourceOffences(new Map([[path, text]]));

function refused(path: string, text: string, why: string): void {
  it(`is refused in ${path}: ${text}`, () => {
    const offences = offencesOf(path, text);
    assert.ok(
      offences.some((each) => each.startsWith(`${path}:1: ${why}`)),
      `${JSON.stringify(offences)} has no "${path}:1: ${why}"`,
    );
  });
}

describe('a page', () => {
  it('may load what is below the site, and lead anywhere', () => {
    const page =
      '<!doctype html>\n<html lang="en"><head><meta charset="utf-8"><title>a &amp; b</title>\n' +
      '<link rel="stylesheet" href="../s/css/app.css"><script type="module" async src="../s/landing.js"></script>\n' +
      '</head><body data-state="x"><!-- note --><p>1 > 0 <a href="https://example.org/">there</a>\n' +
      '<img src="../favicon.svg" alt="" width="1" height="1"></p></body></html>\n';
    assert.deepEqual(offencesOf('static/a.html', page), []);
    assert.deepEqual(loadedBy(page), ['static/css/app.css', 'static/landing.js']);
  });

  it('is refused with the line', () => {
    assert.deepEqual(offencesOf('static/a.html', '<p>\n\n<hr></hr></p>\n'), ['static/a.html:3: has the element hr']);
  });

  const script = 'has a script other than a module below ../s/';
  const refusals: [text: string, why: string][] = [
    ['<script type="module" src="https://cdn.example/x.js"></script>', 'loads https://cdn.example/x.js'],
    ['<script type="module" src="//cdn.example/x.js"></script>', 'loads //cdn.example/x.js'],
    ['<script type="module" src="\\\\cdn.example/x.js"></script>', 'loads \\\\cdn.example/x.js'],
    ['<script type="module" src=" https://cdn.example/x.js"></script>', 'loads  https://cdn.example/x.js'],
    ['<script type="module" src="ht&#116;ps://cdn.example/x.js"></script>', 'loads ht&#116;ps'],
    ['<script type="module" src="data:text/javascript,1"></script>', 'loads data:'],
    ['<script src=https://cdn.example/x.js></script>', 'cannot be parsed: <script src=https'],
    ["<script src='https://cdn.example/x.js'></script>", 'cannot be parsed: <script src='],
    ['<script src="../s/a.js"></script>', script],
    ['<script type="module">import "https://cdn.example/x.js";</script>', 'has an inline script'],
    ['<script>run()</script>', 'has an inline script'],
    ['<script type="importmap">{}</script>', script],
    ['<script type="speculationrules">{}</script>', script],
    ['<script type="module" src="../s/a.js" nonce="x"></script>', 'has nonce on script'],
    ['<SCRIPT SRC="x"></SCRIPT>', 'has the element SCRIPT'],
    ['<script/src="x"></script>', 'cannot be parsed'],
    ['<base href="https://cdn.example/">', 'has the element base'],
    ['<link rel="preload" href="a.js">', 'has a link of the type preload'],
    ['<link rel="modulepreload" href="a.js">', 'has a link of the type modulepreload'],
    ['<link rel="dns-prefetch" href="//cdn.example">', 'loads //cdn.example'],
    ['<link rel="stylesheet" href="//cdn.example/x.css">', 'loads //cdn.example/x.css'],
    ['<link rel="stylesheet icon" href="a.css">', 'has a link of the type stylesheet icon'],
    ['<link rel="stylesheet" href="a.css" imagesrcset="https://cdn.example/x">', 'has imagesrcset on link'],
    ['<link rel="stylesheet" href="a.css" href="b.css">', 'has href twice'],
    ['<meta http-equiv="refresh" content="0;url=https://cdn.example/">', 'has http-equiv on meta'],
    ['<meta name="robots" content="x">', 'has the meta element robots'],
    ['<img src="a.png" srcset="https://cdn.example/x.png 2x">', 'has srcset on img'],
    ['<img src="https://cdn.example/x.png">', 'loads https://cdn.example/x.png'],
    ['<img src="a.png" onerror="run()">', 'has onerror on img'],
    ['<a href="https://example.org/" ping="https://cdn.example/">x</a>', 'has ping on a'],
    ['<a href="javascript:run()">x</a>', 'loads javascript:run()'],
    ['<a href="java&#10;script:run()">x</a>', 'loads java&#10;script'],
    ['<a href="data:text/html,x">x</a>', 'loads data:'],
    ['<a href="//example.org/">x</a>', 'loads //example.org/'],
    ['<form method="post" action="https://cdn.example/"></form>', 'loads https://cdn.example/'],
    ['<button type="submit" formaction="https://cdn.example/">x</button>', 'has formaction on button'],
    ['<iframe src="https://cdn.example/"></iframe>', 'has the element iframe'],
    ['<iframe srcdoc="x"></iframe>', 'has the element iframe'],
    ['<object data="x"></object>', 'has the element object'],
    ['<video src="x"></video>', 'has the element video'],
    ['<picture><source srcset="x"></picture>', 'has the element picture'],
    ['<svg><script>run()</script></svg>', 'has the element svg'],
    ['<math><a href="x">x</a></math>', 'has the element math'],
    ['<template><p>x</p></template>', 'has the element template'],
    ['<style>@import "https://cdn.example/x.css";</style>', 'has the element style'],
    ['<p style="background:url(//cdn.example/x)">x</p>', 'has style on p'],
    ['<body onload="run()">x</body>', 'has onload on body'],
    ['<body background="x">x</body>', 'has background on body'],
    ['<html manifest="x">x</html>', 'has manifest on html'],
    ['<p is="x-y">x</p>', 'has is on p'],
    ['<x-y>x</x-y>', 'cannot be parsed'],
    ['<title><img src="https://cdn.example/x"></title>', 'has markup in title'],
    ['<noscript><p title="</noscript><script src=x>">x</p></noscript>', 'cannot be parsed'],
    ['<!-- > <script src="x"></script> -->', 'cannot be parsed'],
    ['<![CDATA[ <script> ]]>', 'cannot be parsed'],
    ['<?xml-stylesheet href="https://cdn.example/x.css"?>', 'cannot be parsed'],
    ['<!DOCTYPE html SYSTEM "https://cdn.example/x.dtd">', 'cannot be parsed'],
    ['<p/onclick="run()">x</p>', 'cannot be parsed'],
    ['<p id="a"class="b">x</p>', 'cannot be parsed'],
    ['<p>x', 'leaves p open'],
    ['<p>x</b></p>', 'closes b where p is open'],
  ];
  for (const [text, why] of refusals) refused('static/a.html', text, why);
});

describe('a drawing', () => {
  const open = '<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 1 1">';
  it('may have shapes', () => {
    assert.deepEqual(offencesOf('static/a.svg', `${open}<title>A</title><path d="M0 0h1" fill="none"/></svg>\n`), []);
  });
  const refusals: [inner: string, why: string][] = [
    ['<script>run()</script>', 'has the element script'],
    ['<script href="https://cdn.example/x.js"/>', 'has the element script'],
    ['<path d="M0 0" onclick="run()"/>', 'has onclick on path'],
    ['<path d="M0 0" style="fill:url(https://cdn.example/x)"/>', 'has style on path'],
    ['<path d="M0 0" fill="url(https://cdn.example/x)"/>', 'has fill="url(https://cdn.example/x)"'],
    ['<path d="M0 0" filter="url(x)"/>', 'has filter on path'],
    ['<image href="https://cdn.example/x.png"/>', 'has the element image'],
    ['<use href="https://cdn.example/x.svg#a"/>', 'has the element use'],
    ['<feImage href="https://cdn.example/x.png"/>', 'has the element feImage'],
    ['<a href="javascript:run()"></a>', 'has the element a'],
    ['<animate attributeName="href" to="javascript:run()"/>', 'has the element animate'],
    ['<set attributeName="onclick" to="run()"/>', 'has the element set'],
    ['<foreignObject></foreignObject>', 'has the element foreignObject'],
    ['<style>@import "https://cdn.example/x.css";</style>', 'has the element style'],
    ['<title>&x;</title>', 'has an entity'],
    ['<svg:script>run()</svg:script>', 'cannot be parsed'],
    ['<path d="M0 0" xlink:href="x"/>', 'cannot be parsed'],
    ['<![CDATA[<script>]]>', 'cannot be parsed'],
  ];
  for (const [inner, why] of refusals) refused('static/a.svg', `${open}${inner}</svg>`, why);
  refused('static/a.svg', '<!DOCTYPE svg [<!ENTITY x SYSTEM "https://cdn.example/">]><svg></svg>', 'cannot be parsed');
  refused('static/a.svg', '<?xml-stylesheet href="https://cdn.example/x.css"?><svg></svg>', 'cannot be parsed');
  refused('static/a.svg', '<svg xmlns="http://www.w3.org/1999/xhtml"></svg>', 'has xmlns=');
});

describe('a style sheet', () => {
  it('may have the functions that are known', () => {
    const sheet =
      '@media (width > 1px) { a:not(.b) { color: var(--c); content: "‹\\a0 url(x)" / ""; } } /* url(x) */\n';
    assert.deepEqual(offencesOf('static/a.css', sheet), []);
  });
  const refusals: [text: string, why: string][] = [
    ["@import 'https://cdn.example/x.css';", 'has @import'],
    ["@IMPORT 'x.css';", 'has @IMPORT'],
    ["@im\\70ort 'x.css';", 'cannot be parsed'],
    ['@font-face { src: url(x) }', 'has @font-face'],
    ['@namespace url(x);', 'has @namespace'],
    ['@charset "utf-7";', 'has @charset'],
    ['@supports (a: b) {}', 'has @supports'],
    ['a { background: url(https://cdn.example/x.png) }', 'uses url('],
    ['a { background: URL("x.png") }', 'uses URL('],
    ['a { background: u\\72l(x) }', 'cannot be parsed'],
    ['a { background: image-set("https://cdn.example/x.png" 1x) }', 'uses image-set('],
    ['a { background: -webkit-image-set("x" 1x) }', 'uses -webkit-image-set('],
    ['a { background: cross-fade(a, b) }', 'uses cross-fade('],
    ['a { background: image("x") }', 'uses image('],
    ['a { background: src("x") }', 'uses src('],
    ['a { behavior: expression(run()) }', 'uses expression('],
    ['a { background: paint(x) }', 'uses paint('],
    ['a/**/{ background: url/**/(x); mask: element(#x) }', 'uses element('],
    ['a { content: "x', 'cannot be parsed'],
    ['/* x', 'cannot be parsed'],
  ];
  for (const [text, why] of refusals) refused('static/a.css', text, why);
});

describe('a file', () => {
  const names = [
    'src/a.mjs',
    'src/a.cjs',
    'src/a.mts',
    'src/a.cts',
    'src/a.js',
    'src/a.jsx',
    'src/a.tsx',
    'src/a.node',
    'src/a.wasm',
    'src/a.json',
    'src/package.json',
    'src/tsconfig.json',
    'src/a.d.ts',
    'src/A.ts',
    'src/ä.ts',
    'src/a b.ts',
    'src/a',
    'src/.env',
    'src/node_modules/x/a.ts',
    'src/a.ts.map',
    'src/a.sh',
    'src/a.so',
    'src/a..ts',
    'src/-a.ts',
    'src/a.TS',
    'static/a.ts',
    'static/a.mjs',
    'static/a.jsx',
    'static/a.wasm',
    'static/a.json',
    'static/a.xhtml',
    'static/a.htm',
    'static/a.xml',
    'static/a.webmanifest',
    'static/package.json',
    'static/b.d.ts',
    'static/A.js',
    'static/а.js',
    'static/a.js.map',
    'static/a.pdf',
    'static/.htaccess',
    'static/a.woff2',
    'static/a.scss',
  ];
  for (const name of names) refused(name, '', 'is a file of an unknown type or name');
  refused('src/a.ts', '\uFEFFconst a = 1;', 'has the character U+FEFF');
  refused('src/a.ts', '// \u202E a', 'has the character U+202E');
  refused('src/a.ts', 'const a\u200B = 1;', 'has the character U+200B');
  refused('src/a.ts', '// a\u2028run();', 'has the character U+2028');
  refused('src/a.ts', 'const a = "\0";', 'has the character U+0000');
  refused('src/a.ts', 'const a = 1;\r\n', 'has the character U+000D');
  refused('static/a.png', '<script>', 'is no PNG picture');
  refused('static/openapi.json', 'run()', 'is no JSON');

  it('may be no link, no device and no program', (t) => {
    const root = mkdtempSync(join(tmpdir(), 'audit-'));
    t.after(() => rmSync(root, { recursive: true }));
    mkdirSync(`${root}/src/Odd`, { recursive: true });
    writeFileSync(`${root}/src/a.ts`, 'const a = 1;\n');
    symlinkSync('/etc/passwd', `${root}/src/b.ts`);
    symlinkSync('..', `${root}/src/up`);
    writeFileSync(`${root}/src/c.ts`, 'const c = 1;\n');
    chmodSync(`${root}/src/c.ts`, 0o755);
    writeFileSync(`${root}/src/d.ts`, Buffer.from([0x2f, 0x2f, 0xe4]));
    assert.deepEqual(treeFacts(treeEntries(root, ['src'])).offences, [
      'src/Odd:1: is a folder with an unknown name',
      'src/b.ts:1: is a symbolic link',
      'src/c.ts:1: is executable',
      'src/d.ts:1: is not UTF-8',
      'src/up:1: is a symbolic link',
    ]);
  });

  it('in the root is known, or refused', () => {
    const named = (name: string, isLink = false) => ({ name, isSymbolicLink: () => isLink });
    assert.deepEqual(rootOffences(['src', 'package.json', '.git', 'node_modules'].map((name) => named(name))), []);
    const tools = [
      '.npmrc',
      '.yarnrc.yml',
      '.pnpmfile.cjs',
      'npm-shrinkwrap.json',
      'yarn.lock',
      'binding.gyp',
      '.gitmodules',
      'jsconfig.json',
      '.env',
      'index.js',
      '.node-version',
      'bunfig.toml',
      '.husky',
      'vendor',
      'Package.json',
    ];
    for (const name of tools) {
      assert.deepEqual(rootOffences([named(name)]), [`${name}:1: is unknown in the root of the repository`]);
    }
    assert.deepEqual(rootOffences([named('src', true)]), ['src:1: is a symbolic link']);
  });

  it('of the scripts is known, or refused', () => {
    const file = (path: string, kind: 'file' | 'link' = 'file') => {
      return { path, kind, isExecutable: false, bytes: new Uint8Array() };
    };
    assert.deepEqual(folderOffences([file('scripts/build.ts'), file('scripts/node-runtime/package.json')]), []);
    const unknown = [
      'scripts/node-runtime/index.js',
      'scripts/node-runtime/.npmrc',
      'scripts/node-runtime/binding.gyp',
      'scripts/node_modules/x/index.js',
      'scripts/package.json',
      'scripts/tsconfig.json',
      'scripts/x.node',
      'scripts/x.mjs',
    ];
    for (const path of unknown) assert.deepEqual(folderOffences([file(path)]), [`${path}:1: is unknown`]);
    assert.deepEqual(folderOffences([file('scripts/a.ts', 'link')]), ['scripts/a.ts:1: is unknown']);
  });
});
