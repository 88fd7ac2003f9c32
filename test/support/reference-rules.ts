// What comments and READMEs refer to, and a checker over texts: sections and quirks of src/protocol, decisions,
// recordings, and the names of files. Line numbers count from 1.

import { posix } from 'node:path';

/** What may be cited, as the documents have it. */
export interface Citable {
  /** of src/protocol/PROTOCOL.md: '18.2' */
  sections: ReadonlySet<string>;
  /** of src/protocol/QUIRKS.md: 'Q5a' */
  quirks: ReadonlySet<string>;
  /** of src/README.md: '6' */
  decisions: ReadonlySet<string>;
  /** of src/api/DECISIONS.md, cited as `HTTP decision` */
  httpDecisions: ReadonlySet<string>;
  /** what the names of recordings begin with: '25' */
  recordings: ReadonlySet<string>;
}

/**
 * A heading, the row of a table, an item or a bold beginning: `## 12`, `| 12 | text |`, `12. text`, `**12. Title.**`.
 */
const DECISION_ENTRY = /^(?:#+ (?:Decision )?|\| |\*\*)?(\d+)(?=\. | \||$)/gm;

/** `documents`: the texts of these files, `decisions` and `http` of src/README.md and src/api/DECISIONS.md. */
export function citableIn(
  documents: { protocol: string; quirks: string; decisions: string; http: string },
  recordings: readonly string[],
): Citable {
  return {
    sections: new Set(headings(documents.protocol, /^#{2,4} (\d+(?:\.\d+)*)\.? /gm)),
    quirks: new Set(headings(documents.quirks, /^#{3,4} (Q\d+[a-f]?) /gm)),
    decisions: new Set(headings(documents.decisions, DECISION_ENTRY)),
    httpDecisions: new Set(headings(documents.http, DECISION_ENTRY)),
    recordings: new Set(recordings.map((name) => name.slice(0, 2))),
  };
}

function headings(text: string, pattern: RegExp): string[] {
  return [...text.matchAll(pattern)].map((match) => match[1]!);
}

/** A number of a section, or a list of some: `18.2`, `8 and 18.5`, `10 to 14`. */
const NUMBER = String.raw`\d+(?:\.\d+)*`;
const NUMBERS = `${NUMBER}(?:(?:, | and | to )${NUMBER})*`;
/** Also where a line break has torn it, which leaves it without the name of its document. */
const SECTION = new RegExp(String.raw`\bsections?\s+(?:(?://|\*)\s*)?(${NUMBERS})`, 'g');
const DOCUMENT = /\b(protocol|RFC \d+|HTML|URL|XML 1\.0|CSS Syntax|ECMA-262) sections? \d/g;
const QUIRK = /\bQ\d+[a-f]?\b/g;
const DECISION = /\b(HTTP )?decision\s+(\d+)\b/gi;
const RECORDING = /\[(\d\d)\]/g;

/** Where a text cites what there is not, or a section of nobody knows what; one line each. */
export function citationFaults(path: string, text: string, citable: Citable): string[] {
  const faults: string[] = [];
  const isProtocol = path.startsWith('src/protocol/') && path.endsWith('.md');
  const fault = (at: number, what: string) => faults.push(`${path}:${lineAt(text, at)}: ${what}`);
  const named = new Map([...text.matchAll(DOCUMENT)].map((match) => [sectionAt(match), match[1]!]));
  for (const match of text.matchAll(SECTION)) {
    const document = named.get(match.index) ?? (isProtocol ? 'protocol' : undefined);
    // a README has sections of its own
    if (document === undefined && !path.endsWith('.md')) fault(match.index, `${match[0]} of which document?`);
    if (document !== 'protocol') continue;
    for (const number of match[1]!.match(new RegExp(NUMBER, 'g'))!) {
      if (!citable.sections.has(number)) fault(match.index, `there is no protocol section ${number}`);
    }
  }
  for (const { 0: quirk, index } of text.matchAll(QUIRK)) {
    if (!citable.quirks.has(quirk)) fault(index, `there is no quirk ${quirk}`);
  }
  for (const { 1: http, 2: number, index } of text.matchAll(DECISION)) {
    const isHttp = http !== undefined || path === 'src/api/DECISIONS.md';
    const known = isHttp ? citable.httpDecisions : citable.decisions;
    if (!known.has(number!)) fault(index, `there is no ${isHttp ? 'HTTP ' : ''}decision ${number}`);
  }
  for (const { 1: number, index } of isProtocol ? text.matchAll(RECORDING) : []) {
    if (!citable.recordings.has(number!)) fault(index, `there is no recording ${number}`);
  }
  return faults;
}

/** Where the word `section` begins in `RFC 9110 section 8`. */
function sectionAt({ 0: match, 1: document, index }: RegExpExecArray): number {
  return index + match.indexOf('section', document!.length);
}

/** A path from the root; a placeholder behind it stands for any name in its folder. */
const PATH = /(?<![\w/.$-])(?:src|test|scripts|static)\/[\w./-]*(?:[*<{…])?/g;
/** A file by its name alone, or below src/: `pool.ts`, `client/pool.ts`. */
const NAME = /(?<![\w/.*<>{}$-])(?:[\w-]+\/)*[\w-]+(?:\.[\w-]+)*\.(?:ts|js|md)\b/g;
const CODE = /```[\s\S]*?```|`[^`\n]+`/g;
const LINK = /\]\(([^)#:\s]+)(?:#[^)\s]*)?\)/g;

/**
 * Which files a README names that do not exist. A bare name is one of its folder, of a folder that the same paragraph
 * names, or a path below src/.
 */
export function fileNameFaults(path: string, text: string, exists: (path: string) => boolean): string[] {
  const faults: string[] = [];
  const fault = (at: number, name: string) => faults.push(`${path}:${lineAt(text, at)}: there is no ${name}`);
  const folder = posix.dirname(path);
  let start = 0;
  for (const paragraph of text.split('\n\n')) {
    const folders = [folder, 'src'];
    for (const { 0: match, index } of paragraph.matchAll(PATH)) {
      const named = /[*<{…]$/.test(match) ? match.slice(0, match.lastIndexOf('/') + 1) : match.replace(/\.+$/, '');
      if (!exists(named)) fault(start + index, named);
      folders.push(named.endsWith('/') ? named.slice(0, -1) : posix.dirname(named));
    }
    for (const code of paragraph.matchAll(CODE)) {
      for (const { 0: name, index } of code[0].matchAll(NAME)) {
        if (/^(?:src|test|scripts|static)\//.test(name)) continue;
        if (!folders.some((one) => exists(posix.join(one, name)))) fault(start + code.index + index, name);
      }
    }
    for (const { 1: target, index } of paragraph.matchAll(LINK)) {
      if (!exists(posix.join(folder, target!))) fault(start + index, target!);
    }
    start += paragraph.length + 2;
  }
  return faults;
}

function lineAt(text: string, at: number): number {
  return text.slice(0, at).split('\n').length;
}
