// Editing one field of an object leaves every other line as another program wrote it: its group, parameters, folding,
// case and place.

import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
// @ts-expect-error: the web client has no types
import { readEvents, readTasks } from '../../../static/formats/calendar.js';
// @ts-expect-error: the web client has no types
import { changeEvent, removeEvent } from '../../../static/formats/calendar-change.js';
// @ts-expect-error: the web client has no types
import { answerEvent, changeTask, tickTask } from '../../../static/formats/calendar-new.js';
// @ts-expect-error: the web client has no types
import { changeContact, readContacts } from '../../../static/formats/contacts.js';
// @ts-expect-error: the web client has no types
import { changeNote } from '../../../static/formats/notes.js';

const LONG = `X-LONG;X-P="a;b:c":${'folded where another program does so '.repeat(2)}\n  ${'and once more '.repeat(3)}`;
const VCARD = {
  '3.0, of Apple': `BEGIN:VCARD
VERSION:3.0
PRODID:-//Apple Inc.//macOS 14//EN
N;LANGUAGE=de:van der Feld,Feld;Ruth;Anna,Maria;Dr.,Prof.;MA;odd
FN:Ruth Feld
NICKNAME:Ruthie,Roo
ORG:Linden Row\\, Inc.;Boiler;Cellar;
TITLE;LANGUAGE=en:Chair
TITLE;LANGUAGE=de:Vorsitz
EMAIL;type=INTERNET;type=WORK;type=pref:ruth@x.example
item1.EMAIL;type=INTERNET:odd@x.example
item1.X-ABLabel:_$!<Other>!$_
TEL;type=CELL;type=VOICE;type=pref:+49 30 1
TEL;type=HOME;type=FAX:+49 30 2
item2.ADR;type=HOME;type=pref:PO 7;Back house;Long\\nRoad 1;Town;;12345;Land
item2.X-ABADR:de
ADR;TYPE=WORK;LABEL="Row 2\\nTown":;;Row 2;Town;;;
item3.URL;type=pref:https\\://x.example/
item3.X-ABLabel:_$!<HomePage>!$_
BDAY;X-APPLE-OMIT-YEAR=1604:1604-05-21
NOTE:One\\, two\\;
  three
NOTE;X-SECOND=1:another
CATEGORIES:a\\,b,c
CATEGORIES;X-P=1:d
PHOTO;ENCODING=b;TYPE=JPEG:/9j/4AAQSkZJRg
 ABAQAAAQ
${LONG}
REV:2020-01-01T00:00:00Z
X-ABUID:1:ABPerson
UID:u1
END:VCARD
`,
  '4.0': `BEGIN:VCARD
VERSION:4.0
UID:urn:uuid:u1
FN;PREF=1:Ruth
FN;PREF=2:R. Feld
n;sort-as="Feld,Ruth":Feld;Ruth;;;
TEL;VALUE=uri;PREF=1;TYPE="voice,home":tel:+49-30-1;ext=5
TEL;TYPE=work:2
EMAIL;PREF=1;PID=1.1:ruth@x.example
ADR;GEO="geo:1,2";LABEL="One
  two";TYPE=work:;;Row 1;Town;;;
ORG;SORT-AS="x":Row
CATEGORIES:x,y
BDAY:19800521
MEMBER:urn:uuid:a
RELATED;TYPE=friend:urn:uuid:b
CLIENTPIDMAP:1;urn:uuid:c
X-ODD:kept
END:VCARD
`,
  '2.1': `begin:vcard
version:2.1
uid:u1
n;CHARSET=UTF-8;ENCODING=QUOTED-PRINTABLE:M=C3=BCller;Jo;;;
fn;CHARSET=UTF-8;ENCODING=QUOTED-PRINTABLE:Jo M=C3=BCller
tel;HOME;VOICE:1
TEL;CELL;PREF:2
adr;HOME;ENCODING=QUOTED-PRINTABLE:PO;;Stra=C3=9Fe 1=0D=0A=
2. Stock;Ort;;1;
LABEL;HOME;QUOTED-PRINTABLE:Stra=C3=9Fe=
 1
note;ENCODING=QUOTED-PRINTABLE:a=0D=0Ab
X-ODD;BARE:kept
end:vcard
`,
};

