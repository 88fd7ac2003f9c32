// Static files from a folder or from the single-file binary. Paths are decoded and have no leading slash.

import { hash } from 'node:crypto';
import type { Stats } from 'node:fs';
import { open, realpath, stat } from 'node:fs/promises';
import { join, sep } from 'node:path';
import { AppError } from '../errors.ts';
import { MAX_KEPT_STATIC_BYTES, MAX_KEPT_STATIC_FILE_BYTES, STATIC_LOOK_MS } from '../limits/http.ts';
import type { EmbeddedFile } from '../system/assets.ts';
import { BoundedMap } from '../system/bounded-map.ts';
import { readPath } from '../system/file-pieces.ts';
import { type AnswerHeaders, OWN_WINDOW } from './answer-head.ts';
import { type ContentCoding, chooseContentCoding, compress, isCompressible } from './compress.ts';
import type { Exchange } from './exchange.ts';
import { mediaTypeOf } from './media-types.ts';
import { mayHold, type Representation, sendRepresentation } from './representation.ts';
import { sendEmpty } from './respond.ts';

export interface StaticFile {
  /** relative to the source, `docs/index.html` */
  path: string;
  size: number;
  mtimeSeconds: number;
  /** strong, including quotes */
  etag: string;
  contentType: string;
  /** start inclusive, end exclusive */
  open(start: number, end: number): AsyncIterable<Buffer> | Buffer;
  /** cache of compressed forms */
  packed: Map<ContentCoding, Promise<Buffer>>;
  /** cache of representations with the default header fields */
  representations: Map<ContentCoding | 'identity', Representation>;
}

/** a folder requested without trailing slash, which would break relative links */
export interface FolderRedirect {
  redirect: true;
}

type Found = StaticFile | FolderRedirect | undefined;

export interface StaticSource {
  /** `''` and `'docs/'` find index.html; undefined: not found. */
  find(path: string): Promise<Found>;
}

/** folder of the bundled web client, whose files have names with content hashes (scripts/bundle-client.ts) */
export const BUNDLE_FOLDER = 'app/';
const NAMED_BY_CONTENT = /^app\/[\w.-]+-[A-Z0-9]{8}\.(?:js|css|svg)$/;
/** suffix of a bundled file that is precompressed with Brotli at a level too slow for requests */
export const PACKED = '.br';

/** estimated overhead of a cache entry */
const LOOK_BYTES = 500;

/** for every file: images and scripts need a policy when opened directly */
const FILE_HEADERS: AnswerHeaders = {
  'Content-Security-Policy':
    "default-src 'self'; img-src 'self' data: blob:; style-src 'self'; script-src 'self'; object-src 'none'; " +
    "base-uri 'none'; form-action 'self'; frame-ancestors 'self'",
  'Referrer-Policy': 'same-origin',
  // public content
  'Cross-Origin-Resource-Policy': 'cross-origin',
};

/** The cached result of a lookup. */
interface Look {
  found: Found;
  /** performance.now() */
  time: number;
}

/**
 * Files below `directory`, without dotfiles (except a leading `.well-known`) and symlinks that lead outside. Caches
 * small files and rechecks them after STATIC_LOOK_MS.
 */
export function folderSource(directory: string): StaticSource {
  const looks = new BoundedMap<string, Look>(MAX_KEPT_STATIC_BYTES, ({ found }, path) => {
    return LOOK_BYTES + path.length + (found && 'size' in found && isKept(found.size) ? found.size : 0);
  });
  /** lookups in progress: concurrent requests share one */
  const underWay = new Map<string, Promise<Found>>();
  const lookAnew = async (path: string, last: Found): Promise<Found> => {
    const time = performance.now();
    try {
      const found = await look(directory, path, last);
      looks.set(path, { found, time });
      return found;
    } finally {
      underWay.delete(path);
    }
  };
  return {
    async find(path) {
      if (!isServable(path)) return undefined;
      const last = looks.get(path);
      if (last && performance.now() - last.time < STATIC_LOOK_MS) return last.found;
      return underWay.getOrInsertComputed(path, () => lookAnew(path, last?.found));
    },
  };
}

