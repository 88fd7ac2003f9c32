// PUT r/:room/:name: a new message. The body is received completely before the room server hears of it, so that a
// client that breaks off leaves nothing behind (quirk Q8: a post that has begun cannot be taken back).

import type { Connection } from '../client/connection.ts';
import { enter, type RoomRef } from '../client/goto.ts';
import { findByEuid } from '../client/messages.ts';
import { type Posting, post, probePost } from '../client/posting.ts';
import { AppError } from '../errors.ts';
import type { UploadRecord } from '../fleet/uploads.ts';
import { bodyStream } from '../http/body.ts';
import { evaluate } from '../http/conditional.ts';
import type { Exchange } from '../http/exchange.ts';
import { sendEmpty } from '../http/respond.ts';
import { type Spooled, spool } from '../http/spool.ts';
import { MAX_BODY_BYTES, MAX_MESSAGE_ATTACHMENTS, SPOOL_MEMORY_BYTES } from '../limits.ts';
import { buildMessage } from '../mime/build.ts';
import { type BodyFacts, Survey } from '../mime/survey.ts';
import { type EnteredRoom, VIEW } from '../model.ts';
import { isFieldSafe } from '../protocol/fields.ts';
import type { App } from './app.ts';
import { type Caller, ownerOf, userOf } from './caller.ts';
import { asLines } from './message-text.ts';
import { messageEtag } from './messages.ts';
import { messagePath, parseMessageNumber, roomOf, uidsOf } from './paths.ts';
import { isMultipart, storedForm, typeOfBody } from './stored-type.ts';
import { measured, requireWhole } from './stored-whole.ts';
import { uidOf } from './uid.ts';

export async function putMessage(x: Exchange, app: App): Promise<void> {
  const caller = await userOf(x, app);
  const room = roomOf(x);
  const posting = postingOf(x);
  const attachments = await attachmentsOf(x, app, caller);
  if (isLarge(x)) {
    await app.pool.withRoom(caller.identity, room, (connection, entered) =>
      probePost(connection, fitting(posting, entered)),
    );
  }
  const survey = new Survey();
  const body = await spool(surveyed(bodyStream(x, MAX_BODY_BYTES), survey), app.spoolFolder);
  try {
    if (body.size === 0) throw new AppError('bad_request', 'The message is empty.');
    await putSpooled(x, app, caller, room, posting, body, survey.end(), attachments);
  } finally {
    await body.dispose();
  }
}

async function putSpooled(
  x: Exchange,
  app: App,
  caller: Caller,
  room: RoomRef,
  posting: Posting,
  body: Spooled,
  facts: BodyFacts,
  attachments: UploadRecord[],
): Promise<void> {
  const contentType = typeOfBody(x.header('content-type'), facts);
  const form = storedForm(contentType, facts);
  const isAsLines = isMultipart(form.contentType);
  const message = buildMessage({
    content: { ...form, open: () => (isAsLines ? asLines(body.open()) : body.open()) },
    attachments: attachments.map((upload) => ({
      filename: upload.uploadfilename,
      contentType: upload.contenttype,
      open: () => app.fleet.uploads.open(upload),
    })),
  });
  const { posted, replaced, name } = await app.pool.withRoom(caller.identity, room, async (connection, entered) => {
    const euid = await euidOf(x, entered, contentType, body);
    const existing = await findExisting(connection, entered, x.params.name!, euid);
    const etag = existing === undefined ? undefined : messageEtag(existing);
    if (evaluate(x, { etag, exists: existing !== undefined }) !== 'proceed') {
      throw new AppError('precondition_failed', 'The message is another one than expected.');
    }
    const isNamed = entered.defaultView === VIEW.wiki || entered.defaultView === VIEW.notes;
    const fit = fitting(posting, entered);
    const sent = { header: 0, total: 0 };
    const result = await post(connection, { ...fit, euid: isNamed ? euid : '' }, measured(message, sent));
    // mail is filed there, and not in the room it was written in (spec section 16)
    const isMail = fit.recipients !== '' || fit.cc !== '' || fit.bcc !== '';
    const name = isMail ? SENT_ITEMS : entered.name;
    // a card is written anew by a real server (spec section 17.2), a multipart put as it is has no length to compare
    const isComparable = entered.defaultView !== VIEW.addressBook && (!isAsLines || attachments.length > 0);
    if (isComparable && sent.total > SPOOL_MEMORY_BYTES) {
      if (isMail) await enter(connection, { name, password: '' });
      await requireWhole(connection, result.msgnum, sent, attachments.length);
    }
    return { posted: result, replaced: existing !== undefined, name };
  });
  await sendEmpty(x, replaced ? 204 : 201, {
    ETag: messageEtag(posted.msgnum),
    Location: messagePath(app, name, posted.msgnum),
  });
}

