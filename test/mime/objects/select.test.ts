// The components and properties that a report asks for (RFC 4791 section 7.8.1, RFC 6352 section 10.4).

import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { parseObject, writeComponent } from '../../../src/mime/objects/components.ts';
import type { Component } from '../../../src/mime/objects/content-lines.ts';
import { selectCard, selectComponent } from '../../../src/mime/objects/expand.ts';
import { calendar, EXAMPLES } from './caldav-examples.ts';

const written = (component: Component): string[] => writeComponent(component).split('\r\n').slice(0, -1);

describe('a selection', () => {
  const named = (...names: string[]) => names.map((name) => ({ name, isWithoutValue: false }));
  const lines = (props: string[]) => ({ props: named(...props), comps: [] });

  it('has the components and properties that are named (RFC 4791 section 7.8.1)', () => {
    const selection = {
      name: 'VCALENDAR',
      props: named('VERSION'),
      comps: [
        { name: 'VEVENT', ...lines(['SUMMARY', 'uid', 'DTSTART', 'DURATION']) },
        { name: 'VTIMEZONE', props: [], comps: [] },
      ],
    };
    assert.deepEqual(written(selectComponent(calendar(EXAMPLES.abcd3!), selection)), [
      'BEGIN:VCALENDAR',
      'VERSION:2.0',
      ...EXAMPLES.abcd3!.split('BEGIN:VEVENT')[0]!.trim().split('\n'),
      'BEGIN:VEVENT',
      'DTSTART;TZID=US/Eastern:20060104T100000',
      'DURATION:PT1H',
      'SUMMARY:Event #3',
      'UID:DC6C50A017428C5216A2F1CD@example.com',
      'END:VEVENT',
      'END:VCALENDAR',
    ]);
  });

  it('may want all of one kind, or no value', () => {
    const whole = calendar(EXAMPLES.abcd4!);
    const all = selectComponent(whole, { name: 'VCALENDAR', props: undefined, comps: undefined });
    assert.deepEqual(written(all), written(whole));
    const bare = selectComponent(whole, { name: 'VCALENDAR', ...lines(['VERSION']) });
    assert.deepEqual(written(bare), ['BEGIN:VCALENDAR', 'VERSION:2.0', 'END:VCALENDAR']);
    const task = { name: 'VTODO', props: [{ name: 'SUMMARY', isWithoutValue: true }], comps: undefined };
    assert.deepEqual(written(selectComponent(whole, { name: 'VCALENDAR', props: [], comps: [task] })).slice(1, 4), [
      'BEGIN:VTODO',
      'SUMMARY:',
      'BEGIN:VALARM',
    ]);
  });

  it('is read once, however many components there are', () => {
    let reads = 0;
    const counted = {
      get name() {
        reads++;
        return 'X-OTHER';
      },
      isWithoutValue: false,
    };
    const many = calendar(EXAMPLES.abcd3!.repeat(100));
    const events = { name: 'VEVENT', props: [counted, ...named('UID')], comps: [] };
    const selected = selectComponent(many, { name: 'VCALENDAR', props: [], comps: [events] });
    assert.deepEqual([selected.components.length, reads], [100, 1]);
  });

  it('is of contacts, too', () => {
    const card = parseObject(
      'BEGIN:VCARD\nVERSION:3.0\nFN:x\nitem1.EMAIL;TYPE=HOME:a@b\nEMAIL:c@d\nitem1.X-ABLabel:y\nEND:VCARD\n',
    ).object!;
    const of = (...props: { name: string; isWithoutValue: boolean }[]) => written(selectCard(card, props)).slice(1, -1);
    assert.deepEqual(of(...named('VERSION', 'email')), ['VERSION:3.0', 'item1.EMAIL;TYPE=HOME:a@b', 'EMAIL:c@d']);
    assert.deepEqual(of(...named('item1.EMAIL')), ['item1.EMAIL;TYPE=HOME:a@b']);
    assert.deepEqual(of({ name: 'EMAIL', isWithoutValue: true }), ['item1.EMAIL:', 'EMAIL:']);
    assert.equal(of().length, 5);
  });
});
