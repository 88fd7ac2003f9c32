// vdirsyncer, of Debian's package of this name: folders of files and the collections of a server, kept equal both ways.

import { readdirSync, readFileSync } from 'node:fs';
import { mkdir, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import type { Home } from './programs.ts';

const KINDS = {
  cal: { type: 'caldav', extension: '.ics', metadata: ['color', 'displayname'] },
  card: { type: 'carddav', extension: '.vcf', metadata: ['displayname'] },
} as const;
export type Kind = keyof typeof KINDS;

export interface SyncedFolders {
  extension: string;
  /** the path of what lies in the folder of a collection */
  here(collection: string, ...names: string[]): string;
  /** Names of the files in the folder of a collection, in order. */
  filesOf(collection: string): string[];
  read(collection: string, file: string): string;
  words(...rest: string[]): string[];
  /** Answers what it said. */
  sync(): Promise<string>;
}

/** Pairs a folder with each of the collections, and makes those that are not there. `url`: where a user begins. */
export async function syncedFolders(
  { folder, must }: Home,
  kind: Kind,
  url: string,
  collections: string[],
): Promise<SyncedFolders> {
  const { type, extension, metadata } = KINDS[kind];
  const settings = join(folder, `${kind}.config`);
  const here: SyncedFolders['here'] = (...names) => join(folder, kind, ...names);
  const words: SyncedFolders['words'] = (...rest) => ['--config', settings, ...rest];
  await Promise.all(collections.map((name) => mkdir(here(name), { recursive: true })));
  await writeFile(
    settings,
    `[general]
status_path = "${folder}/status-${kind}/"
[pair ${kind}]
a = "${kind}_here"
b = "${kind}_there"
collections = ${JSON.stringify(collections)}
metadata = ${JSON.stringify(metadata)}
conflict_resolution = "b wins"
[storage ${kind}_here]
type = "filesystem"
path = "${join(folder, kind)}/"
fileext = "${extension}"
[storage ${kind}_there]
type = "${type}"
url = "${url}"
username = "alice"
password = "alice"
`,
  );
  // it asks whether to make what is not there
  await must('vdirsyncer', words('discover'), 'y\n'.repeat(9));
  return {
    extension,
    here,
    filesOf: (collection) =>
      readdirSync(here(collection))
        .filter((each) => each.endsWith(extension))
        .sort(),
    read: (collection, file) => readFileSync(here(collection, file), 'utf8'),
    words,
    sync: () => must('vdirsyncer', words('sync')),
  };
}
