// The contents of many calendar objects and cards of a room by the documented verbs: a batch in one round trip, the
// next one under way while one is used. What they tell of themselves is kept (App.storedTraits).

import { MAX_OBJECT_BYTES } from '../../limits/backend.ts';
import { ASSUMED_OBJECT_BYTES, BATCH_MESSAGES, MAX_READ_AHEAD_BYTES } from '../../limits/dav.ts';
import { parseParameters } from '../../mime/headers.ts';
import { parseObject } from '../../mime/objects/components.ts';
import { isCalendar, isCard, objectFacts } from '../../mime/objects/properties.ts';
import { type Collected, collectContents } from '../../room-server/message-content.ts';
import { readHeads } from '../../room-server/messages.ts';
import { atOnce } from '../../system/steps.ts';
import { contentForm, withContent } from '../message/content.ts';
import { unlessGone } from '../message/unless-gone.ts';
import type { RoomContext } from '../room-context.ts';
import type { Member, MemberContent } from './member.ts';

const BOUNDS = { maxEach: MAX_OBJECT_BYTES, maxBytes: MAX_READ_AHEAD_BYTES };

/** In their order, without those that are gone, too large, or no objects. Throws as pool.readInRoom. */
export async function* contentsByNumber(
  context: RoomContext,
  members: readonly Member[],
): AsyncGenerator<readonly MemberContent[]> {
  const objects = members.filter(isObject);
  let next = readBatch(context, objects, 0);
  while (next) {
    const { contents, end } = await next;
    next = readBatch(context, objects, end);
    next?.catch(() => undefined); // awaited in the next round, unless nobody wants it
    yield contents;
  }
}

function isObject({ contentType, size }: Member): boolean {
  const type = parseParameters(contentType).value.toLowerCase();
  return (isCalendar(type) || isCard(type)) && (size ?? 0) <= MAX_OBJECT_BYTES;
}

interface Batch {
  contents: MemberContent[];
  /** where the next one begins */
  end: number;
}

function readBatch(context: RoomContext, members: readonly Member[], at: number): Promise<Batch> | undefined {
  if (at >= members.length) return undefined;
  let bytes = 0;
  let end = at;
  for (; end < members.length && end < at + BATCH_MESSAGES; end++) {
    bytes += members[end]!.size ?? ASSUMED_OBJECT_BYTES;
    if (bytes > MAX_READ_AHEAD_BYTES && end > at) break;
  }
  return read(context, members.slice(at, end), at);
}

async function read(context: RoomContext, members: readonly Member[], at: number): Promise<Batch> {
  const { app, caller, room } = context;
  const refs = members.map(({ msgnum }) => ({ msgnum, form: 'part' as const }));
  const collected = await collectContents(app.pool, caller.identity, room, refs, BOUNDS);
  const contents: MemberContent[] = [];
  for (const [i, each] of collected.entries()) {
    const bytes = each === 'gone' ? await readOdd(context, members[i]!) : bytesOf(each);
    if (bytes) contents.push({ member: withFacts(context, members[i]!, bytes), bytes });
  }
  return { contents, end: at + collected.length };
}

function bytesOf(collected: Collected): Buffer | undefined {
  return typeof collected === 'string' ? undefined : collected;
}

/** Of a message without a part that can be fetched: its text (message/content.ts). */
async function readOdd(context: RoomContext, { msgnum }: Member): Promise<Buffer | undefined> {
  const { app, caller, room } = context;
  const [head] = await readHeads(app.pool, caller.identity, room, [msgnum], new Map());
  if (!head) return undefined;
  const form = contentForm(head);
  if (!form.lines) return undefined;
  const pieces: Buffer[] = [];
  let size = 0;
  const all = withContent({ ...context, msgnum }, form, async (bytes) => {
    for await (const piece of bytes) {
      size += piece.length;
      if (size > MAX_OBJECT_BYTES) return undefined;
      pieces.push(piece);
    }
    return Buffer.concat(pieces);
  });
  return unlessGone(all);
}

function withFacts({ app }: RoomContext, member: Member, bytes: Buffer): Member {
  const { msgnum } = member;
  const traits = app.storedTraits.lastOf(msgnum);
  if (!traits || traits.euid !== member.euid || traits.facts) return member;
  const { object } = parseObject(bytes.toString('utf8'));
  if (!object) return member;
  const facts = atOnce(objectFacts(object));
  app.storedTraits.keepFacts(msgnum, traits, facts);
  return { ...member, ...facts };
}
