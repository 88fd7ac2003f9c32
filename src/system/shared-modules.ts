// Sources shared with the web client: facts about calendars, contacts, files and rooms. They use only the language
// (test/system/shared-modules.test.ts) and are served without types.

import { readFile, stat } from 'node:fs/promises';
import { stripTypeScriptTypes } from 'node:module';
import { getAssetKeys, getRawAsset, isSea } from 'node:sea';
import { type EmbeddedFile, embeddedTime } from './assets.ts';

const FOLDERS = ['mime/objects/'];
const FILES = [
  'limits/mime.ts',
  'limits/units.ts',
  'mime/coding/charset-tables.ts',
  'mime/coding/charset.ts',
  'mime/coding/quoted-bytes.ts',
  'mime/message-facts.ts',
  'mime/scheduling/lines.ts',
  'model.ts',
  'protocol/names.ts',
  'protocol/room-facts.ts',
  'system/clock.ts',
  'system/steps.ts',
];

/** cache of some forty modules */
const modules = new Map<string, Promise<EmbeddedFile | undefined>>();

/** Takes a path below `src/`: `mime/objects/components.ts`. */
export function isSharedModule(path: string): boolean {
  return (
    FILES.includes(path) ||
    FOLDERS.some((folder) => path.startsWith(folder) && /^[\w-]+\.ts$/.test(path.slice(folder.length)))
  );
}

/** As JavaScript with the same line numbers; undefined for any other path. */
export function sharedModule(path: string): Promise<EmbeddedFile | undefined> {
  if (!isSharedModule(path)) return Promise.resolve(undefined);
  return modules.getOrInsertComputed(path, isSea() ? embeddedModule : strippedModule);
}

/** Strips the types; also used by scripts/build.ts. */
export function withoutTypes(source: string): string {
  const { emitWarning } = process;
  // hides the warning that this is experimental: the pinned Node supports it
  process.emitWarning = () => undefined;
  try {
    return stripTypeScriptTypes(source);
  } finally {
    process.emitWarning = emitWarning;
  }
}

async function embeddedModule(path: string): Promise<EmbeddedFile | undefined> {
  const key = `src/${path}`;
  if (!getAssetKeys().includes(key)) return undefined;
  return { bytes: new Uint8Array(getRawAsset(key)), mtimeSeconds: embeddedTime() };
}

async function strippedModule(path: string): Promise<EmbeddedFile | undefined> {
  const file = new URL(`../${path}`, import.meta.url);
  try {
    const [source, { mtimeMs }] = await Promise.all([readFile(file, 'utf8'), stat(file)]);
    return { bytes: Buffer.from(withoutTypes(source)), mtimeSeconds: Math.floor(mtimeMs / 1000) };
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === 'ENOENT') return undefined;
    throw error;
  }
}
