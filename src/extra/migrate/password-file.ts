// The file of passwords that `vestibule copy` keeps: a line `name TAB password` for each account that it makes,
// written before the account is; and, beside it, the name of the account under way, for one that has no access level
// yet looks like one that somebody has given another.

import { appendFile, readFile, rm, writeFile } from 'node:fs/promises';
import { accountName } from '../../protocol/names.ts';

export interface PasswordFile {
  /** by accountName; grows */
  passwords: ReadonlyMap<string, string>;
  /** This account is about to be made. */
  begin(name: string, password: string): Promise<void>;
  /** It has its access level. */
  end(): Promise<void>;
  /** A copy was broken off while it made this account. */
  isUnderWay(name: string): boolean;
}

/** What the system refuses is thrown as it comes. */
export async function openPasswordFile(file: string): Promise<PasswordFile> {
  const markFile = `${file}.under-way`;
  const [text, mark] = await Promise.all([readIfThere(file), readIfThere(markFile)]);
  const passwords = new Map(
    text.split('\n').flatMap((line): [string, string][] => {
      const [name, password] = line.split('\t');
      return name && password ? [[accountName(name), password]] : [];
    }),
  );
  let underWay = accountName(mark);
  return {
    passwords,
    async begin(name, password) {
      await writeFile(markFile, `${name}\n`, { mode: 0o600, flush: true });
      if (!passwords.has(accountName(name))) {
        await appendFile(file, `${name}\t${password}\n`, { mode: 0o600, flush: true });
      }
      underWay = accountName(name);
      passwords.set(underWay, password);
    },
    async end() {
      await rm(markFile, { force: true });
      underWay = '';
    },
    isUnderWay: (name) => underWay !== '' && underWay === accountName(name),
  };
}

async function readIfThere(file: string): Promise<string> {
  return readFile(file, 'utf8').catch((error: NodeJS.ErrnoException) => {
    if (error.code === 'ENOENT') return '';
    throw error;
  });
}
