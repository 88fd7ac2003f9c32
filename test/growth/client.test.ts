// The web client reads what others have sent in steps in proportion to its length: nobody can make a reader's tab hang.

import './growth.ts';
import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
// @ts-expect-error: the web client has no types
import { parseRoute } from '../../static/core/router.js';
// @ts-expect-error: the web client has no types
import { fieldsOf } from '../../static/formats/content-lines.js';
// @ts-expect-error: the web client has no types
import { groupwareCard } from '../../static/kinds/message/card.js';
import { countSteps } from '../support/steps.ts';
import { CALENDAR, CARD } from '../support/worst-cases.ts';
import { grows, mixtures } from './growth.ts';

/** As much of a document as core/dom.js needs. */
class Node {
  setAttribute() {}
  append() {}
}
Object.assign(globalThis, { document: { createElement: () => new Node() } });

describe('steps of the web client', () => {
  const line = mixtures(
    [';', ':', '"', '""', 'a', '.', '-', '\\;', '=41'],
    ['BEGIN:VEVENT\nNOTE', '\nEND:VEVENT'],
    ['BEGIN:VCARD\nNOTE:', ''],
    ['BEGIN:VCARD\nADR;ENCODING=QUOTED-PRINTABLE:', ''],
  );
  grows('lines of calendars and cards', line, groupwareCard, { perUnit: 100 });
  grows('calendars and cards', [...CALENDAR, ...CARD], groupwareCard, { perUnit: 100 });
  grows('addresses', mixtures(['/', '%', '#', 'r/', '1', '.', '%41'], ['#/r/Lobby/1/', '']), parseRoute, {
    perUnit: 40,
  });

  it('forty semicolons in a calendar line are read like forty letters', async () => {
    const event = (lineOf: string) => `BEGIN:VEVENT\r\n${lineOf}\r\nSUMMARY:x\r\nEND:VEVENT\r\n`;
    const steps = (lineOf: string) => countSteps(() => groupwareCard(event(lineOf)));
    await steps('A');
    assert.ok((await steps(`A${';'.repeat(40)}`)) < 3 * (await steps('A'.repeat(40))));
  });

  it('a line is name, parameters and value, whatever stands inside quotes', () => {
    const fields = (...lines: string[]) => fieldsOf(['BEGIN:VCARD', ...lines, 'END:VCARD'].join('\r\n'));
    assert.deepEqual(fields('item1.TEL;TYPE="a:b;c";X=:+49: 30', 'fn:Ann', 'NOTE:a\r\n b'), [
      { name: 'TEL', params: ';TYPE="a:b;c";X=', value: '+49: 30' },
      { name: 'FN', params: '', value: 'Ann' },
      { name: 'NOTE', params: '', value: 'ab' },
    ]);
    assert.deepEqual(fields('NOTE', 'a.b.c:d', ':x', 'A B:x', 'A;B="c:d', ';A:b'), []);
    assert.deepEqual(fields('BEGIN:VALARM', 'NOTE:inner', 'END:VALARM', 'NOTE:outer'), [
      { name: 'NOTE', params: '', value: 'outer' },
    ]);
  });
});
