// The administration socket of an embedded room server, for commands that work on a data folder. Uses the running
// server, or starts one for the duration of the command.

import type { CreatedAdmin } from '../backend/maintenance/bootstrap.ts';
import { startBackend } from '../backend/start.ts';
import { findSocketPaths } from '../backend/wire/socket-paths.ts';
import { AppError } from '../errors.ts';
import { Connection } from '../room-server/connection/connection.ts';
import { version } from '../system/assets.ts';

export interface FirstAdmin {
  /** for the administrator of a new data folder; undefined: generated */
  adminPassword: string | undefined;
  announceAdmin: (admin: CreatedAdmin) => void;
}

/** Returns the path. Defers closing a started server to `opened`. Throws AppError for the operator. */
export async function adminSocketOf(
  dataFolder: string,
  opened: AsyncDisposableStack,
  { adminPassword, announceAdmin }: FirstAdmin,
): Promise<string> {
  const path = findSocketPaths(dataFolder).adminSocketPath;
  try {
    (await Connection.open({ path })).close();
    return path;
  } catch (error) {
    if (!(error instanceof AppError) || error.code !== 'backend_unreachable') throw error;
  }
  const admin = adminPassword ? { adminPassword } : {};
  const backend = await startBackend({ dataFolder, demo: false, version: version(), ...admin });
  opened.defer(() => backend.close());
  if (backend.createdAdmin) announceAdmin(backend.createdAdmin);
  return backend.adminSocketPath;
}
