// The client of a shared store: one server, a master found by sentinels (redis.io, "Guidelines for Redis clients with
// support for Redis Sentinel"), or a cluster, where the slot of a key determines the node and redirects are followed
// (redis.io, "Redis cluster specification": key distribution model, hash tags).

import { hash } from 'node:crypto';
import { setTimeout as sleep } from 'node:timers/promises';
import type { SecureContext } from 'node:tls';
import { AppError } from '../../errors.ts';
import { type HostPort, hostPortText, parseHostPort, type StoreAddress } from '../../fleet/store-address.ts';
import {
  COMMAND_WAIT_MS,
  MAX_CLUSTER_NODES,
  MAX_COMMANDS_AT_ONCE,
  MAX_COMMANDS_AT_ONCE_PER_ASKER,
  MAX_COMMANDS_WAITING,
  MAX_COMMANDS_WAITING_PER_ASKER,
  MAX_REDIRECTS,
  SLOT_MAP_MS,
  TRY_AGAIN_MS,
} from '../../limits/processes.ts';
import { FairQueue, PROGRAM, runningAsker } from '../../system/fair-queue.ts';
import {
  type ConnectionSettings,
  type RespCommand,
  RespConnection,
  storeOverloaded,
  storeUnreachable,
} from './connection.ts';
import { RespNode } from './node.ts';
import { ReplyError, type RespReply, replyItems, replyText } from './reply.ts';

/** A Lua script that the store runs atomically. */
export interface Script {
  text: string;
  sha: string;
}

export function script(text: string): Script {
  return { text, sha: hash('sha1', text, 'hex') };
}

/** errors that mean: the store is temporarily unable to serve */
const AWAY = new Set(
  'LOADING CLUSTERDOWN MASTERDOWN READONLY BUSY NOAUTH WRONGPASS NOPERM MISCONF NOREPLICAS'.split(' '),
);
/** errors of a demoted or not yet promoted master */
const DEMOTED = new Set(['READONLY', 'MASTERDOWN']);

