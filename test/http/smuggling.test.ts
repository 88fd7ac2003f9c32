// Bytes that two parsers may take apart in different ways: each is taken in the one way of RFC 9112, or refused with
// nothing behind it handled.

import assert from 'node:assert/strict';
import { after, describe, it } from 'node:test';
import { VECTORS } from '../support/smuggling.ts';
import { understand } from '../support/understand.ts';

const site = await understand({ after });

describe('bytes that could be two things', () => {
  for (const { name, bytes, answers } of VECTORS) {
    it(`${name}: ${answers.join(', ').slice(0, 60) || 'no answer'}`, async () => {
      const { handled, answered } = await site.send(bytes);
      assert.deepEqual(answered, answers);
      assert.deepEqual(
        handled,
        answers.filter((answer) => !/^\d/.test(answer)),
      );
    });
  }
});
