// Writes the table of limits into the guide, from src/limits, and that of what users share into SECURITY.md. Run:
// npm run readme

import { readFileSync, writeFileSync } from 'node:fs';
import { limitRows } from './limits-table.ts';
import { sharedRows } from './shared-resources.ts';

const [BEGIN, END] = ['<!-- npm run readme -->\n', '<!-- end -->'];

for (const [path, rows] of [
  ['../static/guide/sizing.html', limitRows()],
  ['../SECURITY.md', sharedRows()],
] as const) {
  const file = new URL(path, import.meta.url);
  const text = readFileSync(file, 'utf8');
  const from = text.indexOf(BEGIN) + BEGIN.length;
  const to = text.indexOf(END, from);
  if (from < BEGIN.length || to < 0) throw new Error(`${path} has no place for the table`);
  writeFileSync(file, `${text.slice(0, from)}${rows}${text.slice(to)}`);
}
