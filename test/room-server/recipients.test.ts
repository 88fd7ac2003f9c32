// Suggestions for a recipient: whom the room server names, then users, each once.

import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { MAX_COMPLETIONS } from '../../src/limits/backend.ts';
import { parseSuggestion, suggestRecipients } from '../../src/room-server/users.ts';
import { ANN, askedServer, listing, ownInfo } from '../support/asked-server.ts';

describe('a suggestion', () => {
  it('is a name without its quotes, an address, and what to write', () => {
    for (const [line, name, address] of [
      ['"Smith, Bob" <bob@x>', 'Smith, Bob', 'bob@x'],
      ['Bob <bob@x> ', 'Bob', 'bob@x'],
      ['"a \\"b\\" \\\\c" <x@y>', 'a "b" \\c', 'x@y'],
      ['bob@x', '', 'bob@x'],
      ['<bob@x>', '', 'bob@x'],
    ] as const) {
      assert.deepEqual(parseSuggestion(line), { name, address, recipient: line.trim() }, line);
    }
  });
});

describe('suggestions', () => {
  const withHost = (host: string) => ownInfo().replace('\nVestibule', `${host}\nVestibule`);

  it('are people, then users who are none of them, with addresses here', async (t) => {
    const { pool, sent } = await askedServer(t, {
      AUTO: listing('Bob B <bob@x>'),
      LIST: listing('bob b|4|3|0|', 'Carol Ü|4|5|0|'),
      INFO: withHost('vm.example'),
    });
    assert.deepEqual(await suggestRecipients(pool, ANN, 'b'), [
      { name: 'Bob B', address: 'bob@x', recipient: 'Bob B <bob@x>' },
      { name: 'Carol Ü', address: 'carol__@vm.example', recipient: 'Carol Ü' },
    ]);
    assert.deepEqual(sent(), ['AUTO b', 'LIST b', 'INFO']);
  });

  it('are users alone where the server knows no address books, without an address where it has no name', async (t) => {
    const { pool } = await askedServer(t, { AUTO: '530 unknown\n', LIST: listing('bob|4|3|0|'), INFO: ownInfo() });
    assert.deepEqual(await suggestRecipients(pool, ANN, 'b'), [{ name: 'bob', address: '', recipient: 'bob' }]);
  });

  it('are so many at most', async (t) => {
    const rows = Array.from({ length: MAX_COMPLETIONS + 1 }, (_, i) => `user${i}|4|${i}|0|`);
    const { pool } = await askedServer(t, { AUTO: listing('A <a@x>'), LIST: listing(...rows), INFO: ownInfo() });
    const found = await suggestRecipients(pool, ANN, '');
    assert.equal(found.length, MAX_COMPLETIONS);
    assert.equal(found[0]?.name, 'A');
  });
});
