// Writes the table of options into README.md, from src/cli/option-table.ts. Run: npm run readme

import { readFileSync, writeFileSync } from 'node:fs';
import { optionRows } from '../src/cli/option-table.ts';

const file = new URL('../README.md', import.meta.url);
const text = readFileSync(file, 'utf8');
const [BEGIN, END] = ['<!-- npm run readme -->\n', '<!-- end -->'];
const from = text.indexOf(BEGIN) + BEGIN.length;
const to = text.indexOf(END, from);
if (from < BEGIN.length || to < 0) throw new Error('README.md has no place for the table');
writeFileSync(file, `${text.slice(0, from)}${optionRows()}\n${text.slice(to)}`);
