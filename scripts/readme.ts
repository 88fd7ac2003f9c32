// Writes the table of options into README.md, from src/cli/option-table.ts. Run: npm run readme

import { readFileSync, writeFileSync } from 'node:fs';
import { optionRows } from '../src/cli/option-table.ts';

const file = new URL('../README.md', import.meta.url);
const text = readFileSync(file, 'utf8');
const place = /(?<=<!-- npm run readme -->\n)[\s\S]*?(?=<!-- end -->)/;
if (!place.test(text)) throw new Error('README.md has no place for the table');
writeFileSync(
  file,
  text.replace(place, () => `${optionRows()}\n`),
);