/** `last`: the previous result */
async function look(directory: string, path: string, last: Found): Promise<Found> {
  try {
    const root = await realpath(directory);
    const wanted = path === '' || path.endsWith('/') ? `${path}index.html` : path;
    const real = await realpath(join(root, wanted));
    if (!real.startsWith(root === sep ? root : root + sep)) return undefined;
    const stats = await stat(real);
    // some systems resolve 'a.txt/' to 'a.txt', but only a folder may have the slash
    if (stats.isFile()) {
      return last && 'etag' in last && last.etag === etagOf(stats) ? last : await folderFile(real, wanted, stats);
    }
    if (!stats.isDirectory()) return undefined;
    return (await stat(join(real, 'index.html'))).isFile() ? { redirect: true } : undefined;
  } catch (error) {
    if (isAbsent(error)) return undefined;
    throw error;
  }
}

function isKept(size: number): boolean {
  return size <= MAX_KEPT_STATIC_FILE_BYTES;
}

async function folderFile(real: string, path: string, looked: Stats): Promise<StaticFile> {
  const read = isKept(looked.size) ? await readSmall(real) : undefined;
  const { stats, bytes } = read ?? { stats: looked, bytes: undefined };
  return {
    path,
    size: stats.size,
    mtimeSeconds: Math.floor(stats.mtimeMs / 1000),
    etag: etagOf(stats),
    contentType: mediaTypeOf(path),
    open: (start, end) => bytes?.subarray(start, end) ?? readPath(real, start, end),
    packed: new Map(),
    representations: new Map(),
  };
}

/** undefined: too large, or being written. */
async function readSmall(real: string): Promise<{ stats: Stats; bytes: Buffer } | undefined> {
  await using file = await open(real, 'r');
  const stats = await file.stat();
  if (!isKept(stats.size)) return undefined;
  const { bytesRead, buffer } = await file.read(Buffer.alloc(stats.size), 0, stats.size, 0);
  const after = await file.stat();
  return bytesRead === stats.size && etagOf(after) === etagOf(stats) ? { stats, bytes: buffer } : undefined;
}

function etagOf({ size, mtimeMs }: Stats): string {
  return `"${size.toString(36)}-${Math.floor(mtimeMs).toString(36)}"`;
}

function isAbsent(error: unknown): boolean {
  const { code } = error as NodeJS.ErrnoException;
  return code === 'ENOENT' || code === 'ENOTDIR' || code === 'EACCES' || code === 'ELOOP' || code === 'ENAMETOOLONG';
}

// 'a//b', './a', 'a/../b', '.git/x' and Windows separators are not served
function isServable(path: string): boolean {
  if (/[\\\0:]/.test(path)) return false;
  const segments = path.split('/');
  if (segments.at(-1) === '') segments.pop();
  return segments.every((segment, i) => {
    return segment !== '' && (!segment.startsWith('.') || (i === 0 && segment === '.well-known'));
  });
}

/** Files in memory, such as those in the binary. */
export function memorySource(files: ReadonlyMap<string, EmbeddedFile>): StaticSource {
  const stored = new Map<string, StaticFile>();
  return {
    async find(asked) {
      if (!isServable(asked)) return undefined;
      const path = asked === '' || asked.endsWith('/') ? `${asked}index.html` : asked;
      const file = files.get(path);
      if (!file) return files.has(`${path}/index.html`) ? { redirect: true } : undefined;
      return stored.getOrInsertComputed(path, () => storedFile(path, file, mediaTypeOf(path)));
    },
  };
}

/** JavaScript modules by path, with any extension. `load` must be deterministic. */
export function moduleSource(load: (path: string) => Promise<EmbeddedFile | undefined>): StaticSource {
  const stored = new Map<string, StaticFile>();
  return {
    async find(path) {
      const file = await load(path);
      return file && stored.getOrInsertComputed(path, () => storedFile(path, file, mediaTypeOf('module.js')));
    },
  };
}