type Contact = Record<'emails' | 'phones' | 'places', Record<string, string>[]> &
  Record<'categories' | 'members', string[]>;
/** each with the lines that may become others */
const CARD_EDITS: [field: string, (contact: Contact) => object, allowed: RegExp][] = [
  ['given', () => ({ given: 'Rut' }), /^n[;:]/i],
  ['family', () => ({ family: 'Wald' }), /^n[;:]/i],
  ['suffix', () => ({ suffix: 'PhD' }), /^n[;:]/i],
  ['name', () => ({ name: 'Another' }), /^fn[;:]/i],
  ['nickname', () => ({ nickname: 'Ru,Roo' }), /^nickname[;:]/i],
  ['organization', () => ({ organization: 'Row; 2' }), /^org[;:]/i],
  ['department', () => ({ department: 'Roof' }), /^org[;:]/i],
  ['title', () => ({ title: 'Chair, of all' }), /^title[;:]/i],
  ['birthday', () => ({ birthday: '1981-01-01' }), /^bday[;:]/i],
  ['notes', () => ({ notes: 'c\nd' }), /^note[;:]/i],
  [
    'an address added',
    ({ emails }) => ({ emails: [...emails, { value: 'n@x.example', type: 'home' }] }),
    /^EMAIL;TYPE=HOME:n@/,
  ],
  ['a number changed', ({ phones: [one, ...more] }) => ({ phones: [{ ...one, value: '3' }, ...more] }), /^tel[;:]/i],
  ['a type changed', ({ phones: [one, ...more] }) => ({ phones: [{ ...one, type: 'work' }, ...more] }), /^tel[;:]/i],
  ['a number removed', ({ phones: [one] }) => ({ phones: [one] }), /^tel[;:]/i],
  ['street', ({ places: [one, ...more] }) => ({ places: [{ ...one, street: 'New' }, ...more] }), /^(item2\.)?adr[;:]/i],
  [
    'type of a place',
    ({ places: [one, ...more] }) => ({ places: [{ ...one, type: '' }, ...more] }),
    /^(item2\.)?adr[;:]/i,
  ],
  ['categories', ({ categories }) => ({ categories: [...categories, 'new, one'] }), /^CATEGORIES[;:]/],
  ['photo', () => ({ photo: 'data:image/png;base64,iVBORw0KGgo=' }), /^PHOTO[;:]/],
  ['members', ({ members }) => ({ members: [...members, 'z'] }), /MEMBER:urn:uuid:z/],
];

