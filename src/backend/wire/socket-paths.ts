// The sockets of a data folder: in the folder itself or, if their paths do not fit into sun_path, in a temporary folder
// whose path is stored in a file of the data folder.

import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { MAX_UNIX_PATH_BYTES } from '../../limits/protocol.ts';

const SOCKET = 'citadel.socket';
const ADMIN_SOCKET = 'citadel-admin.socket';
/** holds the path of the short folder */
const POINTER = 'socket-folder';

/** The two sockets of a data folder. */
export interface SocketPaths {
  socketPath: string;
  adminSocketPath: string;
}

/** The paths to listen on; `remove` deletes what was created for them. */
export function claimSocketPaths(dataFolder: string): SocketPaths & { remove(): void } {
  if (fits(dataFolder)) return { ...pathsIn(dataFolder), remove() {} };
  const folder = mkdtempSync(join(tmpdir(), 'vestibule-'));
  const pointer = join(dataFolder, POINTER);
  writeFileSync(pointer, folder, { mode: 0o600 });
  return {
    ...pathsIn(folder),
    remove() {
      rmSync(pointer, { force: true });
      rmSync(folder, { recursive: true, force: true });
    },
  };
}

/** The paths on which a server of this data folder listens, if one runs. */
export function findSocketPaths(dataFolder: string): SocketPaths {
  if (fits(dataFolder)) return pathsIn(dataFolder);
  try {
    return pathsIn(readFileSync(join(dataFolder, POINTER), 'utf8'));
  } catch {
    return pathsIn(dataFolder);
  }
}

function pathsIn(folder: string): SocketPaths {
  return { socketPath: join(folder, SOCKET), adminSocketPath: join(folder, ADMIN_SOCKET) };
}

function fits(folder: string): boolean {
  return Buffer.byteLength(join(folder, ADMIN_SOCKET)) <= MAX_UNIX_PATH_BYTES;
}
