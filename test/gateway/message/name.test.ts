// Names under which messages are PUT: what may be one, and the header and subject that keep it.

import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { AppError } from '../../../src/errors.ts';
import { checkedName } from '../../../src/gateway/paths.ts';
import { MAX_MESSAGE_NAME_BYTES } from '../../../src/limits/dav.ts';
import { decodeWords } from '../../../src/mime/coding/encoded-words.ts';
import { parseHeaders } from '../../../src/mime/headers.ts';
import { nameFrom, namingHeaders, sizeFrom, subjectOfName } from '../../../src/mime/stored-content.ts';

const isConflict = (error: unknown) => error instanceof AppError && error.code === 'conflict';
const NAMES = [
  'a.txt',
  'ü & #1%.txt',
  'a|b',
  ' blanks ',
  '=?utf-8?Q?x?=',
  'a\tb',
  '100%',
  '.',
  '😀'.repeat(60),
  'n'.repeat(255),
];

describe('the name of a message', () => {
  it('comes back from the stored header, as does the length', () => {
    for (const name of NAMES) {
      const lines = namingHeaders(name, 42).map(([field, value]) => `${field}: ${value}`);
      assert.ok(
        lines.every((line) => /^[ -~]{1,1000}$/.test(line)),
        name,
      );
      const fields = parseHeaders(Buffer.from(lines.join('\n')));
      assert.equal(nameFrom(fields), name);
      assert.equal(sizeFrom(fields), 42);
    }
  });

  it('is absent where no gateway wrote it', () => {
    assert.equal(nameFrom([]), undefined);
    assert.equal(nameFrom([{ name: 'X-Vestibule-Name', value: '%' }]), undefined);
    assert.equal(sizeFrom([{ name: 'X-Vestibule-Size', value: '1e3' }]), undefined);
  });

  it('makes a subject that fits into a template and is different for each name', () => {
    const subjects = NAMES.map(subjectOfName);
    for (const subject of subjects) assert.match(subject, /^[!-{}~]([ -{}~]{0,248}[!-{}~])?$/);
    assert.equal(new Set(subjects).size, NAMES.length);
    assert.notEqual(subjectOfName('n'.repeat(255)), subjectOfName('n'.repeat(254)));
  });

  it('is readable in its subject', () => {
    assert.equal(subjectOfName('a.txt'), 'a.txt');
    assert.equal(decodeWords(subjectOfName('ü & #1%.txt')), 'ü & #1%.txt');
    assert.ok(decodeWords(subjectOfName('😀'.repeat(60))).startsWith('😀😀'));
  });

  it('cannot be what means something else in a room', () => {
    for (const name of ['12', 'msgs.txt', 'mailbox', 'a|b', '', 'n'.repeat(MAX_MESSAGE_NAME_BYTES + 1)]) {
      assert.throws(() => checkedName(name), isConflict, name);
    }
    for (const name of ['012', '0', 'msgs', 'Mailbox', 'n'.repeat(MAX_MESSAGE_NAME_BYTES)]) checkedName(name);
  });
});
