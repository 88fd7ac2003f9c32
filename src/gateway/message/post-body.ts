// A received body becomes a message of the room that a connection has entered: stored form, attachments, name, and the
// check that it was kept whole. Called for PUT and for copies under another name.

import type { Connection } from '../../client/connection/connection.ts';
import { enterRoom } from '../../client/connection/goto.ts';
import type { Identity } from '../../client/connection/identity.ts';
import { findAbove } from '../../client/find-messages.ts';
import { deleteFromRoom, type Posted, type Posting, post } from '../../client/posting.ts';
import { isOwnServer } from '../../client/server.ts';
import { AppError } from '../../errors.ts';
import type { UploadRecord } from '../../fleet/uploads.ts';
import type { Spooled } from '../../http/spool.ts';
import { SPOOL_MEMORY_BYTES } from '../../limits/http.ts';
import { MAX_MIME_HEADER_BYTES } from '../../limits/mime.ts';
import { addressField } from '../../mime/addresses.ts';
import { buildMessage } from '../../mime/build.ts';
import type { BodyTraits } from '../../mime/traits.ts';
import { type EnteredRoom, LEVEL, VIEW } from '../../model.ts';
import { nameKey } from '../../protocol/names.ts';
import type { App } from '../app.ts';
import { canDelete } from '../rights.ts';
import { namedAmong, namingHeaders, subjectOfName } from './name.ts';
import { isMultipart, storedForm } from './stored-type.ts';
import { measured, requireWhole } from './stored-whole.ts';
import { asLines } from './text.ts';

export interface NewMessage {
  contentType: string;
  body: Spooled;
  facts: BodyTraits;
  posting: Posting;
  attachments: readonly UploadRecord[];
  /** under which it will be found again; empty: under its number or UID only */
  name: string;
}

export const PLAIN_POSTING: Posting = { recipients: '', cc: '', bcc: '', subject: '', euid: '', references: '' };

const SENT_ITEMS = 'Sent Items';
/** quoted-printable writes a byte as three at most, and some line ends */
const MAX_ENCODED_GROWTH = 4;

/** Posts it; `room` is where it is found then. Throws as client/posting.ts `post`, and too_large where it was cut. */
export async function postBody(
  app: App,
  identity: Identity,
  connection: Connection,
  entered: EnteredRoom,
  message: NewMessage,
): Promise<{ posted: Posted; room: string }> {
  const { contentType, body, facts, attachments, name } = message;
  const form = storedForm(contentType, facts);
  const isAsPut = isMultipart(form.contentType);
  const naming = name === '' ? [] : namingHeaders(name, body.size);
  const posting = fitting(message.posting, entered);
  const build = () =>
    buildMessage({
      headers: isDrafts(entered) ? recipientHeaders(message.posting) : [],
      content: {
        ...form,
        extraHeaders: [...form.extraHeaders, ...naming],
        open: () => (isAsPut ? asLines(body.open()) : body.open()),
      },
      attachments: attachments.map((upload) => ({
        filename: upload.uploadfilename,
        contentType: upload.contenttype,
        open: () => app.fleet.uploads.open(upload),
      })),
    });
  const subject = name === '' ? posting.subject : subjectOfName(name);
  // mail is filed there, and not in the room it was written in (protocol section 16)
  const isMail = posting.recipients !== '' || posting.cc !== '' || posting.bcc !== '';
  const room = isMail ? SENT_ITEMS : entered.name;
  const sent = { header: 0, total: 0, attachments: attachments.length, isAsPut, isMail };
  const size = attachments.reduce((sum, { contentlength }) => sum + contentlength, body.size);
  await requireFitting(app, identity, connection, size, build);
  const posted = await post(connection, { ...posting, subject }, measured(build(), sent));
  // a card is written anew by a real server (protocol section 17.2); ours refuses what is too large
  const isComparable = entered.defaultView !== VIEW.addressBook && sent.total > SPOOL_MEMORY_BYTES;
  if (isComparable && !(await isOwnServer(app.pool, identity))) {
    if (isMail) await enterRoom(connection, { name: room, password: '' });
    await requireWhole(connection, posted.msgnum, sent, app.messageLimit);
  }
  return { posted, room };
}

/** What is larger than the room server takes would be cut: mail has been sent by then. Throws too_large. */
async function requireFitting(
  { pool, messageLimit }: App,
  identity: Identity,
  connection: Connection,
  size: number,
  build: () => AsyncIterable<Buffer>,
): Promise<void> {
  if ((await pool.identify(identity)).level >= LEVEL.admin) await messageLimit.ask(connection, pool);
  const limit = messageLimit.bytes;
  if (limit === undefined || size * MAX_ENCODED_GROWTH + MAX_MIME_HEADER_BYTES <= limit) return;
  const sent = { header: 0, total: 0 };
  for await (const _ of measured(build(), sent));
  messageLimit.require(sent.total);
}

/**
 * Outside personal rooms nothing is mailed; a real server would do that and post nothing (quirk Q10). Nor is a draft,
 * whose recipients are kept in its header (quirk Q11).
 */
export function fitting(posting: Posting, room: EnteredRoom): Posting {
  return room.isPersonal && !isDrafts(room) ? posting : { ...posting, recipients: '', cc: '', bcc: '' };
}

/** Where what is not to be sent yet is kept; administrators see the rooms of others with the number of their owner. */
function isDrafts({ isPersonal, name, defaultView }: EnteredRoom): boolean {
  return isPersonal && (nameKey(name.replace(/^\d{10}\./, '')) === 'drafts' || defaultView === VIEW.drafts);
}

/** RFC 5322 section 3.6.3 */
function recipientHeaders({ recipients, cc, bcc }: Posting): [string, string][] {
  const fields: [string, string][] = [
    ['To', addressField(recipients)],
    ['Cc', addressField(cc)],
    ['Bcc', addressField(bcc)],
  ];
  return fields.filter(([, value]) => value !== '');
}

/** Throws forbidden where there is something to replace that the caller may not delete. */
export function requireReplaceable(room: EnteredRoom, existing: readonly number[]): void {
  if (existing.length > 0 && !canDelete(room)) {
    throw new AppError('forbidden', 'This account may not replace messages in this room.');
  }
}

/**
 * Another gateway may have given the same name in the meantime. Of messages with one name the last one posted counts, as
 * if they had come one after the other: the earlier ones are answered as replaced. Where they were not to be, because
 * the request had a precondition or the caller may not delete, the new one has come too late. `before` has been read
 * before `msgnum` was posted. Throws precondition_failed, conflict.
 */
export async function settleName(
  connection: Connection,
  before: EnteredRoom,
  name: string,
  msgnum: number,
  isConditional: boolean,
): Promise<number[]> {
  const posted = await findAbove(connection, before.highest);
  const earlier = posted.filter((number) => number < msgnum);
  const rivals = await namedAmong(connection, earlier, name);
  if (rivals.length === 0) return [];
  if (!canDelete(before)) {
    throw new AppError(
      'conflict',
      `Another message has got this name at the same time; this one is message ${msgnum}.`,
    );
  }
  if (!isConditional) return rivals;
  await deleteFromRoom(connection, msgnum);
  throw new AppError('precondition_failed', 'Another message has got this name at the same time.');
}

/** Deletes what has been replaced. What somebody else has deleted meanwhile is gone, too. */
export async function removeReplaced(connection: Connection, numbers: readonly number[]): Promise<void> {
  for (const msgnum of numbers) {
    await deleteFromRoom(connection, msgnum).catch((error: unknown) => {
      if (!(error instanceof AppError && error.code === 'not_found')) throw error;
    });
  }
}
