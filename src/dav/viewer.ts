// The caller as properties tell of him.

import type { App } from '../gateway/app.ts';
import type { Caller } from '../gateway/caller.ts';
import { userPath } from '../gateway/paths.ts';
import { MAX_OBJECT_BYTES } from '../limits/backend.ts';
import type { Viewer } from './resource.ts';

/** Throws not_logged_in. */
export async function viewerOf(app: App, { identity }: Caller): Promise<Viewer> {
  const { name } = await app.pool.identify(identity);
  const maxResourceSize = Math.min(MAX_OBJECT_BYTES, app.messageLimit.bytes ?? MAX_OBJECT_BYTES);
  return { prefix: app.prefix, principal: userPath(app, name), maxResourceSize };
}
