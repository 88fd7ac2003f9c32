// Names of users, rooms and floors folded for look-ups: which two spellings are the same name (protocol sections 7 and
// 8). The one place where they are folded, for the room server and for all that is counted or kept by name: two
// foldings that differ for one letter are a way around a bound. ASCII letters only: toLowerCase would also turn U+212A
// (the Kelvin sign) into `k`. Which different names look alike to people: name-rules.ts.

/** ASCII lower case, other letters as they are: rooms and floors. `'GrÖße'` → `'grÖße'` */
export function nameKey(name: string): string {
  return name.replace(/[A-Z]+/g, (letters) => letters.toLowerCase());
}

/**
 * The account that a name stands for: ASCII letters and digits, any case, of an address those of its local part.
 * `'Al.Ice'`, `'a@lice@localhost'` → `'alice'`. Whether the domain is the room server's own is for it to say.
 */
export function accountName(user: string): string {
  return nameKey(splitAddress(user).local.replace(/[^A-Za-z0-9]+/g, ''));
}

/** RFC 5322 section 3.4.1: the domain is what follows the last `@`; undefined without one. */
export function splitAddress(text: string): { local: string; domain: string | undefined } {
  const at = text.lastIndexOf('@');
  return at < 0 ? { local: text, domain: undefined } : { local: text.slice(0, at), domain: text.slice(at + 1) };
}

/** How a name becomes the local part of an address (protocol section 7): `'Bob Smith'` → `'bob_smith'` */
export function localPartOf(name: string): string {
  return nameKey(name).replace(/[^a-z0-9.-]/g, '_');
}
