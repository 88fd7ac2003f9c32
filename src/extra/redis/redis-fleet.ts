// The Fleet of gateways on many machines: what they share lies in Redis or Valkey (--shared), which operators run
// already. Nothing here keeps a gateway from starting or serving while the store is away: what needs it says so with
// shared_unreachable.

import type { SecureContext } from 'node:tls';
import { AppError } from '../../errors.ts';
import type { Fleet } from '../../fleet/fleet.ts';
import { type FleetNotice, localNotices } from '../../fleet/notices.ts';
import { revocationLine, tooManyRevocations } from '../../fleet/revocations.ts';
import type { StoreAddress } from '../../fleet/store-address.ts';
import { UPLOAD_BOUNDS, type UploadBounds } from '../../fleet/uploads.ts';
import { MAX_UNTOLD_NOTICES } from '../../limits/resp.ts';
import { FLEET_SWEEP_MS, MAX_REVOCATIONS } from '../../limits/sessions.ts';
import { storeUnreachable } from '../resp/connection.ts';
import { StoreClient } from '../resp/store-client.ts';
import { FleetCopy } from './copy.ts';
import { KEY_PREFIX } from './keys.ts';
import { redisLocks } from './locks.ts';
import { NOTIFY, REVOKE } from './scripts.ts';
import { redisThrottle } from './throttle.ts';
import { redisUploads } from './uploads.ts';

export interface RedisFleetOptions {
  address: StoreAddress;
  /** whom to trust, for an address that wants TLS */
  tls?: SecureContext | undefined;
  /** for bodies on their way; it exists */
  folder: string;
  /** KEY_PREFIX unless given */
  prefix?: string;
  /** log-outs that are remembered */
  maxRevocations?: number;
  uploadBounds?: UploadBounds;
  /** lines for the operator: the store is away, it is there again */
  tell?: (text: string) => void;
}

/** Connects in the background. */
export function openRedisFleet({
  address,
  tls,
  folder,
  prefix = KEY_PREFIX,
  maxRevocations = MAX_REVOCATIONS,
  uploadBounds = UPLOAD_BOUNDS,
  tell = () => {},
}: RedisFleetOptions): Fleet {
  let unusable = '';
  const client = new StoreClient(address, tls, ({ message }) => {
    if (message !== unusable) tell(`What the gateways share (--shared) has been written by others: ${message}`);
    unusable = message;
  });
  const heard = localNotices();
  /** while the store is away; oldest first */
  const untold: FleetNotice[] = [];
  let isAway = false;
  const copy: FleetCopy = new FleetCopy(client, prefix, {
    onNotice: (notice) => void heard.tell(notice),
    onGap: () => void heard.tell({ about: 'gap' }),
    onLook(fault) {
      if (fault !== undefined && !isAway)
        tell(`What the gateways share (--shared) cannot be reached: ${reasonOf(fault)}`);
      if (fault === undefined && isAway) tell('What the gateways share (--shared) is there again.');
      isAway = fault !== undefined;
      if (!isAway) for (const notice of untold.splice(0)) send(notice).catch((error: unknown) => tell(String(error)));
    },
  });

  async function send(notice: FleetNotice): Promise<void> {
    try {
      await copy.change(NOTIFY, [], { notice, from: copy.id }, []);
    } catch (error) {
      if (!(error instanceof AppError)) throw error;
      if (untold.length >= MAX_UNTOLD_NOTICES) untold.shift();
      untold.push(notice); // what it tells of has happened: who cannot hear now hears later
    }
  }

  const timer = setInterval(() => {
    copy.sweep();
    copy.removeExpired().catch(() => {}); // the next one will
  }, FLEET_SWEEP_MS);
  timer.unref();
  void copy.catchUp().catch(() => {});

  return {
    throttle: redisThrottle(client, prefix),
    revocations: {
      async revoke(sessionId, untilSeconds) {
        const until = Math.ceil(untilSeconds);
        revocationLine(sessionId, until);
        if (until <= copy.nowSeconds()) return;
        const change = { revoked: [[sessionId, until]] as [string, number][] };
        const isDone = await copy.change(REVOKE, ['revoked'], change, [maxRevocations, until, sessionId]);
        if (!isDone) throw tooManyRevocations();
      },
      isRevoked(sessionId) {
        if (copy.hasRevoked(sessionId)) return true;
        if (copy.isTrusted) return false;
        return copy.catchUp().then(
          () => copy.hasRevoked(sessionId),
          (error) => Promise.reject(error instanceof AppError ? error : storeUnreachable(error)),
        );
      },
    },
    uploads: redisUploads(client, prefix, folder, uploadBounds),
    locks: redisLocks(copy),
    notices: {
      async tell(notice) {
        await heard.tell(notice);
        await send(notice);
      },
      listen: heard.listen,
    },
    async close() {
      clearInterval(timer);
      copy.close();
      client.close();
    },
  };
}

function reasonOf(fault: unknown): string {
  const { cause, message } = fault as Error;
  return cause instanceof Error ? cause.message : message;
}