/** Rooms whose members are named by UID (spec section 17): a post with the UID of another message replaces it. */
const UID_VIEWS: ReadonlySet<number> = new Set([VIEW.addressBook, VIEW.calendar, VIEW.tasks, VIEW.notes, VIEW.wiki]);

/** The UID under which the room will know the message; empty where it will not. */
async function euidOf(x: Exchange, room: EnteredRoom, contentType: string, body: Spooled): Promise<string> {
  if (!UID_VIEWS.has(room.defaultView)) return '';
  const name = x.params.name!;
  if (room.defaultView === VIEW.wiki) return isFieldSafe(name) ? name : '';
  const uid = await uidOf(contentType, body.open(0, Math.min(body.size, SPOOL_MEMORY_BYTES)));
  if (uid !== '') return uid;
  return room.defaultView === VIEW.notes && isFieldSafe(name) && parseMessageNumber(name) === undefined ? name : '';
}

async function findExisting(
  connection: Connection,
  room: EnteredRoom,
  name: string,
  euid: string,
): Promise<number | undefined> {
  if (!UID_VIEWS.has(room.defaultView)) return undefined;
  for (const candidate of new Set(euid === '' ? uidsOf(name) : [euid])) {
    const number = await findByEuid(connection, candidate);
    if (number !== undefined) return number;
  }
  return undefined;
}

const SENT_ITEMS = 'Sent Items';

/** Outside personal rooms nothing is mailed; a real server would do that and post nothing (quirk Q10). */
function fitting(posting: Posting, room: EnteredRoom): Posting {
  return room.isPersonal ? posting : { ...posting, recipients: '', cc: '', bcc: '' };
}

/** The parameters of a PUT: references, subject, recipients. */
function postingOf(x: Exchange): Posting {
  const posting = {
    references: parameter(x, 'wefw'),
    subject: parameter(x, 'subj'),
    recipients: parameter(x, 'mailto'),
    cc: parameter(x, 'mailcc'),
    bcc: parameter(x, 'mailbcc'),
    euid: '',
  };
  return posting;
}

function parameter(x: Exchange, name: string): string {
  const value = x.query.get(name) ?? '';
  if (!isFieldSafe(value)) throw new AppError('bad_request', `${name} holds a character that cannot be sent.`);
  return value;
}

/** The uploads that `att` names, refs parted by `!`. Throws bad_request for one that is not the caller's. */
async function attachmentsOf(x: Exchange, app: App, caller: Caller): Promise<UploadRecord[]> {
  const refs = (x.query.get('att') ?? '').split('!').filter((ref) => ref !== '');
  if (refs.length === 0) return [];
  if (refs.length > MAX_MESSAGE_ATTACHMENTS) throw new AppError('bad_request', 'Too many attachments.');
  const owner = await ownerOf(caller, app);
  const records: UploadRecord[] = [];
  for (const ref of refs) {
    const record = await app.fleet.uploads.get(owner, ref);
    if (!record) throw new AppError('bad_request', 'An attachment is not among your uploads.');
    records.push(record);
  }
  return records;
}

/** Worth asking the room server first whether the caller may post at all. */
function isLarge(x: Exchange): boolean {
  const length = x.header('content-length');
  return length === undefined || Number(length) > SPOOL_MEMORY_BYTES;
}

async function* surveyed(source: AsyncIterable<Buffer>, survey: Survey): AsyncGenerator<Buffer> {
  for await (const chunk of source) {
    survey.push(chunk);
    yield chunk;
  }
}
