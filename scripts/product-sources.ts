// The sources of the product as they lie in the repository: scripts, pages and style sheets of src/ and static/.

import { readdirSync, readFileSync } from 'node:fs';

/**
 * The part of src/ that a source belongs to, by its path below src/: `'http/router.ts'` → `'http'`,
 * `'extra/redis/locks.ts'` → `'extra/redis'`, `'errors.ts'` → `'errors'`.
 */
export function partOf(path: string): string {
  const [folder, inner] = path.split('/');
  return folder === 'extra' ? `extra/${inner}` : folder!.replace(/\.ts$/, '');
}

/** Texts by their path from the root, with `/`. */
export function productSources(root: string): Map<string, string> {
  const paths = ['src', 'static'].flatMap((folder) =>
    readdirSync(`${root}/${folder}`, { recursive: true, encoding: 'utf8' }).map(
      (path) => `${folder}/${path.replaceAll('\\', '/')}`,
    ),
  );
  const read = paths.filter((path) => /\.(ts|js|html|css)$/.test(path)).sort();
  return new Map(read.map((path) => [path, readFileSync(`${root}/${path}`, 'utf8')]));
}