function storedFile(path: string, file: EmbeddedFile, contentType: string): StaticFile {
  const { buffer, byteOffset, length } = file.bytes;
  const bytes = Buffer.from(buffer, byteOffset, length);
  return {
    path,
    size: length,
    mtimeSeconds: file.mtimeSeconds,
    etag: `"${hash('sha256', bytes, 'base64url').slice(0, 22)}"`,
    contentType,
    open: (start, end) => bytes.subarray(start, end),
    packed: new Map(),
    representations: new Map(),
  };
}

/** Serves the file from the first source that has it. Throws not_found, and whatever sendRepresentation throws. */
export async function serveStatic(
  exchange: Exchange,
  sources: readonly StaticSource[],
  path: string,
  headers?: AnswerHeaders,
): Promise<void> {
  for (const source of sources) {
    const found = await source.find(path);
    if (!found) continue;
    // '/svc/s' matches '/svc/s/*path' with the path ''
    if ('redirect' in found || (path === '' && !exchange.rawPath.endsWith('/'))) {
      return sendEmpty(exchange, 308, {
        Location: `${exchange.rawPath}/${exchange.rawQuery === '' ? '' : `?${exchange.rawQuery}`}`,
      });
    }
    return sendFile(exchange, source, found, headers);
  }
  throw new AppError('not_found', 'The file does not exist.');
}

function sendFile(
  exchange: Exchange,
  source: StaticSource,
  file: StaticFile,
  headers: AnswerHeaders | undefined,
): Promise<void> {
  const isPacked = isCompressible(file.contentType, file.size);
  const coding = isPacked && exchange.header('range') === undefined ? chooseContentCoding(exchange) : undefined;
  const known = headers ? undefined : file.representations.get(coding ?? 'identity');
  if (known) return sendRepresentation(exchange, known);
  const made = representationOf(source, file, coding, headers);
  if (headers || !isKept(file.size) || !mayHold(made)) return sendRepresentation(exchange, made);
  const held = { ...made, held: {} };
  file.representations.set(coding ?? 'identity', held);
  return sendRepresentation(exchange, held);
}

function representationOf(
  source: StaticSource,
  file: StaticFile,
  coding: ContentCoding | undefined,
  headers: AnswerHeaders | undefined,
): Representation {
  const { size, etag, contentType, mtimeSeconds: lastModified } = file;
  const all: AnswerHeaders = {
    'Cache-Control': NAMED_BY_CONTENT.test(file.path) ? 'public, max-age=31536000, immutable' : 'no-cache',
    Vary: isCompressible(contentType, size) ? 'Accept-Encoding' : undefined,
    ...FILE_HEADERS,
    ...(contentType.startsWith('text/html') ? OWN_WINDOW : undefined),
    ...headers,
  };
  if (!coding) {
    const open = (start: number, end: number | undefined) => file.open(start, end ?? size);
    return { contentType, size, etag, lastModified, headers: all, open };
  }
  return {
    contentType,
    // another representation needs another tag (RFC 9110 section 8.8.3.3)
    etag: `${etag.slice(0, -1)}-${coding}"`,
    lastModified,
    headers: { ...all, 'Content-Encoding': coding },
    open: () => packedForm(source, file, coding),
  };
}

function packedForm(source: StaticSource, file: StaticFile, encoding: ContentCoding): Promise<Buffer> {
  const pack = async () => (await packedBefore(source, file, encoding)) ?? compress(encoding, await wholeFile(file));
  if (!isKept(file.size)) return pack();
  return file.packed.getOrInsertComputed(encoding, () => {
    const packed = pack();
    packed.catch(() => file.packed.delete(encoding));
    return packed;
  });
}

/** The precompressed form of a bundled file. */
async function packedBefore(source: StaticSource, file: StaticFile, encoding: string): Promise<Buffer | undefined> {
  if (encoding !== 'br' || !file.path.startsWith(BUNDLE_FOLDER)) return undefined;
  const packed = await source.find(file.path + PACKED);
  return packed && 'open' in packed ? wholeFile(packed) : undefined;
}

async function wholeFile(file: StaticFile): Promise<Buffer> {
  const body = file.open(0, file.size);
  if (Buffer.isBuffer(body)) return body;
  return Buffer.concat(await Array.fromAsync(body));
}
