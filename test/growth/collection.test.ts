// Listing the members of a room, and the token of a list, cost steps in proportion to the number of messages.

import './growth.ts';
import { describe } from 'node:test';
import { Sealer } from '../../src/gateway/seal.ts';
import { VIEW } from '../../src/model.ts';
import { numbersOfToken, tokenOfNumbers } from '../../src/room-server/citadel/collections.ts';
import { type HeaderFacts, MemberNames, memberOf } from '../../src/room-server/citadel/header-facts.ts';
import { isSelected } from '../../src/room-server/collections.ts';
import type { RoomAccess } from '../../src/room-server/connection/pool.ts';
import { grows } from './growth.ts';

const FACTS = { contentType: 'text/calendar', subject: '', size: 1, object: undefined };

describe('steps of a collection', () => {
  const at = { pool: { accountOf: async () => '1' } } as unknown as RoomAccess;
  const signer = new Sealer(Buffer.alloc(32));
  const numbers = (name: string, at: (i: number) => number) => ({
    name,
    make: (n: number) => Array.from({ length: n }, (_, i) => at(i)),
  });
  grows(
    'tokens',
    [numbers('in a row', (i) => i + 1), numbers('scattered', (i) => (i + 1) * 1_000_003)],
    async (list) => numbersOfToken(at, signer, 'a', await tokenOfNumbers(at, signer, 'a', list)),
    { perUnit: 40 },
  );

  const names = (name: string, at: (i: number) => [name: string | undefined, euid: string]) => ({
    name,
    make: (n: number) => Array.from({ length: n }, (_, i) => at(i)),
  });
  grows(
    'names',
    [
      names('their own', (i) => [`${i}.ics`, `${i}`]),
      names('all the same', () => ['a.ics', 'a']),
      names('none', () => [undefined, '']),
      names('folders', (i) => [`${'a/'.repeat(i % 8)}b`, '']),
    ],
    (rows) => {
      const taken = new MemberNames({ defaultView: VIEW.calendar, flags: 0 });
      for (const [i, [name, euid]] of rows.entries()) {
        const row = { msgnum: i + 1, euid, time: 0 };
        const facts: HeaderFacts = { ...FACTS, euid, time: 0, name };
        isSelected(memberOf(row, taken.take(row, facts), facts), { folder: 'a/a/' }, 'files');
      }
    },
    { perUnit: 120 },
  );
});
