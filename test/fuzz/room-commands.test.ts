// What the fuzzer of the room server begins with.

import assert from 'node:assert/strict';
import { it } from 'node:test';
import { VERBS } from '../../src/backend/verbs/table.ts';
import { ROOM_SESSIONS } from './room-commands.ts';

it('the sessions have every verb', () => {
  const said = new Set(ROOM_SESSIONS.join('').match(/^[A-Z0-9]{4}\b/gm));
  // it ends every input
  said.add('QUIT');
  assert.deepEqual(
    [...VERBS.keys()].filter((verb) => !said.has(verb)),
    [],
  );
});