const ATTENDEE = [
  'ATTENDEE;CN="Feld; Ruth";ROLE=OPT-PARTICIPANT;PARTSTAT=NEEDS-ACTION;RSVP=TRUE;',
  ' X-NUM-GUESTS=0:mailto:ruth@x.example',
].join('\n');
const COMMON = `ATTENDEE;CUTYPE=ROOM;PARTSTAT=ACCEPTED:urn:uuid:room
${ATTENDEE}
ORGANIZER;CN=Bob;SENT-BY="mailto:c@x.example":mailto:bob@x.example
summary;LANGUAGE=en;ALTREP="cid:a":Choir
SUMMARY;LANGUAGE=de:Chor
LOCATION;LANGUAGE=de:Hall\\, left
DESCRIPTION;ALTREP="data:text/html,%3Cb%3Ea%3C/b%3E":Long\\n
  text
CATEGORIES:a\\,b,c
CATEGORIES:d
URL;VALUE=URI:https://x.example/
ATTACH;FMTTYPE=text/plain;ENCODING=BASE64;VALUE=BINARY:YQ==
${LONG}
X-APPLE-STRUCTURED-LOCATION;VALUE=URI;X-TITLE="Hall":geo:1,2`;
const ALARMS = `BEGIN:VALARM
X-WR-ALARMUID:1
ACTION:DISPLAY
TRIGGER;RELATED=START:-PT15M
DESCRIPTION:x
END:VALARM
BEGIN:VALARM
TRIGGER;VALUE=DURATION:-PT15M
ACTION:AUDIO
ATTACH;VALUE=URI:Basso
END:VALARM`;
const OBJECT = (kind: string, ...lines: string[]) => `BEGIN:VCALENDAR
X-WR-CALNAME:Kept
PRODID:-//Odd//EN
BEGIN:${kind}
${ALARMS}
${lines.join('\n')}
${COMMON}
DTSTAMP:20260101T000000Z
UID:one
END:${kind}
VERSION:2.0
BEGIN:VTIMEZONE
TZID:Europe/Berlin
BEGIN:STANDARD
DTSTART:19701025T030000
RRULE:FREQ=YEARLY;BYMONTH=10;BYDAY=-1SU
TZOFFSETFROM:+0200
TZOFFSETTO:+0100
END:STANDARD
BEGIN:DAYLIGHT
DTSTART:19700329T020000
RRULE:FREQ=YEARLY;BYMONTH=3;BYDAY=-1SU
TZOFFSETFROM:+0100
TZOFFSETTO:+0200
END:DAYLIGHT
END:VTIMEZONE
END:VCALENDAR
`;
const EVENT = OBJECT(
  'VEVENT',
  'EXDATE;TZID=Europe/Berlin:20260519T180000,20260526T180000',
  'DTSTART;VALUE=DATE-TIME;TZID=Europe/Berlin:20260505T180000',
  'RRULE:COUNT=10;FREQ=WEEKLY',
  'DTEND;X-P=1;TZID=Europe/Berlin:20260505T190000',
  'RDATE;VALUE=PERIOD:20260509T180000Z/PT1H,20260510T180000Z/PT2H',
  'EXDATE;TZID=Europe/Berlin:20260602T180000',
  'CLASS:CONFIDENTIAL',
).replace(
  'BEGIN:VTIMEZONE',
  `BEGIN:VEVENT
UID:one
RECURRENCE-ID;TZID=Europe/Berlin:20260512T180000
DTSTART;TZID=Europe/Berlin:20260512T190000
SUMMARY:Later
${ATTENDEE}
X-ODD:1
END:VEVENT
BEGIN:VEVENT
UID:one
RECURRENCE-ID:19990101T000000Z
DTSTART:19990101T000000Z
SUMMARY:Left over
END:VEVENT
BEGIN:VTIMEZONE`,
);
const BOOKS = '^(DTSTAMP|LAST-MODIFIED|SEQUENCE)[;:]|';
const FROM = { day: '2026-05-05', time: '18:00', zone: 'Europe/Berlin' };
const WORLD = { zone: 'Europe/Berlin', now: Date.UTC(2026, 4, 1) / 1000, uid: 'new-uid' };

const EVENT_EDITS: [field: string, change: object, allowed: string][] = [
  ['title', { title: 'New' }, '^summary;LANGUAGE=en'],
  ['place', { place: 'There' }, '^LOCATION'],
  ['notes', { notes: 'a\nb' }, '^DESCRIPTION'],
  ['url', { url: 'https://y.example/' }, '^URL'],
  ['status', { status: 'TENTATIVE' }, '^STATUS'],
  ['categories', { categories: ['a,b', 'c', 'd', 'e'] }, '^CATEGORIES:d'],
  ['free', { isFree: true }, '^TRANSP'],
  ['private', { isPrivate: false }, '^CLASS'],
  ['end', { from: FROM, to: { ...FROM, time: '20:00' } }, '^DTEND'],
  ['rule', { rule: 'FREQ=WEEKLY;COUNT=20' }, '^RRULE'],
  [
    'attendees',
    { attendees: [{ address: 'urn:uuid:room' }, { address: 'RUTH@x.example' }, { address: 'z@x.example' }] },
    '^ATTENDEE;ROLE=REQ-PARTICIPANT',
  ],
];

