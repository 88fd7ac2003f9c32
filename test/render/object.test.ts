// Whether an object may be stored: its UID, or what is wrong with it.

import assert from 'node:assert/strict';
import { it } from 'node:test';
import { checkObject } from '../../src/render/job.ts';
import { render } from '../../src/render/render.ts';

const event = (uid: string) =>
  `BEGIN:VCALENDAR\nVERSION:2.0\nBEGIN:VEVENT\n${uid}DTSTART:20260101T000000Z\nEND:VEVENT\nEND:VCALENDAR\n`;
const card = (uid: string) => `BEGIN:VCARD\nVERSION:3.0\n${uid}FN:Ann\nEND:VCARD\n`;
const check = (text: string, components?: string[]) =>
  checkObject({ source: Buffer.from(text), charset: '', components });

it('an object that may be stored gives its UID', () => {
  assert.deepEqual(check(event('UID:é\n'), ['VEVENT']), { uid: 'é' });
  assert.deepEqual(check(card('UID:a\n')), { uid: 'a' });
});

it('one that may not gives the precondition and the reason', () => {
  const reasonOf = (...args: Parameters<typeof check>) => {
    const checked = check(...args);
    return 'fault' in checked && checked.fault;
  };
  assert.deepEqual(reasonOf(event(''), ['VEVENT']), {
    precondition: 'valid-calendar-object-resource',
    reason: 'line 3, BEGIN:VEVENT: UID is missing',
  });
  assert.equal((reasonOf(event('UID:a\n'), ['VTODO']) || undefined)?.precondition, 'supported-calendar-component');
  assert.deepEqual(reasonOf(card('')), {
    precondition: 'valid-address-data',
    reason: 'line 1, BEGIN:VCARD: UID is missing',
  });
});

it('a thread answers the same as JSON', () => {
  const job = {
    kind: 'object',
    source: Buffer.from(card('UID:a\n')),
    isWhole: true,
    charset: '',
    components: undefined,
  } as const;
  assert.deepEqual(JSON.parse(String(render(job))), { uid: 'a' });
});
