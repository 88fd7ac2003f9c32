// Objects with UIDs on a real server, which loses one that comes back into a room that it has left (quirk Q66):
// whatever way it goes, it is there. With CITADEL_URL (unix:/path, users alice/alicepw and admin/adminpw) on a real one
// itself.

import assert from 'node:assert/strict';
import { randomUUID } from 'node:crypto';
import { after, it } from 'node:test';
import { VIEW } from '../../src/model.ts';
import { postedNumber, startGateway } from '../support/gateway.ts';
import { startRealServer } from '../support/real-server.ts';

const backend =
  process.env.CITADEL_URL ?? `unix:${(await startRealServer({ after }, { users: { alice: 4, bob: 4 } })).path}`;
const gateway = await startGateway({ after }, { backend });
const alice = gateway.as('alice', 'alicepw');
const bob = gateway.as('bob', 'bobpw');
const admin = gateway.as('admin', 'adminpw');

const lines = (...texts: string[]) => `${texts.join('\r\n')}\r\n`;
const event = (uid: string) =>
  lines(
    ...['BEGIN:VCALENDAR', 'VERSION:2.0', 'PRODID:-//x//y//EN', 'BEGIN:VEVENT', `UID:${uid}`],
    ...['DTSTAMP:20260101T000000Z', 'DTSTART:20260102T000000Z', 'SUMMARY:Grüße', 'END:VEVENT', 'END:VCALENDAR'],
  );
const task = (uid: string) => event(uid).replaceAll('VEVENT', 'VTODO');
const card = (uid: string) =>
  lines('BEGIN:VCARD', 'VERSION:3.0', `UID:${uid}`, 'FN:Ann Example', 'N:Example;Ann;;;', 'END:VCARD');

interface Kind {
  view: number;
  type: string;
  content(uid: string): string;
  /** of the path; else it has a number only */
  name?(uid: string): string;
}

const KINDS: Record<string, Kind> = {
  'an event': { view: VIEW.calendar, type: 'text/calendar', content: event, name: (uid) => `${uid}.ics` },
  'a task': { view: VIEW.tasks, type: 'text/calendar', content: task, name: (uid) => `${uid}.ics` },
  'a contact': { view: VIEW.addressBook, type: 'text/vcard', content: card, name: (uid) => `${uid}.vcf` },
  'a note': {
    view: VIEW.notes,
    type: 'text/plain; charset=utf-8',
    content: (uid) => `Note ${uid}`,
    name: (uid) => uid,
  },
  'a page': { view: VIEW.wiki, type: 'text/html', content: (uid) => `<p>Page ${uid}</p>`, name: (uid) => uid },
  'a blog entry': { view: VIEW.blog, type: 'text/html', content: (uid) => `<p>Entry ${uid}</p>\n` },
};

const newRoom = async (view: number) => {
  const name = `Room ${randomUUID().slice(0, 8)}`;
  const made = await alice('r/', { method: 'POST', body: JSON.stringify({ name, kind: 'personal', view }) });
  assert.equal(made.status, 201);
  return `r/${encodeURIComponent(name)}`;
};
const contents = async (room: string, api = alice) => {
  const numbers = (await (await api(`${room}/msgs.all`)).json()) as number[];
  return Promise.all(numbers.map(async (number) => [number, await (await api(`${room}/${number}`)).text()] as const));
};
const put = async (room: string, { type, content, name }: Kind, uid: string) => {
  const init = { method: 'PUT', headers: { 'content-type': type }, body: content(uid) };
  const posted = await alice(`${room}/${name?.(uid) ?? 'new?subj=Gr%C3%BC%C3%9Fe'}`, init);
  assert.ok([201, 204].includes(posted.status), await posted.text());
  return ((await (await alice(`${room}/msgs.all`)).json()) as number[]).at(-1)!;
};
/** answers where it is now */
const carry = async (method: 'MOVE' | 'COPY', from: string, room: string, name = '') => {
  const answer = await alice(from, { method, headers: { destination: `/svc/${room}/${name}` } });
  assert.ok([201, 204].includes(answer.status), `${answer.status} ${await answer.text()}`);
  return answer.headers.get('location')!.slice('/svc/'.length);
};
/** what has the name, and the UID by which the room server knows it */
const facts = async (room: string, name: string) => {
  const content = await (await alice(`${room}/${name}`)).text();
  const { exti } = (await (await alice(`${room}/${name}/json`)).json()) as { exti?: string };
  return { content, exti };
};
const DETOURS: Record<string, number | undefined> = {
  'the trash': undefined,
  'a forum': VIEW.board,
  'a mailbox': VIEW.mailbox,
  'a calendar': VIEW.calendar,
  'an address book': VIEW.addressBook,
  notes: VIEW.notes,
  'a wiki': VIEW.wiki,
  'a blog': VIEW.blog,
  files: VIEW.files,
};
const about = (uid: string) => new RegExp(uid);

