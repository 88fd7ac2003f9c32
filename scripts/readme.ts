// Writes the table of options into README.md, from src/cli/option-table.ts, and that of bounds into the guide, from
// src/limits. Run: npm run readme

import { readFileSync, writeFileSync } from 'node:fs';
import { optionRows } from '../src/cli/option-table.ts';
import { limitRows } from './limits-table.ts';

const [BEGIN, END] = ['<!-- npm run readme -->\n', '<!-- end -->'];

fill('README.md', `${optionRows()}\n`);
fill('static/guide/sizing.html', limitRows());

function fill(path: string, rows: string): void {
  const file = new URL(`../${path}`, import.meta.url);
  const text = readFileSync(file, 'utf8');
  const from = text.indexOf(BEGIN) + BEGIN.length;
  const to = text.indexOf(END, from);
  if (from < BEGIN.length || to < 0) throw new Error(`${path} has no place for the table`);
  writeFileSync(file, `${text.slice(0, from)}${rows}${text.slice(to)}`);
}
