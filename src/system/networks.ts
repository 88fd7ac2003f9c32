// What counts as one client: an IP address, or the /64 network of an IPv6 address, since one customer has all of it.

import { BlockList, isIP, isIPv6 } from 'node:net';

/** `2001:db8::5` → `2001:db8:0:0`, `::ffff:1.2.3.4` → `1.2.3.4`; what is no IPv6 address stays as it is. */
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

/** `localhost`, and the addresses of a machine that nobody else reaches (RFC 6761 section 6.3, RFC 6890 section 2). */
export function isLoopback(host: string): boolean {
  return /^(?:(?:[^.]+\.)*localhost\.?|127(?:\.\d{1,3}){3}|::1|::ffff:127(?:\.\d{1,3}){3})$/i.test(host);
}

/** An IP address, or a network: `10.0.0.7`, `10.0.0.0/24`, `2001:db8::/32`. */
export function isNetwork(text: string): boolean {
  const [address = '', bits, ...more] = text.split('/');
  const most = { 0: -1, 4: 32, 6: 128 }[isIP(address)]!;
  return more.length === 0 && most > 0 && (bits === undefined || (/^\d{1,3}$/.test(bits) && Number(bits) <= most));
}

/** Whether an address is one of these, or in one of these networks, all of them as isNetwork says. */
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

/** How much each client holds of something, with a bound. What nobody holds takes no memory. */
export class NetworkCounts {
  readonly #max: number;
  readonly #counts = new Map<string, number>();

  constructor(max: number) {
    this.#max = max;
  }

  /** One more for this address; false: it has as many as it may, and nothing is counted. */
  enter(address: string): boolean {
    const network = networkOf(address);
    const count = this.#counts.get(network) ?? 0;
    if (count >= this.#max) return false;
    this.#counts.set(network, count + 1);
    return true;
  }

  /** One less, behind an `enter` that was true. */
  leave(address: string): void {
    const network = networkOf(address);
    const count = this.#counts.get(network)! - 1;
    if (count === 0) this.#counts.delete(network);
    else this.#counts.set(network, count);
  }
}
