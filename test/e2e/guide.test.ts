// The guide in static/guide/ and README.md: that what they show works, that their links lead somewhere, and that they
// say what --help says.

import assert from 'node:assert/strict';
import { existsSync, readdirSync, readFileSync } from 'node:fs';
import { mkdtemp, rm, symlink, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { describe, it } from 'node:test';
import { parseCommandLine } from '../../src/cli/options.ts';
import { picture } from '../../src/extra/demo/bodies.ts';
import { startGateway } from '../support/gateway.ts';
import {
  type Command,
  commandsOfPage,
  commandsOfReadme,
  guidePages,
  readme,
  runCommands,
  startTags,
  textsOf,
} from '../support/guide.ts';
import { sendHttp } from '../support/raw-http.ts';

const repository = new URL('../../', import.meta.url);
const README_LINES = 80;
const contributing = readFileSync(new URL('CONTRIBUTING.md', repository), 'utf8');
/** the files of the reader's own that the examples send */
const FILES = {
  'letter.txt': 'Dear Ann,\n',
  'banner.txt': 'A banner\n',
  'a.pdf': '%PDF-1.7\n',
  'report.pdf': '%PDF-1.7\n',
  'b.png': picture(8, 8),
  'me.png': picture(8, 8),
  'logo.png': picture(8, 8),
};

const help = (() => {
  const line = parseCommandLine(['--help'], {});
  assert.equal(line.command, 'help');
  return (line as { text: string }).text;
})();
const sorted = (words: Iterable<string>) => [...new Set(words)].sort();
const optionsIn = (text: string) => sorted(text.match(/--[a-z][a-z-]*/g) ?? []);
const variablesIn = (text: string) => sorted(text.match(/\bVESTIBULE_[A-Z_]+/g) ?? []);

describe('the examples', () => {
  const sources: [string, Command[]][] = [
    ['README.md', commandsOfReadme()],
    ...guidePages.map((page): [string, Command[]] => [page.name, commandsOfPage(page)]),
  ];
  for (const [name, commands] of sources.filter(([, commands]) => commands.length > 0)) {
    it(`of ${name} are answered as it says, one after the other`, async (t) => {
      const gateway = await startGateway(t, { demo: true, options: ['--line-listen', 'tcp://127.0.0.1:0'] });
      const folder = await mkdtemp(join(tmpdir(), 'guide-'));
      t.after(() => rm(folder, { recursive: true }));
      for (const [file, content] of Object.entries(FILES)) await writeFile(join(folder, file), content);
      await symlink(gateway.dataFolder, join(folder, 'data'));
      const complaints = await runCommands(commands, gateway, folder);
      assert.equal(complaints.length, 0, complaints.join('\n\n'));
      assert.deepEqual(gateway.faults, []);
    });
  }

  it('are found, all that name curl', () => {
    const shown = [readme, ...guidePages.map((page) => textsOf(page, 'pre').join('\n'))].join('\n');
    const found = sources.flatMap(([, commands]) => commands).map(({ text }) => text);
    const count = (text: string) => text.split(/\bcurl (?=[-$"])/).length - 1;
    assert.ok(found.length > 80, String(found.length));
    assert.equal(count(found.join('\n')), count(shown));
  });
});

describe('the pages of the guide', () => {
  const list = (html: string) =>
    /<nav class="pages"[\s\S]*?<\/nav>/.exec(html)?.[0].replace(' aria-current="page"', '');

  for (const page of guidePages) {
    it(`have a language, a title of their own, one main heading and the list of all: ${page.name}`, () => {
      assert.match(page.html, /^<!doctype html>\n<html lang="en">\n/);
      const [title = ''] = textsOf(page, 'title');
      assert.ok(title !== '' && guidePages.filter((each) => textsOf(each, 'title')[0] === title).length === 1, title);
      for (const name of ['h1', 'main', 'header']) assert.equal(startTags(page, name).length, 1, name);
      const levels = startTags(page).flatMap(({ name }) => (/^h[1-6]$/.test(name) ? Number(name[1]) : []));
      for (const [i, level] of levels.entries()) assert.ok(level <= (levels[i - 1] ?? 0) + 1, `h${level}`);
      const ids = startTags(page).flatMap(({ attributes }) => attributes.get('id') ?? []);
      assert.deepEqual(ids, [...new Set(ids)]);
      assert.equal(list(page.html), list(guidePages.find(({ name }) => name === 'index.html')!.html));
      const current = startTags(page, 'a').filter(({ attributes }) => attributes.get('aria-current') === 'page');
      assert.deepEqual(
        current.map(({ attributes }) => attributes.get('href')),
        [page.name],
      );
    });

    it(`need no script and no style of their own: ${page.name}`, () => {
      assert.deepEqual(startTags(page, 'script'), []);
      for (const { attributes } of startTags(page)) {
        assert.deepEqual(
          [...attributes.keys()].filter((name) => name === 'style' || name.startsWith('on')),
          [],
        );
      }
    });
  }

  it('lead to each other and to what the server has, under any prefix, and nowhere else', async (t) => {
    const { url } = await startGateway(t, { options: ['--prefix', '/a/b/'] });
    const base = new URL('/a/b/s/guide/', url);
    const known = new Map<string, number>();
    for (const page of guidePages) {
      for (const { name, attributes } of startTags(page)) {
        const address = attributes.get('href') ?? attributes.get('src');
        if (address === undefined) continue;
        const at = `${page.name}: <${name}> ${address}`;
        const target = new URL(address, new URL(page.name, base));
        assert.equal(target.origin, base.origin, at);
        const { pathname, hash } = target;
        if (!known.has(pathname)) known.set(pathname, (await sendHttp(url, pathname)).status);
        assert.equal(known.get(pathname), 200, at);
        if (hash === '') continue;
        const other = guidePages.find((each) => pathname === new URL(each.name, base).pathname);
        const ids = startTags(other!).map((tag) => tag.attributes.get('id'));
        assert.ok(ids.includes(hash.slice(1)), at);
      }
    }
    for (const { name } of guidePages) assert.ok(known.has(new URL(name, base).pathname), `nothing leads to ${name}`);
  });

  it('are served at s/guide/, with the policy of all pages', async (t) => {
    const { api } = await startGateway(t);
    const folder = await api('s/guide');
    assert.deepEqual([folder.status, folder.headers.get('location')], [308, '/svc/s/guide/']);
    const index = await api('s/guide/');
    assert.equal(index.status, 200);
    assert.match(index.headers.get('content-security-policy')!, /script-src 'self'/);
    assert.equal(await index.text(), guidePages.find(({ name }) => name === 'index.html')!.html);
  });

  it('are led to by the web client and by --help', async (t) => {
    const { api } = await startGateway(t);
    assert.match(await (await api('a/landing.html')).text(), /<a href="\.\.\/s\/guide\/">/);
    assert.match(help.split('\n').at(-1)!, /http:\/\/127\.0\.0\.1:8080\/svc\/s\/guide\//);
  });

  it('explain every option and variable that --help names, and no other', () => {
    const start = guidePages.find(({ name }) => name === 'start.html')!;
    const explained = textsOf(start, 'dt').join('\n');
    assert.deepEqual(sorted([...optionsIn(explained), '--version', '--help']), optionsIn(help));
    assert.deepEqual(
      variablesIn(explained),
      variablesIn(help).filter((name) => !['VESTIBULE_PORT', 'VESTIBULE_DEMO'].includes(name)),
    );
    for (const page of guidePages) {
      for (const text of textsOf(page, 'code')) {
        if (!/^(?:vestibule )?--/.test(text)) continue;
        for (const option of optionsIn(text)) assert.ok(optionsIn(help).includes(option), `${page.name}: ${option}`);
      }
    }
  });

  it('show command lines that the program takes', () => {
    const shown = guidePages.flatMap((page) => textsOf(page, 'pre')).flatMap((text) => commandLinesIn(text));
    const taken = shown.map(({ words, env }) => parseCommandLine(words, env).command);
    assert.deepEqual(sorted(taken), ['config', 'copy', 'doctor', 'serve', 'store', 'user']);
  });
});

/** What stands behind `vestibule`, or behind `npm start --`, and what is set before it. */
function commandLinesIn(text: string): { words: string[]; env: Record<string, string> }[] {
  const lines = text.replaceAll('\\\n', ' ').matchAll(/^((?:\w+=\S+ )*)(?:vestibule|npm start --)(.*)$/gm);
  return Array.from(lines, ([, before = '', behind = '']) => ({
    words: behind.replace(/ # .*/, '').split(/\s+/).filter(Boolean),
    env: Object.fromEntries(
      before
        .trim()
        .split(' ')
        .map((one) => one.split('=')),
    ),
  }));
}

describe('README.md and CONTRIBUTING.md', () => {
  it('keep the README short', () => {
    assert.ok(readme.trimEnd().split('\n').length <= README_LINES);
  });

  it('have links and paths that are there', () => {
    const text = `${readme}\n${contributing}`;
    const links = Array.from(text.matchAll(/\]\(([^)]+)\)/g), ([, path]) => path!);
    for (const { name } of guidePages) {
      if (name !== 'index.html') assert.ok(links.includes(`static/guide/${name}`), `no link to ${name}`);
    }
    const paths = Array.from(text.matchAll(/`((?:src|static|test|scripts|\.ci)\/[\w./-]*)`/g), ([, path]) => path!);
    for (const path of [...links, ...paths]) assert.ok(existsSync(new URL(path, repository)), path);
  });

  it('have every part of the sources in the tree', () => {
    const tree = /^```\nsrc\/[\s\S]*?^```/m.exec(contributing)?.[0] ?? '';
    const named = Array.from(tree.matchAll(/^src\/([\w-]+)\/ /gm), ([, name]) => name!);
    const folders = readdirSync(new URL('src/', repository), { withFileTypes: true }).filter((one) =>
      one.isDirectory(),
    );
    assert.deepEqual(sorted(named), sorted(folders.map(({ name }) => name)));
  });

  it('name options that the server has', () => {
    const table = /^\| option [\s\S]*?^$/m.exec(readme)?.[0] ?? '';
    assert.ok(optionsIn(table).length > 0);
    for (const option of optionsIn(table)) assert.ok(optionsIn(help).includes(option), option);
  });
});