for (const [what, kind] of Object.entries(KINDS)) {
  it(`${what} is there after it was moved to another room and back`, async () => {
    const [one, other] = [await newRoom(kind.view), await newRoom(kind.view)];
    const uid = randomUUID();
    await put(one, kind, uid);
    let [[number, before]] = (await contents(one)) as [[number, string]];
    for (const [from, to] of [
      [one, other],
      [other, one],
      [one, 'r/Trash'],
      ['r/Trash', one],
      [one, other],
    ] as const) {
      const path = await carry('MOVE', `${from}/${number}`, to);
      assert.equal(await (await alice(path)).text(), before, `${from} → ${to}`);
      number = Number(/\d+$/.exec(path)![0]);
      assert.equal((await contents(from)).filter(([, text]) => about(uid).test(text)).length, 0);
    }
    assert.deepEqual(await contents(other), [[number, before]]);
  });

  it(`${what} is there after it was copied to another room and back`, async () => {
    const [one, other] = [await newRoom(kind.view), await newRoom(kind.view)];
    const uid = randomUUID();
    const number = await put(one, kind, uid);
    const [[, before]] = (await contents(one)) as [[number, string]];
    const copy = await carry('COPY', `${one}/${number}`, other);
    assert.equal((await alice(`${one}/${number}`, { method: 'DELETE' })).status, 204);
    const back = await carry('COPY', copy, one);
    for (const path of [copy, back]) assert.equal(await (await alice(path)).text(), before);
  });

  it(`${what} of a room that was copied is there when it takes the place of the one it was copied from`, async () => {
    const [one, other] = [await newRoom(kind.view), `r/Copy${randomUUID().slice(0, 8)}`];
    const number = await put(one, kind, randomUUID());
    const [[, before]] = (await contents(one)) as [[number, string]];
    const copied = await alice(`${one}/`, { method: 'COPY', headers: { destination: `/svc/${other}/` } });
    assert.equal(copied.status, 201);
    assert.equal((await alice(`${one}/${number}`, { method: 'DELETE' })).status, 204);
    const back = await carry('MOVE', `${other}/${number}`, one);
    const there = await carry('MOVE', back, other);
    assert.equal(await (await alice(there)).text(), before);
  });

  const { name } = kind;
  if (!name) continue;
  for (const [through, view] of Object.entries(DETOURS)) {
    it(`${what} comes back with its UID from ${through}`, async () => {
      const [one, other] = [await newRoom(kind.view), view === undefined ? 'r/Trash' : await newRoom(view)];
      const uid = randomUUID();
      const number = await put(one, kind, uid);
      const before = await facts(one, name(uid));
      let path = `${one}/${number}`;
      for (let turn = 0; turn < 2; turn++) path = await carry('MOVE', await carry('MOVE', path, other), one);
      assert.deepEqual(await facts(one, name(uid)), before);
    });
  }

  it(`${what} keeps its name on the way and back`, async () => {
    const [one, other] = [await newRoom(kind.view), await newRoom(kind.view)];
    const uid = randomUUID();
    await put(one, kind, uid);
    const before = await (await alice(`${one}/${name(uid)}`)).text();
    await carry('MOVE', `${one}/${name(uid)}`, other, name(uid));
    assert.equal((await alice(`${one}/${name(uid)}`)).status, 404);
    await carry('MOVE', `${other}/${name(uid)}`, one, name(uid));
    assert.equal(await (await alice(`${one}/${name(uid)}`)).text(), before);
    assert.equal((await alice(`${other}/${name(uid)}`)).status, 404);
  });
}

const move = (api: typeof alice, room: string, msgnums: number[], target: string) =>
  api(`${room}/mailbox`, {
    method: 'PATCH',
    body: JSON.stringify({ msgnums, move_to: decodeURIComponent(target.slice('r/'.length)) }),
  });

