// The sources that the web client runs as well: what calendars, contacts, files and rooms are is said once, for both
// ends. They are pure, of the language alone (test/system/shared-modules.test.ts), and go out without their types.

import { readFile, stat } from 'node:fs/promises';
import { stripTypeScriptTypes } from 'node:module';
import { getAssetKeys, getRawAsset, isSea } from 'node:sea';
import { type EmbeddedFile, embeddedTime } from './assets.ts';

const FOLDERS = ['mime/objects/'];
const FILES = [
  'limits/mime.ts',
  'limits/units.ts',
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

/** what is kept: there are some forty, and only they get in */
const kept = new Map<string, Promise<EmbeddedFile | undefined>>();

/** Of a path below `src/`: `mime/objects/components.ts`. */
export function isSharedModule(path: string): boolean {
  return (
    FILES.includes(path) ||
    FOLDERS.some((folder) => path.startsWith(folder) && /^[\w-]+\.ts$/.test(path.slice(folder.length)))
  );
}

/** As JavaScript, line for line; undefined for any other path. Made once, when it is first asked for. */
export function sharedModule(path: string): Promise<EmbeddedFile | undefined> {
  if (!isSharedModule(path)) return Promise.resolve(undefined);
  return kept.getOrInsertComputed(path, isSea() ? embeddedModule : strippedModule);
}

/** The JavaScript of a TypeScript source; scripts/build.ts puts it into the binary. */
export function withoutTypes(source: string): string {
  const { emitWarning } = process;
  // the operator can do nothing about its being experimental; the pinned Node has it
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
