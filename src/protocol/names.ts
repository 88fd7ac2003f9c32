// Folds names of users, rooms and floors for lookups (protocol sections 7 and 8), for the room server and for
// everything that is counted or cached by name: a second, slightly different folding would be a way around a limit.
// Only ASCII is lower-cased, because toLowerCase would map U+212A (the Kelvin sign) to `k`. Look-alike names:
// name-rules.ts.

/** Rooms and floors: `'GrÖße'` → `'grÖße'` */
export function nameKey(name: string): string {
  return name.replace(/[A-Z]+/g, (letters) => letters.toLowerCase());
}

/**
 * The account for a name: its ASCII letters and digits, lower case; of an address, those of the local part. `'Al.Ice'`,
 * `'a@lice@localhost'` → `'alice'`. The room server checks the domain.
 */
export function accountName(user: string): string {
  return nameKey(splitAddress(user).local.replace(/[^A-Za-z0-9]+/g, ''));
}

/** The domain follows the last `@` (RFC 5322 section 3.4.1); undefined if there is none. */
export function splitAddress(text: string): { local: string; domain: string | undefined } {
  const at = text.lastIndexOf('@');
  return at < 0 ? { local: text, domain: undefined } : { local: text.slice(0, at), domain: text.slice(at + 1) };
}

/** The local part of a user's address (protocol section 7): `'Bob Smith'` → `'bob_smith'` */
export function localPartOf(name: string): string {
  return nameKey(name).replace(/[^a-z0-9.-]/g, '_');
}
