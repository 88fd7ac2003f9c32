// The administration socket of an embedded room server, for the commands that work on a data folder: of the server that
// runs on it, or of one that is started for as long as the command takes.

import type { CreatedAdmin } from '../backend/maintenance/bootstrap.ts';
import { startBackend } from '../backend/start.ts';
import { findSocketPaths } from '../backend/wire/socket-paths.ts';
import { AppError } from '../errors.ts';
import { Connection } from '../room-server/connection/connection.ts';
import { version } from '../system/assets.ts';

export interface FirstAdmin {
  /** of the administrator of a new data folder; generated when missing */
  adminPassword: string | undefined;
  announceAdmin: (admin: CreatedAdmin) => void;
}

/**
 * Its path. A server that was started is put on `opened`. Throws AppError with a text for the operator when none can be
 * started.
 */
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
