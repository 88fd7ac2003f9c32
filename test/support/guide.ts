// The guide and the README as a reader finds them: pages, links, and the commands that they show, which are run in
// order by a shell as one script.

import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { readdirSync, readFileSync } from 'node:fs';
import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import type { HtmlToken, StartTag } from '../../src/html/tags.ts';
import { tokenize } from '../../src/html/tokenizer.ts';
import type { TestGateway } from './gateway.ts';

export interface GuidePage {
  /** `'curl.html'` */
  name: string;
  html: string;
  tokens: readonly HtmlToken[];
}

export interface Command {
  text: string;
  /** of the last answer; undefined: not HTTP, or nothing is asked */
  status: number | undefined;
  /** what the answer is, `…` where the page leaves something out */
  output: string | undefined;
}

const repository = new URL('../../', import.meta.url);
/** what the examples ask; where the gateway of a test is, is put in its place */
const SHOWN_ADDRESS = 'http://127.0.0.1:8080';
const SHOWN_LINE_ADDRESS = 'telnet://127.0.0.1:504';
/** an event stream does not end by itself */
const STREAM_SECONDS = 10;
const TIMED_OUT = 28; // how curl ends then

export const readme = readFileSync(new URL('README.md', repository), 'utf8');

export const guidePages: readonly GuidePage[] = readdirSync(new URL('static/guide/', repository))
  .filter((name) => name.endsWith('.html'))
  .map((name) => {
    const html = readFileSync(new URL(`static/guide/${name}`, repository), 'utf8');
    return { name, html, tokens: [...tokenize(html)] };
  });

export function startTags({ tokens }: GuidePage, name?: string): StartTag[] {
  return tokens.filter((token) => token.type === 'start').filter((tag) => name === undefined || tag.name === name);
}

/** The text of each such element, of an outer one with that of the inner ones. */
export function textsOf({ tokens }: GuidePage, name: string): string[] {
  const texts: string[] = [];
  let depth = 0;
  for (const token of tokens) {
    if (token.type === 'start' && token.name === name && depth++ === 0) texts.push('');
    if (token.type === 'end' && token.name === name) depth--;
    if (token.type === 'text' && depth > 0) texts.push(texts.pop() + token.data);
  }
  return texts;
}

/** The block of the page in this language, asking a gateway at `url`. */
export function programOf(name: string, language: 'javascript' | 'python', url: string): string {
  const page = guidePages.find((each) => each.name === name)!;
  const languages = Array.from(page.html.matchAll(/<pre><code class="(\w+)">/g), ([, word]) => word);
  if (languages.length !== startTags(page, 'pre').length) throw new Error(`${name}: not each block says what it is`);
  return textsOf(page, 'pre')[languages.indexOf(language)]!.replaceAll(`${SHOWN_ADDRESS}/`, url);
}

/** The commands of those blocks that have one of curl, or only set variables for them. */
export function commandsOfPage({ tokens }: GuidePage): Command[] {
  const blocks: string[] = [];
  let isInside = false;
  for (const token of tokens) {
    if (token.type === 'start' && token.name === 'pre') {
      isInside = true;
      blocks.push('');
    } else if (token.type === 'end' && token.name === 'pre') isInside = false;
    else if (isInside && token.type === 'text') blocks.push(blocks.pop() + token.data);
    // each line of an output is marked, so that a block is lines of a script again
    else if (isInside && token.type === 'start' && token.name === 'samp') blocks.push(`${blocks.pop()}⇒`);
  }
  return blocks.flatMap(commandsOfBlock);
}

export function commandsOfReadme(): Command[] {
  return Array.from(readme.matchAll(/^```sh\n([\s\S]*?)^```$/gm), ([, block]) => block!).flatMap(commandsOfBlock);
}

function commandsOfBlock(block: string): Command[] {
  const isPreparing = block.split('\n').every((line) => /^(?:\w+=(?:'[^']*'|[^\s']*) ?)*$/.test(line));
  if (!isPreparing && !/\bcurl\b/.test(block)) return [];
  const isHttp = !block.includes('telnet:');
  const commands: Command[] = [];
  let isOutput = false;
  for (const line of block.replaceAll('\\\n', ' ').split('\n')) {
    const last = commands.at(-1);
    if (line.startsWith('⇒')) {
      isOutput = true;
      last!.output = line.slice(1);
    } else if (/^(?:\w+=|curl |printf )/.test(line)) {
      isOutput = false;
      const [text = '', comment = ''] = line.split(/ +# /);
      const asksHttp = isHttp && /\bcurl /.test(text);
      commands.push({
        text,
        status: asksHttp ? Number(/^\d{3}\b/.exec(comment)?.[0] ?? 200) : undefined,
        output: undefined,
      });
    } else if (isOutput) last!.output += `\n${line}`;
    else if (line.trim() !== '' && !line.startsWith('#')) throw new Error(`no command: ${line}`);
  }
  return commands;
}

/** Runs them in `folder`, one after the other in one shell, against this gateway; what was not as documented. */
export async function runCommands(
  commands: readonly Command[],
  { url, lineUrl }: TestGateway,
  folder: string,
): Promise<string[]> {
  const steps = commands.map(({ text }, at) => {
    const command = text
      .replaceAll(SHOWN_ADDRESS, url.replace(/\/$/, ''))
      .replaceAll(SHOWN_LINE_ADDRESS, lineUrl!.replace(/^tcp:/, 'telnet:'))
      .replaceAll('curl -N ', `curl -N -m ${STREAM_SECONDS} `);
    return `{ ${command}\n} >${at}.out 2>${at}.err\necho $? >${at}.code\n`;
  });
  // the status of an answer goes to stderr, whatever a command does with what it prints
  const curl = String.raw`curl() { command curl -sS --noproxy '*' -w '%{stderr}\nstatus %{http_code}\n' "$@"; }`;
  const shell = spawn('sh', [], { cwd: folder, stdio: ['pipe', 'inherit', 'inherit'] });
  const closed = once(shell, 'close');
  shell.stdin.end(`${curl}\n${steps.join('')}`);
  await closed;
  const complaints: string[] = [];
  for (const [at, command] of commands.entries()) {
    const [out = '', err = '', code = ''] = await Promise.all(
      ['out', 'err', 'code'].map((name) => readFile(join(folder, `${at}.${name}`), 'utf8')),
    );
    const told = whatIsWrong(command, out.replaceAll('\r\n', '\n').trimEnd(), err, Number(code));
    if (told !== undefined) complaints.push(`${command.text}\n${told}\n${err}${out.slice(0, 2000)}`);
  }
  return complaints;
}

function whatIsWrong({ text, status, output }: Command, out: string, err: string, code: number): string | undefined {
  const isStream = text.startsWith('curl -N ');
  if (code !== (isStream ? TIMED_OUT : 0)) return `ended with ${code}`;
  const got = /status (\d+)\s*$/.exec(err)?.[1];
  if (status !== undefined && Number(got) !== status) return `answered ${got}, not ${status}`;
  if (output !== undefined && !isLike(out, output)) return `is not ${output}`;
  return undefined;
}

/** Whether `text` is `shown`, in which each `…` stands for anything. */
function isLike(text: string, shown: string): boolean {
  const pieces = shown.split('…');
  if (pieces.length === 1) return text === shown;
  const [first, last] = [pieces.shift()!, pieces.pop()!];
  if (!text.startsWith(first)) return false;
  let at = first.length;
  for (const piece of pieces) {
    const found = text.indexOf(piece, at);
    if (found < 0) return false;
    at = found + piece.length;
  }
  return text.endsWith(last) && text.length - last.length >= at;
}
