// The client of a shared store: one server, a master with sentinels (redis.io, "Guidelines for Redis clients with
// support for Redis Sentinel"), or a cluster, where each command goes to the node that owns the slot of its key and
// redirects are followed (redis.io, "Redis cluster specification": key distribution model, hash tags).

import { hash } from 'node:crypto';
import { setTimeout as sleep } from 'node:timers/promises';
import type { SecureContext } from 'node:tls';
import { AppError } from '../../errors.ts';
import { type HostPort, hostPortText, parseHostPort, type StoreAddress } from '../../fleet/store-address.ts';
import { MAX_CLUSTER_NODES, MAX_REDIRECTS, SLOT_MAP_MS, TRY_AGAIN_MS } from '../../limits/resp.ts';
import { type ConnectionSettings, type RespCommand, RespConnection, storeUnreachable } from './connection.ts';
import { RespNode } from './node.ts';
import { ReplyError, type RespReply, replyItems, replyText } from './reply.ts';

/** A Lua script that the store runs as one step. */
export interface Script {
  text: string;
  sha: string;
}

export function script(text: string): Script {
  return { text, sha: hash('sha1', text, 'hex') };
}

/** the store is there but cannot serve the command now */
const AWAY = new Set([
  'LOADING',
  'CLUSTERDOWN',
  'MASTERDOWN',
  'READONLY',
  'BUSY',
  'NOAUTH',
  'WRONGPASS',
  'NOPERM',
  'MISCONF',
  'NOREPLICAS',
]);
/** whoever answers this has been demoted, or the sentinels named it too early */
const DEMOTED = new Set(['READONLY', 'MASTERDOWN']);

export class StoreClient {
  readonly #settings: ConnectionSettings;
  /** of a single server, or of a master; undefined for a cluster */
  readonly #only: RespNode | undefined;
  readonly #seeds: readonly HostPort[];
  readonly #onUnusable: (fault: ReplyError) => void;
  readonly #nodes = new Map<string, RespNode>();
  /** by slot: the key of its node */
  #slots: string[] = [];
  #mapping: Promise<void> | undefined;
  #mappedAt = Number.NEGATIVE_INFINITY;
  #isClosed = false;

  /**
   * Connects when something is asked. `tls`: whom to trust, for an address that wants TLS. `onUnusable` is told what
   * the store says where others have written what is ours.
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
   * The reply to a command about `key`; in a cluster, all keys of a command have one hash tag. Throws
   * shared_unreachable, also where the key has something of another kind; busy; insufficient_storage where the store
   * is full; what else it refuses is a fault.
   */
  async ask(key: string, command: RespCommand): Promise<RespReply> {
    const reply = await this.#follow(key, command);
    if (reply instanceof ReplyError) throw this.#faultOf(reply, reply.word === 'WRONGTYPE');
    return reply;
  }

  /**
   * Runs a script; its text goes there once. Throws as ask; what fails in the midst of it does so for what is stored,
   * whatever word an older server begins with.
   */
  async run({ text, sha }: Script, keys: readonly string[], args: RespCommand): Promise<RespReply> {
    const rest = [keys.length, ...keys, ...args];
    const reply = await this.#follow(keys[0]!, ['EVALSHA', sha, ...rest]);
    const isUnknown = reply instanceof ReplyError && reply.word === 'NOSCRIPT';
    const answer = isUnknown ? await this.#follow(keys[0]!, ['EVAL', text, ...rest]) : reply;
    if (answer instanceof ReplyError) throw this.#faultOf(answer, true);
    return answer;
  }

  /** A connection of its own to the server that has `key`. Throws shared_unreachable. */
  async connectFor(key: string): Promise<RespConnection> {
    await this.ask(key, ['EXISTS', key]); // finds master and slot
    const node = this.#only ?? this.#nodes.get(this.#slots[slotOf(key)] ?? '');
    const at = node?.at;
    if (!at) throw storeUnreachable(new Error('it was lost again'));
    return RespConnection.open(at, this.#settings);
  }

  close(): void {
    this.#isClosed = true;
    this.#only?.close();
    for (const node of this.#nodes.values()) node.close();
  }

  #faultOf(reply: ReplyError, isOfStored: boolean): Error {
    if (reply.word === 'OOM') {
      return new AppError('insufficient_storage', 'What the gateways share has no more space.', { cause: reply });
    }
    if (AWAY.has(reply.word)) return storeUnreachable(reply);
    if (!isOfStored) return reply;
    this.#onUnusable(reply);
    return storeUnreachable(reply);
  }

  async #follow(key: string, command: RespCommand): Promise<RespReply> {
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
      if (!this.#only) this.#mapAgain(); // its replica may have taken its place
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

  /** In the background, and not more often than SLOT_MAP_MS. */
  #mapAgain(): void {
    if (performance.now() - this.#mappedAt < SLOT_MAP_MS) return;
    this.#map().catch(() => {}); // the map that is there is used on
  }

  /** Asks for the map. Throws shared_unreachable. */
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

/** CRC-16/XMODEM: polynomial 0x1021, from 0 */
const TABLE = Uint16Array.from({ length: 256 }, (_, byte) => {
  let crc = byte << 8;
  for (let bit = 0; bit < 8; bit++) crc = crc & 0x8000 ? (crc << 1) ^ 0x1021 : crc << 1;
  return crc;
});

/** Of a key; where it has `{…}` with something between, of that alone. */
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

/** The masters in an answer to CLUSTER SLOTS; `asked`: where a node does not know its own address. */
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

/** Of an error such as `MOVED 3999 127.0.0.1:6381` or `ASK …`; undefined for any other. */
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
