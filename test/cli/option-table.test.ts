// What --help says: every option with what it takes, and the variables that are read nowhere else.

import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { COMMANDS } from '../../src/cli/command-table.ts';
import { helpText, OPTIONS, type Option } from '../../src/cli/option-table.ts';

const text = helpText();
const rows = text.split('\n');

describe('--help', () => {
  it('describes every option and variable, in rows of 120 columns', () => {
    for (const [name, option] of Object.entries<Option>(OPTIONS)) {
      const { value, help, default: standard, defaultWords = standard } = option;
      const row = rows.find((each) => each.startsWith(`  --${name} `));
      assert.ok(row?.endsWith(` ${help}${defaultWords ? ` (${defaultWords})` : ''}`), name);
      assert.equal(row!.includes(` --${name} ${value}`), value !== undefined, name);
    }
    for (const word of ['--prefix', '--admin', 'VESTIBULE_ADMIN_PASSWORD', 'VESTIBULE_KEY', 'VESTIBULE_PASSWORD']) {
      assert.ok(text.includes(word), word);
    }
    for (const row of rows) assert.ok(row.length <= 120, row);
  });

  it('shows defaults that the options themselves accept', () => {
    for (const [name, { parse, default: text }] of Object.entries<Option>(OPTIONS)) {
      if (text !== undefined) assert.notEqual(parse(text), undefined, name);
    }
  });

  it('says which options go with which command', () => {
    const [, serve = '', user = '', doctor = '', copy = ''] = text.split(/^Options .*|^With vestibule .*/m);
    for (const [name, { command }] of Object.entries<Option>(OPTIONS)) {
      const place = command === undefined ? serve : { copy, doctor, 'user add': user }[command];
      for (const part of [serve, user, doctor, copy])
        assert.equal(part.includes(`\n  --${name} `), part === place, name);
    }
  });

  it('names every command that the program knows', () => {
    for (const { usage, does } of COMMANDS) {
      const row = rows.find((each) => each.startsWith(`vestibule ${usage} `));
      assert.ok(row?.endsWith(` ${does}`), usage);
    }
  });
});
