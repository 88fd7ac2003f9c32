// Posting a received body as a message of the room of a connection: stored form, attachments, name, what it replaces,
// and the check that it was stored whole.

import { AppError } from '../../errors.ts';
import type { UploadRecord } from '../../fleet/uploads.ts';
import type { Spooled } from '../../http/spool.ts';
import { MAX_RENDERED_IN_PLACE_BYTES, SPOOL_MEMORY_BYTES } from '../../limits/http.ts';
import { MAX_MIME_HEADER_BYTES, MAX_RENDERED_TEXT_BYTES } from '../../limits/mime.ts';
import { addressField, hasOpenQuote } from '../../mime/addresses.ts';
import { buildMessage, type HeaderPairs, type MessageAttachment, type MessageContent } from '../../mime/build.ts';
import { chooseEncoding, type EncodingFacts, EncodingScanner, isLineText } from '../../mime/encoding-facts.ts';
import { isMediaType, parseParameters } from '../../mime/headers.ts';
import {
  DEFAULT_TEXT,
  isMultipart,
  LINES_HEADER,
  namingHeaders,
  SIZE_HEADER,
  subjectOfName,
  TYPE_HEADER,
} from '../../mime/stored-content.ts';
import { asLines } from '../../mime/stored-text.ts';
import { canDelete, collectionKind, type EnteredRoom, LEVEL } from '../../model.ts';
import { OWN_ROOM, roleOf } from '../../protocol/room-facts.ts';
import { render } from '../../render/render.ts';
import type { Connection } from '../../room-server/connection/connection.ts';
import { serverOf } from '../../room-server/driver.ts';
import type { Posted, Posting } from '../../room-server/posting.ts';
import type { SentMessage } from '../../room-server/server.ts';
import { nameInRoomKey, withoutSlash } from '../paths.ts';
import { accessTo, type RoomContext } from '../room-context.ts';

export interface ReceivedMessage {
  contentType: string;
  body: Spooled;
  facts: EncodingFacts;
  posting: Posting;
  attachments: readonly UploadRecord[];
  /** name to find it by; '': only its number or UID */
  name: string;
  /** the room finds it by UID: its name is stored, its subject is its own */
  isKnownByUid?: boolean;
  /** further header fields, before all others */
  headers?: HeaderPairs;
}

export const PLAIN_POSTING: Posting = { recipients: '', cc: '', bcc: '', subject: '', euid: '', references: '' };

/** of a text for readers without HTML */
const PLAIN_JOB = {
  kind: 'text',
  rows: [],
  format: '4',
  isPacked: false,
  isPlain: true,
  isRemoteLoaded: false,
  path: undefined,
  pagesPath: undefined,
  maxTextBytes: Number.POSITIVE_INFINITY,
} as const;

/** quoted-printable writes at most three bytes for one, and some line ends */
const MAX_ENCODED_GROWTH = 4;

