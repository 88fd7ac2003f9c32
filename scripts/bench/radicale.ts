// Radicale, from Debian's package of this name: a calendar server in Python that keeps a file for each object. Its
// settings and collections lie in the folder it is given.

import { spawn } from 'node:child_process';
import { mkdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { answering, type DavPeer, firstThere, freePort, packageVersion, stopProcess, USER } from './dav-peer.ts';

const PROGRAM = '/usr/bin/radicale';

export async function startRadicale(folder: string): Promise<DavPeer | undefined> {
  if (firstThere([PROGRAM]) === undefined) return undefined;
  const port = await freePort();
  const settings = join(folder, 'config');
  mkdirSync(join(folder, 'collections'), { recursive: true });
  writeFileSync(join(folder, 'users'), `${USER}:${USER}\n`);
  writeFileSync(settings, configuration(folder, port));
  const child = spawn(PROGRAM, ['--config', settings], { stdio: 'ignore' });
  const origin = `http://127.0.0.1:${port}/`;
  await answering(child, origin);
  return {
    name: 'Radicale',
    version: packageVersion('radicale'),
    url: origin,
    calendars: `${origin}${USER}/`,
    contacts: `${origin}${USER}/`,
    collectionFolder: (name) => join(folder, 'collections/collection-root', USER, name),
    stop: () => stopProcess(child),
  };
}

function configuration(folder: string, port: number): string {
  return `[server]
hosts = 127.0.0.1:${port}
max_connections = 100
[auth]
type = htpasswd
htpasswd_filename = ${folder}/users
htpasswd_encryption = plain
delay = 0
[rights]
type = owner_only
[storage]
filesystem_folder = ${folder}/collections
[web]
type = none
[logging]
level = error
`;
}
