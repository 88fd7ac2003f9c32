// The files of a site that has one at a well-known address, for --static.

import { mkdir, writeFile } from 'node:fs/promises';
import { join } from 'node:path';

/** `folder` is made. */
export async function writeSiteFiles(folder: string): Promise<void> {
  await mkdir(join(folder, '.well-known'), { recursive: true });
  await writeFile(join(folder, '.well-known/security.txt'), 'Contact: mailto:admin@example.org\n');
}