/** `room`: where it is found afterwards. Throws as MessageMethods.post, too_large if it was cut, backend_protocol. */
export async function postBody(
  context: RoomContext,
  connection: Connection,
  entered: EnteredRoom,
  message: ReceivedMessage,
): Promise<{ posted: Posted; room: string }> {
  const { app } = context;
  const { contentType, body, facts, attachments, name, isKnownByUid, headers = [] } = message;
  const form = storedForm(contentType, facts);
  const naming = name === '' ? [] : namingHeaders(name, body.size);
  const posting = fitting(message.posting, entered);
  // mail is filed there, not in the room where it was written (protocol section 16)
  const isMail = posting.recipients !== '' || posting.cc !== '' || posting.bcc !== '';
  const plain =
    isMail && name === '' && /^text\/html\b/i.test(contentType) ? await plainOf(context, message) : undefined;
  const files = await Promise.all(attachments.map((upload) => attachmentOf(context, upload)));
  const isAsPut = isMultipart(form.contentType) || plain !== undefined;
  const build = () =>
    buildMessage({
      headers: [
        ...headers,
        ...(roleOf(entered) === 'drafts' ? recipientHeaders(message.posting) : []),
        ...parentHeader(posting),
      ],
      content: {
        ...form,
        extraHeaders: [...form.extraHeaders, ...naming, ...(plain ? alternativeHeaders(contentType, body.size) : [])],
        open: () => (isMultipart(form.contentType) ? asLines(body.open()) : body.open()),
      },
      plain,
      attachments: files,
    });
  const subject = name === '' || isKnownByUid ? posting.subject : subjectOfName(name);
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

/** `type` and `size`: of HTML that is stored as one of two alternatives */
function alternativeHeaders(type: string, size: number): [string, string][] {
  return [
    [TYPE_HEADER, type],
    [SIZE_HEADER, String(size)],
  ];
}

/** HTML as text for readers without HTML; undefined if it cannot be rendered. Throws busy. */
async function plainOf(
  context: RoomContext,
  { contentType, body }: Pick<ReceivedMessage, 'contentType' | 'body'>,
): Promise<MessageContent | undefined> {
  const { rendered } = context.app;
  const html = asLines(body.open(0, MAX_RENDERED_TEXT_BYTES));
  const source = Buffer.concat([Buffer.from(`Content-Type: ${contentType}\n\n`), ...(await Array.fromAsync(html))]);
  const isWhole = body.size <= MAX_RENDERED_TEXT_BYTES;
  const job = { ...PLAIN_JOB, source, isWhole, contentType };
  try {
    const isSmall = source.length <= MAX_RENDERED_IN_PLACE_BYTES;
    const json = isSmall ? render(job)! : await rendered.makeOwn(async () => job);
    const { text } = JSON.parse(json.toString()) as { text: string };
    const bytes = Buffer.from(`${text.trimEnd()}\n`);
    const scan = new EncodingScanner();
    scan.push(bytes);
    const encoding = chooseEncoding(DEFAULT_TEXT, scan.end());
    return { contentType: DEFAULT_TEXT, encoding, open: () => asLines([bytes]) };
  } catch (error) {
    if (error instanceof AppError && error.code === 'not_rendered') return undefined;
    throw error;
  }
}

/** A message is not encoded (RFC 2046 section 5.2.1), so it is scanned first. */
async function attachmentOf({ app }: RoomContext, upload: UploadRecord): Promise<MessageAttachment> {
  const open = () => app.fleet.uploads.open(upload);
  const attachment = { filename: upload.uploadfilename, contentType: upload.contenttype, open };
  if (parseParameters(upload.contenttype).value.toLowerCase() !== 'message/rfc822') return attachment;
  const scan = new EncodingScanner();
  for await (const piece of open()) scan.push(piece);
  return { ...attachment, message: scan.end() };
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

/** A message larger than the limit would be cut, and mail already sent. Throws too_large. */
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
 * Outside personal rooms nothing is mailed: a real server would mail it and post nothing (quirk Q10). Nor is a draft,
 * whose recipients are stored in its header (quirk Q11). Throws bad_request for recipients that cannot be parsed.
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

/** RFC 5322 section 3.6.4; the room server writes References alone */
function parentHeader({ references }: Posting): [string, string][] {
  const parent = references.split(/[|!]/).findLast((id) => id !== '');
  return parent === undefined ? [] : [['In-Reply-To', `<${parent}>`]];
}

/**
 * Posts a message that replaces `existing`, which has its name, or its UID if the name is empty. `isConditional`:
 * nothing else may be replaced. Throws as postBody and settleName.
 */
export async function postReplacing(
  context: RoomContext,
  connection: Connection,
  entered: EnteredRoom,
  message: ReceivedMessage,
  existing: readonly number[],
  isConditional: boolean,
): Promise<{ posted: Posted; room: string; isReplaced: boolean }> {
  const replaces = isConditional ? (existing[0] ?? 0) : undefined;
  const isRead = message.posting.isRead ?? isObject(entered, message.name);
  const posting = { ...message.posting, replaces, isRead };
  const { posted, room } = await postBody(context, connection, entered, { ...message, posting });
  const { name } = message;
  if (name === '' || message.isKnownByUid) return { posted, room, isReplaced: existing.length > 0 };
  const { members } = await serverOf(context.app.pool, connection);
  const named = { name, msgnum: posted.msgnum, before: entered, existing, isConditional };
  return { posted, room, isReplaced: await members.settleName(accessTo(context), connection, named) };
}

/** Not letters: a letter is new to its author, too (protocol section 10). */
function isObject(room: EnteredRoom, name: string): boolean {
  const kind = collectionKind(room);
  return kind !== 'messages' && (kind !== 'files' || name !== '');
}

/** Throws forbidden if there is something to replace that the caller may not delete. */
export function requireReplaceable(room: EnteredRoom, existing: readonly number[]): void {
  if (existing.length > 0 && !canDelete(room)) {
    throw new AppError('forbidden', 'This account may not replace messages in this room.');
  }
}

interface StoredForm {
  contentType: string;
  encoding: 'identity' | 'quoted-printable' | 'base64';
  extraHeaders: [string, string][];
}

/** curl sends this if no type is given */
export const CURL_DEFAULT_TYPE = 'application/x-www-form-urlencoded';
const DEFAULT_BINARY = 'application/octet-stream';

/** The media type of a PUT body, which begins with `start`. Throws bad_request for one that cannot be stored. */
export function typeOfBody(contentType: string | undefined, facts: EncodingFacts, start = ''): string {
  const type = contentType?.trim() ?? '';
  if (type === '' || type.toLowerCase() === CURL_DEFAULT_TYPE) {
    const object = /^[^\w]*BEGIN:(VCALENDAR|VCARD)\s/i.exec(start)?.[1]?.toUpperCase();
    if (object) return object === 'VCARD' ? 'text/vcard' : 'text/calendar';
    return facts.isUtf8 && !facts.hasNul ? DEFAULT_TEXT : DEFAULT_BINARY;
  }
  if (!isMediaType(parseParameters(type).value) || /[^\x20-\x7e]/.test(type)) {
    throw new AppError('bad_request', 'The Content-Type is malformed.');
  }
  return type;
}

/**
 * How a body of this type is stored; the way back is mime/stored-content.ts. The line protocol ends text at a line
 * `000`, knows only LF and cannot pass NUL (protocol section 4). A multipart must not be encoded
 * (RFC 2045 section 6.4): it is stored as it is, or packed whole.
 */
export function storedForm(contentType: string, facts: EncodingFacts): StoredForm {
  if (!isMultipart(contentType)) return { contentType, encoding: chooseEncoding(contentType, facts), extraHeaders: [] };
  if (isLineText(facts)) {
    const lines = `${facts.hasCrlf ? 'crlf' : 'lf'} ${facts.size}`;
    return { contentType, encoding: 'identity', extraHeaders: [[LINES_HEADER, lines]] };
  }
  return { contentType: DEFAULT_BINARY, encoding: 'base64', extraHeaders: [[TYPE_HEADER, contentType]] };
}

/** media type of the message that represents a folder */
export const FOLDER_TYPE = 'httpd/unix-directory';

/**
 * Posts an empty message under a free name, a folder or a locked file, and returns its number. Throws as postReplacing:
 * of two gateways that do it at the same time one gets precondition_failed.
 */
export async function postEmpty(context: RoomContext, name: string, contentType: string): Promise<number> {
  const { app, caller, room } = context;
  const account = await app.pool.accountOf(caller.identity);
  await using body = await app.spools.take(account, nothing());
  const message = {
    contentType,
    body,
    facts: new EncodingScanner().end(),
    posting: PLAIN_POSTING,
    attachments: [],
    name,
  };
  return app.pool.withRoom(caller.identity, room, async (connection, entered) => {
    const { posted } = await postReplacing(context, connection, entered, message, [], true);
    app.watches.posted(entered.name, []);
    return posted.msgnum;
  });
}

/** Serialises changes of a name, whether of a file or of a folder. Throws what `change` throws. */
export function inTurn<T>({ app, room, exchange }: RoomContext, name: string, change: () => Promise<T>): Promise<T> {
  return app.serialQueue.run(nameInRoomKey(room.name, withoutSlash(name)), change, exchange.gone);
}

async function* nothing(): AsyncGenerator<Buffer> {}
