// Everybody who is asked about a series tells of the same instances, in whatever form its exceptions are written.

import assert from 'node:assert/strict';
import { after, describe, it } from 'node:test';
import { parseDateTime, utcText } from '../../src/mime/objects/calendar-time.ts';
// @ts-expect-error: the web client has no types
import { readEvents as read } from '../../static/formats/calendar.js';
// @ts-expect-error: the web client has no types
import { changeEvent, removeEvent } from '../../static/formats/calendar-change.js';
import { startGateway } from '../support/gateway.ts';
import { ODD_SERIES } from '../support/odd-series.ts';
import { calendarOf, report, store } from '../support/reports.ts';

const [FROM, TO] = ['20260101T000000Z', '20270101T000000Z'];
const RANGE = `start="${FROM}" end="${TO}"`;
const gateway = await startGateway({ after }, { users: [{ name: 'carol', password: 'carol' }] });
const carol = gateway.as('carol');

const seconds = (text: string) => parseDateTime(text)!.seconds;
const query = (data: string, range: string) =>
  `<C:calendar-query><D:prop><D:getetag/>${data}</D:prop><C:filter><C:comp-filter name="VCALENDAR">` +
  `<C:comp-filter name="VEVENT"><C:time-range ${range}/></C:comp-filter></C:comp-filter></C:filter></C:calendar-query>`;
const ask = async (body: string) => (await report(carol, 'r/Calendar/', body, { depth: '1' })).text();
const found = (text: string, pattern: RegExp) => [...text.matchAll(pattern)].map((match) => match[1]!);

async function expanded(): Promise<string[]> {
  const text = await ask(query(`<C:calendar-data><C:expand ${RANGE}/></C:calendar-data>`, RANGE));
  // a floating time is one of UTC here
  return found(text, /^DTSTART[^:]*:(\w+)/gm)
    .map((start) => (/T\d{6}$/.test(start) ? `${start}Z` : start))
    .sort();
}

/** Those of these starts at which a query finds it. */
async function foundAt(starts: readonly string[]): Promise<string[]> {
  const those: string[] = [];
  for (const start of starts) {
    const range = `start="${utcText(seconds(start))}" end="${utcText(seconds(start) + 60)}"`;
    if ((await ask(query('', range))).includes('odd.ics')) those.push(start);
  }
  return those;
}

async function busyFrom(): Promise<string[]> {
  return found(
    await ask(`<C:free-busy-query><C:time-range ${RANGE}/></C:free-busy-query>`),
    /^FREEBUSY:(\d{8}T\d{6}Z)/gm,
  );
}

const eventsOf = (text: string): { start: number; isDay: boolean; title: string }[] =>
  read(text, seconds(FROM), seconds(TO), 'UTC');
const shownBy = (text: string) =>
  eventsOf(text).map(({ start, isDay }) => (isDay ? utcText(start).slice(0, 8) : utcText(start)));

const everywhere = [...new Set(ODD_SERIES.flatMap(({ starts }) => starts))].sort();

describe('a series has the same instances for everybody:', () => {
  for (const { name, lines, starts } of ODD_SERIES) {
    it(name, async () => {
      const text = calendarOf(...lines);
      await store(carol, 'r/Calendar/odd.ics', text);
      assert.deepEqual(shownBy(text), starts, 'the web client');
      assert.deepEqual(await expanded(), starts, 'expand');
      const isDay = starts[0]!.length === 8;
      const asked = everywhere.filter((one) => (one.length === 8) === isDay);
      const isNear = (one: string) => starts.some((start) => Math.abs(seconds(start) - seconds(one)) < 3600);
      assert.deepEqual(await foundAt(asked), asked.filter(isNear), 'time-range');
      const instants = starts.map(seconds);
      // a day that follows a day lengthens it
      const begun = instants.filter((instant) => !isDay || !instants.includes(instant - 86_400));
      assert.deepEqual(await busyFrom(), begun.map(utcText), 'free-busy');
    });
  }
});

describe('the text of a message names the day of a series that is left out:', () => {
  for (const { name, lines } of ODD_SERIES.filter(({ name }) => /, EXDATE[;:]/.test(name))) {
    it(name, async () => {
      await store(carol, 'r/Calendar/odd.ics', calendarOf(...lines));
      const { text } = (await (await carol('r/Calendar/odd.ics/json?text=plain')).json()) as { text: string };
      const day = name.startsWith('whole days') ? 'Tuesday, 17 February 2026' : 'Tuesday, 2 June 2026';
      assert.ok(text.includes(`\nExcept: ${day}\n`), text);
    });
  }
});

describe('a changed instance stays the only one in its place:', () => {
  for (const { name, lines, starts } of ODD_SERIES) {
    it(name, () => {
      const text = calendarOf(...lines);
      for (const [i, chosen] of eventsOf(text).entries()) {
        const changed = changeEvent(text, { title: 'Other' }, 'this', chosen, { zone: 'UTC' }).text;
        assert.deepEqual(shownBy(changed), starts, `${starts[i]} with another title`);
        const titles = eventsOf(changed).map(({ title }) => title);
        assert.deepEqual(
          titles,
          starts.map((_, at) => (at === i ? 'Other' : '')),
        );
        const without = removeEvent(text, 'this', chosen, { zone: 'UTC' }).text;
        assert.deepEqual(shownBy(without), starts.toSpliced(i, 1), `without ${starts[i]}`);
      }
    });
  }
});
