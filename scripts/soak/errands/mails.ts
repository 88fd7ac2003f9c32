// Mails with what was sent ahead, and what a reader does with them.

import { json, type Person, typed } from '../person.ts';

export const mailErrands = [attach, readPage];

interface Upload {
  ref: string;
}

/** An upload goes with a mail by reference, comes back from it, and is sent once more. */
async function attach(person: Person): Promise<void> {
  const room = person.room('Mails');
  const uploads = uploadsIn(await person.ask('POST', person.random(2) === 0 ? 'p' : 'p/'));
  const refs = uploads.map(({ ref }) => ref).join('!');
  const init = typed('text/plain', `what goes with this: ${person.fresh()}`);
  const posted = await person.ask('PUT', `${room}/new?subj=files&att=${refs}`, init);
  const number = posted?.headers.get('location')?.split('/').at(-1);
  if (number === undefined) return;
  for (const path of ['', '/json', '/2']) await person.ask('GET', `${room}/${number}${path}`);
  const name = room.slice('r/'.length);
  for (const path of [`p/${name}/${number}`, `p/r/${name}/${number}`]) {
    uploads.push(...uploadsIn(await person.ask('GET', path)));
  }
  for (const { ref } of uploads) {
    await person.ask('GET', `p/${ref}`);
    await person.ask('DELETE', `p/${ref}`);
  }
  await person.ask('PATCH', `${room}/${number}`, json({ seen: true }));
  await person.ask('PATCH', `${room}/mailbox`, json({ msgnums: [Number(number)], seen: false }));
  await person.ask('DELETE', `${room}/${number}`);
}

function uploadsIn(told: { status: number; text: string } | undefined): Upload[] {
  return told && told.status < 300 ? (JSON.parse(told.text) as Upload[]) : [];
}

/** A page is written over, and its versions are read. */
async function readPage(person: Person): Promise<void> {
  const page = `${person.room('Pages')}/Plans`;
  await person.ask('PUT', page, typed('text/plain', `plans of ${person.fresh()}`));
  const told = await person.ask('GET', `${page}/history`);
  if (told?.status !== 200) return;
  const versions = JSON.parse(told.text) as { version: string }[];
  const { version } = person.pick(versions) ?? {};
  for (const path of ['', '/json']) await person.ask('GET', `${page}/history/${version}${path}`);
}
