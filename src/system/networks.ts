// What counts as one client: an IPv4 address, or the /64 network of an IPv6 address, which one customer has.

import { BlockList, isIP, isIPv6 } from 'node:net';

/** `2001:db8::5` → `2001:db8:0:0`, `::ffff:1.2.3.4` → `1.2.3.4`; other text is unchanged */
export function networkOf(address: string): string {
  if (!isIPv6(address)) return address;
  const mapped = /^::ffff:([\d.]+)$/i.exec(address)?.[1];
  if (mapped) return mapped;
  const [head, tail] = address.split('::');
  const groups = head ? head.split(':') : [];
  const last = tail ? tail.split(':') : [];
  if (tail !== undefined) while (groups.length + last.length < 8) groups.push('0');
  return [...groups, ...last]
    .slice(0, 4)
    .map((group) => Number.parseInt(group, 16).toString(16))
    .join(':');
}

/** `localhost` and loopback addresses (RFC 6761 section 6.3, RFC 6890 section 2). */
export function isLoopback(host: string): boolean {
  return /^(?:(?:[^.]+\.)*localhost\.?|127(?:\.\d{1,3}){3}|::1|::ffff:127(?:\.\d{1,3}){3})$/i.test(host);
}

/** An IP address or network: `10.0.0.7`, `10.0.0.0/24`, `2001:db8::/32`. */
export function isNetwork(text: string): boolean {
  const [address = '', bits, ...more] = text.split('/');
  const most = { 0: -1, 4: 32, 6: 128 }[isIP(address)]!;
  return more.length === 0 && most > 0 && (bits === undefined || (/^\d{1,3}$/.test(bits) && Number(bits) <= most));
}

/** Tests an address against addresses and networks as in isNetwork. */
export function isWithin(networks: readonly string[]): (address: string) => boolean {
  const list = new BlockList();
  const familyOf = (address: string) => (isIPv6(address) ? 'ipv6' : 'ipv4');
  for (const network of networks) {
    const [address = '', bits] = network.split('/');
    if (bits === undefined) list.addAddress(address, familyOf(address));
    else list.addSubnet(address, Number(bits), familyOf(address));
  }
  return (address) => isIP(address) > 0 && list.check(address, familyOf(address));
}

/** Bounded counters per client. */
export class NetworkCounts {
  readonly #max: number;
  readonly #counts = new Map<string, number>();

  constructor(max: number) {
    this.#max = max;
  }

  /** Increments the counter. False: the limit is reached. */
  enter(address: string): boolean {
    const network = networkOf(address);
    const count = this.#counts.get(network) ?? 0;
    if (count >= this.#max) return false;
    this.#counts.set(network, count + 1);
    return true;
  }

  /** Decrements it, after a successful `enter`. */
  leave(address: string): void {
    const network = networkOf(address);
    const count = this.#counts.get(network)! - 1;
    if (count === 0) this.#counts.delete(network);
    else this.#counts.set(network, count);
  }
}
