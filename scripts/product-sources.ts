// The sources of the product as they lie in the repository: scripts, pages and style sheets of src/ and static/.

import { readdirSync, readFileSync } from 'node:fs';

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
