// Writes the table of limits into the guide, from src/limits. Run: npm run readme

import { readFileSync, writeFileSync } from 'node:fs';
import { limitRows } from './limits-table.ts';

const [BEGIN, END] = ['<!-- npm run readme -->\n', '<!-- end -->'];

const file = new URL('../static/guide/sizing.html', import.meta.url);
const text = readFileSync(file, 'utf8');
const from = text.indexOf(BEGIN) + BEGIN.length;
const to = text.indexOf(END, from);
if (from < BEGIN.length || to < 0) throw new Error('sizing.html has no place for the table');
writeFileSync(file, `${text.slice(0, from)}${limitRows()}${text.slice(to)}`);