const TASK = OBJECT(
  'VTODO',
  'RELATED-TO;RELTYPE=SIBLING:other',
  'RELATED-TO:parent',
  'STATUS;X-P=1:NEEDS-ACTION',
  'DTSTART;TZID=Europe/Berlin:20260505T180000',
  'DUE;X-P=1;TZID=Europe/Berlin:20260505T190000',
  'PRIORITY;X-P=1:7',
);
const TASK_EDITS: [field: string, change: object, allowed: string][] = [
  ...EVENT_EDITS.slice(0, 4),
  ['due', { due: { day: '2026-05-06' } }, '^DUE'],
  ['due that stays', { due: { ...FROM, time: '19:00' }, priority: 1 }, '^PRIORITY'],
  ['start', { start: { day: '2026-05-04' } }, '^DTSTART;TZID=Europe|^DTSTART;VALUE=DATE'],
  ['percent', { percent: 50 }, '^PERCENT'],
  ['parent', { parent: 'new' }, '^RELATED-TO:'],
];

const NOTES: [name: string, source: string][] = [
  [
    'vNote',
    `BEGIN:VNOTE
VERSION:1.1
X-ODD;A="b;c":kept
SUMMARY;ENCODING=QUOTED-PRINTABLE;CHARSET=UTF-8:M=C3=BC=
ller
BODY;X-P=1:One
BODY;X-P=2:Two
DCREATED:20200101T000000Z
UID:n
END:VNOTE
`,
  ],
  [
    'journal entry',
    OBJECT('VJOURNAL', 'DTSTART;VALUE=DATE:20260505', 'DESCRIPTION;LANGUAGE=de:second').replaceAll(`${ALARMS}\n`, ''),
  ],
];
const NOTE_EDITS: [field: string, change: object, allowed: string][] = [
  ['title', { title: 'New' }, '^SUMMARY|^summary;LANGUAGE=en'],
  ['text', { text: 'New\nü' }, '^(BODY;(X-P=1|CHARSET)|DESCRIPTION)'],
  ['colour', { colour: 'red' }, '^X-OUTLOOK'],
  ['pin', { isPinned: true }, '^X-PINNED'],
];

/** with their folding */
const linesOf = (text: string) => text.replace(/\r\n$/, '').split(/\r\n(?=[\w.-]+[;:])/);

/** In their order; those that may be others are left out of both. */
function assertUntouched(before: string, after: string | undefined, allowed: RegExp): void {
  assert.ok(after !== undefined && after !== before, 'something changes');
  const flat = (line: string) => line.replaceAll(/\r\n[ \t]?/g, '');
  const [old, now] = [before, after].map((text) => linesOf(text));
  const others = (lines: string[], reference: string[]) =>
    lines.filter((line) => reference.includes(line) || !allowed.test(flat(line)));
  assert.deepEqual(others(now!, old!), others(old!, now!));
}

const withEnds = (text: string, end: string) => text.replaceAll('\n', end);