export class StoreClient {
  readonly #settings: ConnectionSettings;
  /** the single server or the master; undefined for a cluster */
  readonly #only: RespNode | undefined;
  readonly #seeds: readonly HostPort[];
  readonly #onUnusable: (fault: ReplyError) => void;
  readonly #nodes = new Map<string, RespNode>();
  /** slot → key of its node */
  #slots: string[] = [];
  readonly #turns = new FairQueue({
    slots: MAX_COMMANDS_AT_ONCE,
    slotsPerCaller: MAX_COMMANDS_AT_ONCE_PER_ASKER,
    maxWaiting: MAX_COMMANDS_WAITING,
    maxWaitingPerCaller: MAX_COMMANDS_WAITING_PER_ASKER,
    maxWaitMs: COMMAND_WAIT_MS,
    refused: storeOverloaded,
  });
  #mapping: Promise<void> | undefined;
  #mappedAt = Number.NEGATIVE_INFINITY;
  #isClosed = false;

  /**
   * Connects on demand. `tls`: trusted certificates. `onUnusable` receives errors for keys that contain other programs'
   * data.
   */
  constructor(
    address: StoreAddress,
    tls: SecureContext | undefined,
    onUnusable: (fault: ReplyError) => void = () => {},
  ) {
    this.#onUnusable = onUnusable;
    const { user, password, database } = address;
    this.#settings = { user, password, database, tls: address.isTls ? tls : undefined };
    this.#seeds = address.hosts;
    const locate =
      address.kind === 'sentinel' ? masterLocator(address, this.#settings) : () => address.hosts[0] as HostPort;
    this.#only = address.kind === 'cluster' ? undefined : new RespNode(locate, this.#settings);
  }

  /**
   * The reply to a command about `key`; in a cluster, all keys of a command must share a hash tag. Throws
   * shared_unreachable (also for a key of another type), busy, insufficient_storage; other errors are bugs.
   */
  async ask(key: string, command: RespCommand): Promise<RespReply> {
    const reply = await this.#follow(key, command);
    if (reply instanceof ReplyError) throw this.#faultOf(reply, reply.word === 'WRONGTYPE');
    return reply;
  }

  /** Runs a script; sends its text only if needed. Throws like ask; errors inside the script count as unusable data. */
  async run({ text, sha }: Script, keys: readonly string[], args: RespCommand): Promise<RespReply> {
    const rest = [keys.length, ...keys, ...args];
    const reply = await this.#follow(keys[0]!, ['EVALSHA', sha, ...rest]);
    const isUnknown = reply instanceof ReplyError && reply.word === 'NOSCRIPT';
    const answer = isUnknown ? await this.#follow(keys[0]!, ['EVAL', text, ...rest]) : reply;
    if (answer instanceof ReplyError) throw this.#faultOf(answer, true);
    return answer;
  }

  /** A separate connection to the server of `key`. Throws shared_unreachable. */
  async connectFor(key: string): Promise<RespConnection> {
    await this.ask(key, ['EXISTS', key]); // finds master and slot
    const node = this.#only ?? this.#nodes.get(this.#slots[slotOf(key)] ?? '');
    const at = node?.at;
    if (!at) throw storeUnreachable(new Error('the connection was lost'));
    return RespConnection.open(at, this.#settings);
  }

  close(): void {
    this.#isClosed = true;
    this.#only?.close();
    for (const node of this.#nodes.values()) node.close();
  }

  #faultOf(reply: ReplyError, isOfStored: boolean): Error {
    if (reply.word === 'OOM') {
      return new AppError('insufficient_storage', 'The shared store is full.', { cause: reply });
    }
    if (AWAY.has(reply.word)) return storeUnreachable(reply);
    if (!isOfStored) return reply;
    this.#onUnusable(reply);
    return storeUnreachable(reply);
  }

  /** Askers take turns, since all commands share a connection. */
  async #follow(key: string, command: RespCommand): Promise<RespReply> {
    const leave = await this.#turns.enter(runningAsker().turnKey, PROGRAM.gone);
    return this.#send(key, command).finally(leave);
  }

  async #send(key: string, command: RespCommand): Promise<RespReply> {
    let node = this.#only ?? (await this.#nodeOf(key));
    let isAsk = false;
    for (let tries = 0; ; tries++) {
      const reply = await this.#askNode(node, command, isAsk);
      if (!(reply instanceof ReplyError)) return reply;
      if (DEMOTED.has(reply.word)) node.leave();
      const redirect = this.#only ? undefined : redirectOf(reply.message, node.at ?? this.#seeds[0]!);
      const isMidway = !this.#only && reply.word === 'TRYAGAIN';
      if (tries >= MAX_REDIRECTS || (!redirect && !isMidway)) return reply;
      if (isMidway) await sleep(TRY_AGAIN_MS);
      if (!redirect) continue;
      isAsk = redirect.isAsk;
      node = this.#nodeAt(redirect);
      if (isAsk) continue;
      this.#slots[slotOf(key)] = hostPortText(redirect);
      this.#mapAgain();
    }
  }

  async #askNode(node: RespNode, command: RespCommand, isAsk: boolean): Promise<RespReply> {
    try {
      return await (isAsk ? node.askBehind(['ASKING'], command) : node.ask(command));
    } catch (error) {
      if (!this.#only) this.#mapAgain(); // a replica may have been promoted
      throw error;
    }
  }

  async #nodeOf(key: string): Promise<RespNode> {
    const slot = slotOf(key);
    if (this.#slots[slot] === undefined) await this.#map();
    const at = this.#slots[slot];
    const node = at === undefined ? undefined : this.#nodes.get(at);
    if (!node) throw storeUnreachable(new Error(`no node of the cluster has slot ${slot}`));
    return node;
  }

  #nodeAt(at: HostPort): RespNode {
    const key = hostPortText(at);
    if (this.#isClosed || (this.#nodes.size >= MAX_CLUSTER_NODES && !this.#nodes.has(key))) {
      throw storeUnreachable(new Error('too many nodes'));
    }
    return this.#nodes.getOrInsertComputed(key, () => new RespNode(() => at, this.#settings));
  }

  /** In the background, at most once per SLOT_MAP_MS. */
  #mapAgain(): void {
    if (performance.now() - this.#mappedAt < SLOT_MAP_MS) return;
    this.#map().catch(() => {}); // keeps the old map
  }

  /** Loads the slot map. Throws shared_unreachable. */
  #map(): Promise<void> {
    this.#mapping ??= this.#askForMap().finally(() => {
      this.#mapping = undefined;
    });
    return this.#mapping;
  }

  async #askForMap(): Promise<void> {
    this.#mappedAt = performance.now();
    let fault: unknown;
    for (const node of [...this.#nodes.values(), ...this.#seeds.map((at) => this.#nodeAt(at))]) {
      try {
        const reply = await node.ask(['CLUSTER', 'SLOTS']);
        if (reply instanceof ReplyError) throw reply;
        const ranges = slotRanges(reply, node.at ?? this.#seeds[0]!);
        if (ranges.length === 0) throw new Error('the cluster has no slots');
        this.#use(ranges);
        return;
      } catch (error) {
        fault = error instanceof AppError ? error.cause : error;
      }
    }
    throw storeUnreachable(fault);
  }

  #use(ranges: ReturnType<typeof slotRanges>): void {
    const slots: string[] = [];
    for (const range of ranges) {
      this.#nodeAt(range);
      for (let slot = range.first; slot <= range.last; slot++) slots[slot] = hostPortText(range);
    }
    this.#slots = slots;
    const used = new Set([...ranges, ...this.#seeds].map(hostPortText));
    for (const [key, node] of this.#nodes) {
      if (used.has(key)) continue;
      node.close();
      this.#nodes.delete(key);
    }
  }
}

export const SLOTS = 16_384;

/** CRC-16/XMODEM: polynomial 0x1021, initial value 0 */
const TABLE = Uint16Array.from({ length: 256 }, (_, byte) => {
  let crc = byte << 8;
  for (let bit = 0; bit < 8; bit++) crc = crc & 0x8000 ? (crc << 1) ^ 0x1021 : crc << 1;
  return crc;
});

/** Hashes the key, or only the text in `{…}` if there is some. */
export function slotOf(key: string): number {
  const open = key.indexOf('{');
  const close = open < 0 ? -1 : key.indexOf('}', open + 1);
  const hashed = close > open + 1 ? key.slice(open + 1, close) : key;
  let crc = 0;
  for (const byte of Buffer.from(hashed)) crc = ((crc << 8) & 0xffff) ^ TABLE[(crc >> 8) ^ byte]!;
  return crc % SLOTS;
}

interface SlotRange extends HostPort {
  first: number;
  last: number;
}

/** The masters in a reply to CLUSTER SLOTS; `asked`: replaces an address that a node does not know. */
export function slotRanges(reply: RespReply, asked: HostPort): SlotRange[] {
  const ranges: SlotRange[] = [];
  for (const entry of replyItems(reply)) {
    const [first, last, master] = replyItems(entry);
    const [host, port] = replyItems(master);
    if (typeof first !== 'number' || typeof last !== 'number' || typeof port !== 'number') continue;
    if (!isSlot(first) || !isSlot(last) || port < 1 || port > 65_535) continue;
    ranges.push({ first, last, host: replyText(host) || asked.host, port });
  }
  const nodes = new Set(ranges.map(({ host, port }) => `${host} ${port}`));
  return nodes.size > MAX_CLUSTER_NODES ? [] : ranges;
}

interface Redirect extends HostPort {
  isAsk: boolean;
}

/** Parses `MOVED 3999 127.0.0.1:6381` or `ASK …`; undefined for other errors. */
export function redirectOf(message: string, asked: HostPort): Redirect | undefined {
  const [, word, host = '', port = ''] = /^(MOVED|ASK) \d{1,5} (\S*):(\d{1,5})$/.exec(message) ?? [];
  if (word === undefined) return undefined;
  const bare = host.startsWith('[') ? host : host.includes(':') ? `[${host}]` : host;
  const at = parseHostPort(`${bare || 'same'}:${port}`, 0);
  return at && { ...at, ...(host === '' && { host: asked.host }), isAsk: word === 'ASK' };
}

function isSlot(number: number): boolean {
  return number >= 0 && number < SLOTS;
}

/**
 * Asks the sentinels in turn, the last responsive one first. Throws shared_unreachable if none knows a master, or that
 * server is not one.
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
  // sentinels have passwords of their own; try the same one
  if (reply instanceof ReplyError && reply.word === 'NOAUTH') {
    reply = await askOnce(sentinel, { ...settings, database: 0 }, question);
  }
  if (reply instanceof ReplyError) throw reply;
  const [host, port] = replyItems(reply).map(replyText);
  if (!host || !/^\d{1,5}$/.test(port ?? '')) throw new Error(`the sentinels do not know a master ${name}`);
  return { host, port: Number(port) };
}

async function requireMaster(at: HostPort, settings: ConnectionSettings): Promise<void> {
  const role = await askOnce(at, settings, ['ROLE']);
  if (role instanceof ReplyError) throw role;
  if (replyText(replyItems(role)[0]) !== 'master')
    throw new Error('the server named by the sentinels is not a master yet');
}

async function askOnce(at: HostPort, settings: ConnectionSettings, command: readonly string[]): Promise<RespReply> {
  const connection = await RespConnection.open(at, settings);
  try {
    return await connection.ask(command);
  } finally {
    connection.close();
  }
}
