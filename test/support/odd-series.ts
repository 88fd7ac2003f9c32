// Series whose exceptions, moved instances and added dates are written in another form than their start. What each
// means is the same whoever is asked.

export interface OddSeries {
  name: string;
  /** lines of the VCALENDAR, one VEVENT or two */
  lines: string[];
  /** of its instances, in order: `20260602T000000Z` or a day, which is one of UTC */
  starts: string[];
}

/** a series, the forms that its second instance is written in, and a date to add in the same forms */
interface Kind {
  start: string;
  duration: string;
  starts: string[];
  /** the second one, and where an override takes it */
  second: string[];
  moved: [line: string, start: string];
  /** one that the rule does not have */
  added: string[];
  addedAt: string;
}

const KINDS: Readonly<Record<string, Kind>> = {
  'whole days': {
    start: 'DTSTART;VALUE=DATE:20260216',
    duration: 'P1D',
    starts: ['20260216', '20260217', '20260218'],
    second: [
      ';VALUE=DATE:20260217',
      ':20260217',
      ';TZID=Europe/Berlin:20260217T000000',
      ';TZID=America/New_York:20260217T200000',
      ':20260217T000000',
      ':20260217T000000Z',
    ],
    moved: ['DTSTART;VALUE=DATE:20260224', '20260224'],
    added: [';VALUE=DATE:20260302', ';TZID=Europe/Berlin:20260302T000000', ':20260302T000000', ':20260302T000000Z'],
    addedAt: '20260302',
  },
  'times in a zone': {
    start: 'DTSTART;TZID=America/New_York:20260601T200000',
    duration: 'PT1H',
    starts: ['20260602T000000Z', '20260603T000000Z', '20260604T000000Z'],
    second: [
      ';TZID=America/New_York:20260602T200000',
      ';TZID=Europe/Berlin:20260603T020000',
      ';TZID=Nowhere:20260602T200000',
      ':20260602T200000',
      ':20260603T000000Z',
      ';VALUE=DATE:20260602',
    ],
    moved: ['DTSTART;TZID=America/New_York:20260612T210000', '20260613T010000Z'],
    added: [
      ';TZID=America/New_York:20260620T200000',
      ';TZID=Europe/Berlin:20260621T020000',
      ':20260620T200000',
      ':20260621T000000Z',
      ';VALUE=DATE:20260620',
      ';VALUE=PERIOD;TZID=America/New_York:20260620T200000/PT1H',
      ';VALUE=PERIOD:20260621T000000Z/20260621T010000Z',
      ';VALUE=PERIOD:20260620T200000/20260620T210000',
    ],
    addedAt: '20260621T000000Z',
  },
  'times without a zone': {
    start: 'DTSTART:20260601T200000',
    duration: 'PT1H',
    starts: ['20260601T200000Z', '20260602T200000Z', '20260603T200000Z'],
    second: [':20260602T200000', ';TZID=America/New_York:20260602T200000', ':20260602T200000Z', ';VALUE=DATE:20260602'],
    moved: ['DTSTART:20260612T210000', '20260612T210000Z'],
    added: [':20260620T200000', ';TZID=Europe/Berlin:20260620T200000', ':20260620T200000Z', ';VALUE=DATE:20260620'],
    addedAt: '20260620T200000Z',
  },
  'times in UTC': {
    start: 'DTSTART:20260601T200000Z',
    duration: 'PT1H',
    starts: ['20260601T200000Z', '20260602T200000Z', '20260603T200000Z'],
    second: [
      ':20260602T200000Z',
      ';TZID=Europe/Berlin:20260602T220000',
      ';TZID=Europe/Berlin:20260602T200000Z',
      ':20260602T200000',
      ';VALUE=DATE:20260602',
    ],
    moved: ['DTSTART:20260612T210000Z', '20260612T210000Z'],
    added: [':20260620T200000Z', ';TZID=Europe/Berlin:20260620T220000', ':20260620T200000', ';VALUE=DATE:20260620'],
    addedAt: '20260620T200000Z',
  },
};

const event = (...lines: string[]) => ['BEGIN:VEVENT', 'UID:odd', 'DTSTAMP:20260101T000000Z', ...lines, 'END:VEVENT'];

export const ODD_SERIES: readonly OddSeries[] = Object.entries(KINDS).flatMap(([kind, one]) => {
  const { start, duration, starts, second, moved, added, addedAt } = one;
  const length = `DURATION:${duration}`;
  const series = (...lines: string[]) => event(start, length, 'RRULE:FREQ=DAILY;COUNT=3', ...lines);
  const without = starts.filter((_, i) => i !== 1);
  return [
    ...second.map((form) => ({ name: `${kind}, EXDATE${form}`, lines: series(`EXDATE${form}`), starts: without })),
    ...second.map((form) => ({
      name: `${kind}, RECURRENCE-ID${form}`,
      lines: [...series(), ...event(`RECURRENCE-ID${form}`, moved[0], length)],
      starts: [...without, moved[1]].sort(),
    })),
    ...added.map((form) => ({
      name: `${kind}, RDATE${form}`,
      lines: series(`RDATE${form}`),
      starts: [...starts, addedAt],
    })),
    {
      name: `${kind}, EXDATE in all forms on one line`,
      lines: series(`EXDATE:${second.map((form) => form.slice(form.lastIndexOf(':') + 1)).join(',')}`),
      starts: without,
    },
  ];
});
