// A received body becomes a message of the room that a connection has entered: stored form, attachments, name, and the
// check that it was kept whole.

import { AppError } from '../../errors.ts';
import type { UploadRecord } from '../../fleet/uploads.ts';
import type { Spooled } from '../../http/spool.ts';
import { SPOOL_MEMORY_BYTES } from '../../limits/http.ts';
import { MAX_MIME_HEADER_BYTES } from '../../limits/mime.ts';
import { addressField, hasOpenQuote } from '../../mime/addresses.ts';
import { buildMessage, type HeaderPairs } from '../../mime/build.ts';
import type { EncodingFacts } from '../../mime/encoding-facts.ts';
import { isMultipart, namingHeaders, subjectOfName } from '../../mime/stored-content.ts';
import { asLines } from '../../mime/stored-text.ts';
import { type EnteredRoom, LEVEL } from '../../model.ts';
import { OWN_ROOM, roleOf } from '../../protocol/room-facts.ts';
import type { Connection } from '../../room-server/connection/connection.ts';
import { serverOf } from '../../room-server/driver.ts';
import type { Posted, Posting } from '../../room-server/posting.ts';
import type { SentMessage } from '../../room-server/server.ts';
import type { RoomContext } from '../room-context.ts';
import { storedForm } from './stored-type.ts';

export interface ReceivedMessage {
  contentType: string;
  body: Spooled;
  traits: EncodingFacts;
  posting: Posting;
  attachments: readonly UploadRecord[];
  /** under which it will be found again; empty: under its number or UID only */
  name: string;
  /** the room knows it by its UID: its name is only kept, and its subject is its own */
  isKnownByUid?: boolean;
  /** more header fields to be stored with it, before all others */
  headers?: HeaderPairs;
}

export const PLAIN_POSTING: Posting = { recipients: '', cc: '', bcc: '', subject: '', euid: '', references: '' };

/** quoted-printable writes a byte as three at most, and some line ends */
const MAX_ENCODED_GROWTH = 4;

/**
 * Posts it; `room` is where it is found then. Throws as room-server/posting.ts `post`, too_large where it was cut,
 * backend_protocol.
 */
export async function postBody(
  context: RoomContext,
  connection: Connection,
  entered: EnteredRoom,
  message: ReceivedMessage,
): Promise<{ posted: Posted; room: string }> {
  const { app } = context;
  const { contentType, body, traits, attachments, name, isKnownByUid, headers = [] } = message;
  const form = storedForm(contentType, traits);
  const isAsPut = isMultipart(form.contentType);
  const naming = name === '' ? [] : namingHeaders(name, body.size);
  const posting = fitting(message.posting, entered);
  const build = () =>
    buildMessage({
      headers: [...headers, ...(roleOf(entered) === 'drafts' ? recipientHeaders(message.posting) : [])],
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
  const subject = name === '' || isKnownByUid ? posting.subject : subjectOfName(name);
  // mail is filed there, and not in the room it was written in (protocol section 16)
  const isMail = posting.recipients !== '' || posting.cc !== '' || posting.bcc !== '';
  const room = isMail ? OWN_ROOM.sent : entered.name;
  const sent = { header: 0, total: 0, attachments: attachments.length, isAsPut, isMail };
  const size = attachments.reduce((sum, { contentlength }) => sum + contentlength, body.size);
  await requireFitting(context, connection, size, build);
  const { messages } = await serverOf(app.pool, connection);
  const posted = await messages.post(connection, { ...posting, subject }, measured(build(), sent));
  if (sent.total > SPOOL_MEMORY_BYTES) {
    await messages.requireWhole(connection, entered, posted.msgnum, sent, (bytes) => app.messageLimit.learn(bytes));
  }
  return { posted, room };
}

/** The message of buildMessage, measured on its way; its header is the first piece. */
export async function* measured(
  message: AsyncIterable<Buffer>,
  sent: Pick<SentMessage, 'header' | 'total'>,
): AsyncGenerator<Buffer> {
  for await (const piece of message) {
    if (sent.total === 0) sent.header = piece.length;
    sent.total += piece.length;
    yield piece;
  }
}

/** What is larger than the room server takes would be cut: mail has been sent by then. Throws too_large. */
async function requireFitting(
  { app, caller }: RoomContext,
  connection: Connection,
  size: number,
  build: () => AsyncIterable<Buffer>,
): Promise<void> {
  const { pool, messageLimit } = app;
  if ((await pool.identify(caller.identity)).level >= LEVEL.admin) await messageLimit.ask(connection, pool);
  const limit = messageLimit.bytes;
  if (limit === undefined || size * MAX_ENCODED_GROWTH + MAX_MIME_HEADER_BYTES <= limit) return;
  const sent = { header: 0, total: 0 };
  for await (const _ of measured(build(), sent));
  messageLimit.require(sent.total);
}

/**
 * Outside personal rooms nothing is mailed; a real server would do that and post nothing (quirk Q10). Nor is a draft,
 * whose recipients are kept in its header (quirk Q11). Throws bad_request where recipients cannot be told apart.
 */
export function fitting(posting: Posting, room: EnteredRoom): Posting {
  if (!room.isPersonal || roleOf(room) === 'drafts') return { ...posting, recipients: '', cc: '', bcc: '' };
  const { recipients, cc, bcc } = posting;
  if (![recipients, cc, bcc].some(hasOpenQuote)) return posting;
  throw new AppError('bad_request', 'A quote in the recipients is not closed.');
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
