// Who is the master, as sentinels know it (redis.io, "Guidelines for Redis clients with support for Redis Sentinel").

import type { HostPort, StoreAddress } from './address.ts';
import { type ConnectionSettings, RespConnection, storeUnreachable } from './connection.ts';
import { ReplyError, type RespReply, replyItems, replyText } from './reply.ts';

/**
 * Asks one sentinel after the other; who has answered is asked first the next time. Throws shared_unreachable where
 * none knows a master, or the one they name does not say that it is one.
 */
export function masterLocator(address: StoreAddress, settings: ConnectionSettings): () => Promise<HostPort> {
  const sentinels = [...address.hosts];
  return async () => {
    let fault: unknown = new Error('no sentinel knows the master');
    for (const sentinel of [...sentinels]) {
      try {
        const master = await masterKnownTo(sentinel, address.masterName, settings);
        await requireMaster(master, settings);
        sentinels.splice(sentinels.indexOf(sentinel), 1);
        sentinels.unshift(sentinel);
        return master;
      } catch (error) {
        fault = error instanceof Error && error.cause !== undefined ? error.cause : error;
      }
    }
    throw storeUnreachable(fault);
  };
}

async function masterKnownTo(sentinel: HostPort, name: string, settings: ConnectionSettings): Promise<HostPort> {
  const plain = { ...settings, user: undefined, password: undefined, database: 0 };
  const question = ['SENTINEL', 'get-master-addr-by-name', name] as const;
  let reply = await askOnce(sentinel, plain, question);
  // sentinels have passwords of their own; where they want one, it is taken to be the same
  if (reply instanceof ReplyError && reply.word === 'NOAUTH') {
    reply = await askOnce(sentinel, { ...settings, database: 0 }, question);
  }
  if (reply instanceof ReplyError) throw reply;
  const [host, port] = replyItems(reply).map(replyText);
  if (!host || !/^\d{1,5}$/.test(port ?? '')) throw new Error(`the sentinels know no master ${name}`);
  return { host, port: Number(port) };
}

async function requireMaster(at: HostPort, settings: ConnectionSettings): Promise<void> {
  const role = await askOnce(at, settings, ['ROLE']);
  if (role instanceof ReplyError) throw role;
  if (replyText(replyItems(role)[0]) !== 'master') throw new Error('who the sentinels name is no master yet');
}

async function askOnce(at: HostPort, settings: ConnectionSettings, command: readonly string[]): Promise<RespReply> {
  const connection = await RespConnection.open(at, settings);
  try {
    return await connection.ask(command);
  } finally {
    connection.close();
  }
}
