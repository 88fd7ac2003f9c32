// The name of a host, as requests and options have it, in one spelling: two that mean the same host are equal
// (RFC 3986 section 3.2.2).

/**
 * Of `host` or `host:port`: in lower case, without the port and the dot of the root, a name of another script as
 * `xn--…`; undefined for what names no host.
 */
export function hostNameOf(authority: string): string | undefined {
  if (/[/?#@\\\s]/.test(authority)) return undefined;
  const name = URL.parse(`http://${authority}`)?.hostname.replace(/\.$/, '');
  return name === '' ? undefined : name;
}
