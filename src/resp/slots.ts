// Which node of a cluster has a key (redis.io, "Redis cluster specification": key distribution model, hash tags).

import { MAX_CLUSTER_NODES } from '../limits/resp.ts';
import { type HostPort, parseHostPort } from './address.ts';
import { type RespReply, replyItems, replyText } from './reply.ts';

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

export interface SlotRange extends HostPort {
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

export interface Redirect extends HostPort {
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
