// Facts about messages and rooms are said once (decision 19): in mime/message-facts.ts, protocol/room-facts.ts and
// model.ts. A second definition would come to differ from the first.

import assert from 'node:assert/strict';
import { globSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, it } from 'node:test';

const ROOT = join(import.meta.dirname, '..');
const MESSAGES = 'src/mime/message-facts.ts';
const ROOMS = 'src/protocol/room-facts.ts';
const VIEWS = 'src/model.ts';

/** What only one source may hold, by what it defines. */
const FACTS: readonly { of: string; source: string; pattern: RegExp }[] = [
  {
    of: "the name of one of a user's own rooms",
    source: ROOMS,
    pattern: /(['"`])(?:Sent Items|Drafts|Trash|Archive)\1/,
  },
  {
    of: 'the same, folded',
    source: ROOMS,
    pattern: /(?:nameKey|toLowerCase)\([^\n]*\) [!=]== '(?:mail|drafts|trash)'/,
  },
  { of: 'a macro for one', source: ROOMS, pattern: /['"`]_(?:mail|sent|drafts|trash|calendar|tasks|notes|contacts)_/i },
  { of: 'the number in front of a personal room', source: ROOMS, pattern: /\\d\{10\}|padStart\(10\b/ },
  {
    of: 'what an attachment is',
    source: MESSAGES,
    pattern: /[!=]== 'attachment'|disposition[^\n]{0,20}LIKE|LIKE[^\n]*disposition/i,
  },
  { of: 'what `inline` means', source: MESSAGES, pattern: /[!=]== 'inline'/ },
  {
    of: 'which types are messages',
    source: MESSAGES,
    pattern: /'message\/rfc822', 'message\/global'|[!=]== 'message\/global'/,
  },
  { of: 'the texts of a message', source: MESSAGES, pattern: /'text\/plain', 'text\/html'/ },
  { of: 'the number of a view', source: VIEWS, pattern: /\bview\w* [!=]==? \d|\bview: \d|ownRoom\(\d|VIEWS? = \[?\d/i },
];

const files = globSync(['src/**/*.ts', 'static/**/*.js'], { cwd: ROOT }).filter(
  (path) => !/^static\/(?:words|guide)\/|store\/schema\.ts$/.test(path),
);

describe('a fact about messages and rooms', () => {
  for (const { of, source, pattern } of FACTS) {
    it(`is said once: ${of}`, () => {
      assert.ok(files.length > 600 && files.includes(source));
      const found = files.filter((path) => path !== source && pattern.test(codeOf(path)));
      assert.deepEqual(found, []);
    });
  }
});

it('no file above the drivers asks which room server it has (decision 18)', () => {
  const above = files.filter((path) => /^src\/(?!room-server|backend|serve\/)/.test(path));
  const asks = /\bpool\.is(?:Embedded|Own)\b|\bisOwnServer\b|\bhasVerb\b|\b(?:EMBEDDED|CITADEL)\b/;
  assert.ok(above.length > 200);
  assert.deepEqual(
    above.filter((path) => asks.test(codeOf(path))),
    [],
  );
});

/** Without comments. */
const codeOf = (path: string) => readFileSync(join(ROOT, path), 'utf8').replaceAll(/^\s*(?:\/\/|\/?\*).*$/gm, '');
