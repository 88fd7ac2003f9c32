// This server, as one of those the DAV benchmark asks: from source, on an empty folder, with the user of the others.

import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { type Server, startServer } from '../scale-site.ts';
import type { DavPeer } from './dav-peer.ts';

const ROOT = join(import.meta.dirname, '../..');

/** `server`: for the memory it takes. */
export async function startVestibule(folder: string): Promise<DavPeer & { server: Server }> {
  const server = await startServer(folder, ['--demo']);
  const { version } = JSON.parse(readFileSync(join(ROOT, 'package.json'), 'utf8')) as { version: string };
  return {
    name: 'Vestibule',
    version,
    url: server.url,
    calendars: new URL('svc/r/', server.url).href,
    contacts: new URL('svc/r/', server.url).href,
    stop: () => server.stop(),
    server,
  };
}
