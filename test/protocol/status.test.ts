// Status lines: what they say, and what is none.

import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { parseStatusLine, REPLY, replyClass, STATUS } from '../../src/protocol/status.ts';

describe('a status line', () => {
  it('has a code, a flag for waiting instant messages, and a text that may be empty', () => {
    assert.deepEqual(parseStatusLine('200*Lobby|1'), { code: 200, hasInstantMessages: true, text: 'Lobby|1' });
    assert.deepEqual(parseStatusLine('550 no '), { code: 550, hasInstantMessages: false, text: 'no ' });
    assert.deepEqual(parseStatusLine('100'), { code: 100, hasInstantMessages: false, text: '' });
    assert.deepEqual(parseStatusLine('999 '), { code: 999, hasInstantMessages: false, text: '' });
  });

  it('begins with three digits, the first of which is a class', () => {
    for (const line of ['', '20', '000', '099 x', 'x200', ' 200', '2x0 ', '٢00']) {
      assert.equal(parseStatusLine(line), undefined, line);
    }
  });

  it('is of the class of its first digit', () => {
    const classes = new Map<number, number>([
      [STATUS.listing, REPLY.listing],
      [STATUS.done, REPLY.done],
      [STATUS.goingDown, REPLY.done],
      [STATUS.moreNeeded, REPLY.moreNeeded],
      [STATUS.sendText, REPLY.sendText],
      [STATUS.binary, REPLY.binary],
      [STATUS.sendBinary, REPLY.sendBinary],
      [STATUS.sendTextThenListing, REPLY.sendTextThenListing],
      [STATUS.instantMessage, REPLY.notice],
      [STATUS.roomChanged, REPLY.notice],
      [STATUS.roomListChanged, REPLY.notice],
    ]);
    for (const [name, code] of Object.entries(STATUS)) {
      assert.equal(replyClass(code), classes.get(code) ?? REPLY.refused, name);
    }
  });
});
