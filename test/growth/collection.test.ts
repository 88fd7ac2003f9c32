// Listing the members of a room, and the token of a list, cost steps in proportion to the number of messages.

import './growth.ts';
import { describe } from 'node:test';
import { MemberNames } from '../../src/gateway/collection/member-names.ts';
import { isSelected, memberOf } from '../../src/gateway/collection/selection.ts';
import { numbersOfToken, tokenOfNumbers } from '../../src/gateway/collection/sync-token.ts';
import type { StoredTraits } from '../../src/gateway/message/stored-traits.ts';
import type { RoomContext } from '../../src/gateway/room-context.ts';
import { Sealer } from '../../src/gateway/seal.ts';
import { VIEW } from '../../src/model.ts';
import { grows } from './growth.ts';

const TRAITS = { contentType: 'text/calendar', subject: '', size: 1, facts: undefined, originalTime: undefined };

describe('steps of a collection', () => {
  const context = {
    app: { pool: { accountOf: async () => '1' }, sealer: new Sealer(Buffer.alloc(32)) },
    caller: { identity: { user: 'a', password: '' } },
  } as unknown as RoomContext;
  const numbers = (name: string, at: (i: number) => number) => ({
    name,
    make: (n: number) => Array.from({ length: n }, (_, i) => at(i)),
  });
  grows(
    'tokens',
    [numbers('in a row', (i) => i + 1), numbers('scattered', (i) => (i + 1) * 1_000_003)],
    async (list) => numbersOfToken(context, 'a', await tokenOfNumbers(context, 'a', list)),
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
        const traits: StoredTraits = { ...TRAITS, euid, time: 0, name };
        isSelected(memberOf(row, taken.take(row, traits), traits), { folder: 'a/a/' }, 'files');
      }
    },
    { perUnit: 120 },
  );
});
