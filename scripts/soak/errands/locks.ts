// A lock that is taken and given back.

import type { Person } from '../person.ts';

/** Takes a lock on the path, acts with its token (`<urn:uuid:…>`) and gives it back; does nothing without one. */
export async function withLock(person: Person, path: string, act: (token: string) => Promise<void>): Promise<void> {
  const taken = await person.ask('LOCK', path);
  const token = taken?.headers.get('lock-token');
  if (!token) return;
  await act(token);
  await person.ask('UNLOCK', path, { headers: { 'lock-token': token } });
}