interface Listed {
  msgnum: number;
  author: string;
  time: number;
  subject: string;
  msgidhash: string;
  references: string[];
}

const rowsOf = async (api: typeof alice, room: string) =>
  ((await (await api(`${room}/mailbox`)).json()) as { msgs: Listed[] }).msgs;

it('A blog entry and what answers it come back from the trash together, with their times', async () => {
  const room = await newRoom(VIEW.blog);
  const entry = await put(room, KINDS['a blog entry']!, randomUUID());
  const { msgn } = (await (await alice(`${room}/${entry}/json`)).json()) as { msgn: string };
  const answer = await alice(`${room}/new?wefw=${encodeURIComponent(msgn)}`, { method: 'PUT', body: 'An answer' });
  const mailbox = async () => rowsOf(alice, room);
  const before = await mailbox();
  const numbers = [entry, postedNumber(answer)];
  await new Promise((resolve) => setTimeout(resolve, 1100)); // times are seconds
  assert.equal((await move(alice, room, numbers, 'r/Trash')).status, 204);
  assert.deepEqual(await mailbox(), []);
  assert.equal((await move(alice, 'r/Trash', numbers, room)).status, 204);
  assert.deepEqual(
    (await contents('r/Trash')).filter(([number]) => numbers.includes(number)),
    [],
  );
  const [first, second] = await mailbox();
  assert.deepEqual(
    [first, second].map((row) => [row?.author, row?.subject, row?.time]),
    before.map((row) => [row.author, row.subject, row.time]),
  );
  assert.deepEqual(second!.references, [first!.msgidhash]);
});

it('What somebody else has written goes back under his name', async () => {
  const name = `Blog ${randomUUID().slice(0, 8)}`;
  const fields = { name, kind: 'public', view: VIEW.blog };
  assert.equal((await admin('r/', { method: 'POST', body: JSON.stringify(fields) })).status, 201);
  const room = `r/${encodeURIComponent(name)}`;
  const made = await admin(`${room}/new?subj=one`, { method: 'PUT', body: 'One' });
  const { msgn } = (await (await admin(`${room}/${postedNumber(made)}/json`)).json()) as { msgn: string };
  const posted = await alice(`${room}/new?wefw=${encodeURIComponent(msgn)}`, { method: 'PUT', body: 'Two' });
  const number = postedNumber(posted);
  for (const target of ['r/Trash', room]) {
    const from = target === room ? 'r/Trash' : room;
    assert.equal((await move(admin, from, [number], target)).status, 204);
  }
  const rows = await rowsOf(admin, room);
  assert.deepEqual(
    rows.map(({ author }) => author),
    ['admin', 'alice'],
  );
});

it('Who administers a blog moves what others have answered there', async () => {
  const [one, other] = await Promise.all(
    ['One', 'Other'].map(async (start) => {
      const name = `${start} ${randomUUID().slice(0, 8)}`;
      const fields = { name, kind: 'public', view: VIEW.blog };
      assert.equal((await alice('r/', { method: 'POST', body: JSON.stringify(fields) })).status, 201);
      return `r/${encodeURIComponent(name)}`;
    }),
  );
  const made = await alice(`${one}/new?subj=one`, { method: 'PUT', body: 'One' });
  const { msgn } = (await (await alice(`${one}/${postedNumber(made)}/json`)).json()) as { msgn: string };
  const answer = await bob(`${one}/new?wefw=${encodeURIComponent(msgn)}`, { method: 'PUT', body: 'Two' });
  const numbers = [postedNumber(made), postedNumber(answer)];
  assert.equal((await move(alice, one!, numbers, other!)).status, 204);
  assert.deepEqual(await rowsOf(alice, one!), []);
  const [first, second, ...more] = await rowsOf(alice, other!);
  assert.deepEqual([first?.author, second?.author, more], ['alice', 'bob', []]);
  assert.deepEqual(second!.references, [first!.msgidhash]);
  // the room server would delete it there, and only administrators may post under his name
  const back = await move(alice, other!, [second!.msgnum], one!);
  assert.equal(back.status, 403);
  assert.match(((await back.json()) as { detail: string }).detail, /administrator/);
  assert.deepEqual((await rowsOf(alice, other!)).length, 2);
  assert.equal((await move(admin, other!, [second!.msgnum], one!)).status, 204);
  assert.deepEqual(
    (await rowsOf(alice, one!)).map(({ author }) => author),
    ['bob'],
  );
});