describe('an edit leaves what it does not change', () => {
  for (const [version, source] of Object.entries(VCARD)) {
    const text = withEnds(source, '\r\n');
    for (const [field, change, allowed] of CARD_EDITS) {
      it(`of a card of ${version}: ${field}`, () => {
        const [contact] = readContacts(text);
        if (field === 'a number removed' && contact.phones.length < 2) return;
        const edited = changeContact(text, change(contact));
        assertUntouched(text, edited, allowed);
        assert.equal(changeContact(withEnds(source, '\n'), change(contact)), edited, 'line ends of another program');
        const wanted = change(contact) as Record<string, unknown>;
        const [now] = readContacts(edited);
        for (const [key, value] of Object.entries(wanted)) assert.deepEqual(now[key], value);
      });
    }
  }

  it('of a card: group, parameters, post box and label of an address', () => {
    const text = withEnds(VCARD['3.0, of Apple'], '\r\n');
    const [{ places, emails, categories }] = readContacts(text);
    const [home, work] = places;
    const moved = changeContact(text, {
      places: [
        { ...home, city: 'City' },
        { ...work, street: 'Row 3' },
      ],
    });
    assert.match(moved, /item2\.ADR;type=HOME;type=pref:PO 7;Back house;Long\\nRoad 1;City;;12345;Land\r\n/);
    assert.match(moved, /ADR;TYPE=WORK;LABEL="Row 2\\nTown":;;Row 3;Town;;;\r\n/);
    const retyped = changeContact(text, { places: [{ ...home, type: 'work' }, work] });
    assert.match(retyped, /item2\.ADR;type=WORK;type=pref:PO 7;/);
    const renamed = changeContact(text, { emails: [emails[0], { ...emails[1], value: 'new@x.example' }] });
    assert.match(renamed, /item1\.EMAIL;type=INTERNET:new@x\.example\r\nitem1\.X-ABLabel/);
    assert.deepEqual(categories, ['a,b', 'c', 'd']);
    assert.match(changeContact(text, { categories: ['a,b', 'd'] }), /CATEGORIES:a\\,b\r\nCATEGORIES;X-P=1:d\r\n/);
  });

  const text = withEnds(EVENT, '\r\n');
  for (const [field, change, allowed] of EVENT_EDITS) {
    it(`of an event: ${field}`, () => {
      const [event] = readEvents(text, Date.UTC(2026, 4, 1) / 1000, Date.UTC(2026, 7, 1) / 1000, 'Europe/Berlin');
      assertUntouched(text, changeEvent(text, change, 'all', event, WORLD)?.text, new RegExp(BOOKS + allowed));
    });
  }

  it('of an event: alarms', () => {
    const [event] = readEvents(text, Date.UTC(2026, 4, 1) / 1000, Date.UTC(2026, 7, 1) / 1000, 'Europe/Berlin');
    const alarm = /BEGIN:VALARM\r\nACTION:DISPLAY\r\nDESCRIPTION:Choir\r\nTRIGGER:-PT1M\r\nEND:VALARM\r\n/;
    const edited = changeEvent(text, { alarms: [900, 60] }, 'all', event, WORLD)?.text as string;
    assert.match(edited, alarm);
    assertUntouched(text, edited.replace(alarm, ''), new RegExp(BOOKS.slice(0, -1)));
  });

  it('of a series: one of it that is moved or taken out, an answer', () => {
    const events = readEvents(text, Date.UTC(2026, 4, 1) / 1000, Date.UTC(2026, 7, 1) / 1000, 'Europe/Berlin');
    const removed = removeEvent(text, 'this', events[0], WORLD)?.text;
    assertUntouched(text, removed, new RegExp(`${BOOKS}^EXDATE;TZID=Europe/Berlin:20260505T`));
    const own = events.find(({ title }: { title: string }) => title === 'Later');
    const renamed = changeEvent(text, { title: 'Again' }, 'this', own, WORLD)?.text;
    assertUntouched(text, renamed, new RegExp(`${BOOKS}^SUMMARY:(Later|Again)`));
    const answered = answerEvent(text, ['ruth@x.example'], 'ACCEPTED', WORLD);
    assertUntouched(text, answered, new RegExp(`${BOOKS}^ATTENDEE;CN="Feld; Ruth"`));
  });

  const task = withEnds(TASK, '\r\n');
  for (const [field, change, allowed] of TASK_EDITS) {
    it(`of a task: ${field}`, () => {
      assert.equal(readTasks(task, 'Europe/Berlin')[0].uid, 'one');
      assertUntouched(task, changeTask(task, change, 'one', WORLD), new RegExp(BOOKS + allowed));
    });
  }
  it('of a task: that it is done', () => {
    assertUntouched(task, tickTask(task, true, 'one', WORLD), new RegExp(`${BOOKS}^(STATUS|COMPLETED|PERCENT)`));
  });

  for (const [name, source] of NOTES) {
    for (const [field, change, allowed] of NOTE_EDITS) {
      it(`of a ${name}: ${field}`, () => {
        const note = withEnds(source, '\r\n');
        assertUntouched(note, changeNote(note, change, WORLD.now), new RegExp(BOOKS + allowed));
      });
    }
  }
});
