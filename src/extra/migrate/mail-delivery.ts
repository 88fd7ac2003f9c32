// Delivers messages to a real server on this machine through its LMTP socket (RFC 2033), which preserves date, author, id,
// references and recipients, unlike posts (quirk Q64). Mail can only go to users: messages for shared rooms go to the
// administrator and are moved. The client sends one message to one recipient at a time; what cannot be delivered is
// posted in another way, so it throws only if the outcome is unknown.

import { once } from 'node:events';
import { connect, type Socket } from 'node:net';
import { AppError } from '../../errors.ts';
import { LMTP_TIMEOUT_MS, MAX_LMTP_REPLY_BYTES } from '../../limits/backend.ts';
import { MAX_TEXT_LINE_BYTES } from '../../limits/mime.ts';
import { MAX_TEMPLATE_VALUE_BYTES } from '../../limits/protocol.ts';
import { encodeWords } from '../../mime/coding/encoded-words.ts';
import { command, isFieldSafe, toInt } from '../../protocol/fields.ts';
import { OWN_ROOM, roleOf } from '../../protocol/room-facts.ts';
import { enterRoom } from '../../room-server/connection/goto.ts';
import { findByMessageId } from '../../room-server/messages.ts';
import { deleteFromRoom, moveToRoom } from '../../room-server/posting.ts';
import { type EncodedBody, encodedBody } from './encoded-body.ts';
import { markLines } from './marks.ts';
import type { Put, Room, StoredFields, User } from './model.ts';
import { sameAccount } from './sessions.ts';
import { asText, type WholeBody } from './streams.ts';
import { ifRefused, type Site, shortName } from './target-site.ts';

const INBOX = { name: OWN_ROOM.mail, password: '' };
/** approximately the content of the angle brackets in Message-ID and addresses (RFC 5322 sections 3.4.1 and 3.6.4) */
const ID = /^[!-;=?-~][!-;=?A-~]*@[!-;=?-~]+$/;

/** header fields in the body that the room server removes */
const DROPPED = /^(date|from|subject|to|cc|message-id|return-path|envelope-to|references|in-reply-to)[ \t]*:/gim;

export interface MailDelivery {
  /** undefined: it must be posted. `maxBytes`: size limit of a message. */
  deliver(room: Room, head: StoredFields, body: WholeBody, maxBytes: number): Promise<Put | undefined>;
  close(): void;
}

/** `path`: the socket, which may not exist. `spoolFolder`: for large bodies. */
export function openMailDelivery(site: Site, path: string, spoolFolder: string): MailDelivery {
  let opening: Promise<Lmtp | undefined> | undefined;
  const addresses = new Map<number, string>();

  const addressOf = async ({ num, name }: User): Promise<string> => {
    const address = addresses.get(num) ?? (await site.ask(command('AGEA', name))).lines[0] ?? '';
    addresses.set(num, address);
    return address;
  };

  return {
    async deliver(room, head, source, maxBytes) {
      if (mailHead(head) === undefined) return undefined;
      const lmtp = await (opening ??= openLmtp(path));
      if (!lmtp?.isOpen()) return undefined;
      const encoded = await encodedBody(source, head.get('type') === '4', spoolFolder);
      if (!encoded) return undefined;
      await using body = encoded.body;
      // some header lines may be removed
      const text = mailHead(new Map(head).set('size', String(body.shownBytes - encoded.header.length)))!;
      const bytes = Buffer.byteLength(text) + body.size;
      if (bytes > maxBytes || body.longestLine > MAX_TEXT_LINE_BYTES || body.size !== body.shownBytes) return undefined;
      const lost = lostByMail(encoded);
      const mover = await site.masterOf(room);
      const recipient = site.ownerOf(room) ?? site.users.find(({ name }) => sameAccount(name, site.sessions.adminName));
      const to = recipient ? await addressOf(recipient) : '';
      if (!ID.test(to)) return undefined;
      if (!(await lmtp.deliver(head.get('rfca')!, to, asText(text, body.open())))) return undefined;
      await enterRoom(mover, INBOX, true);
      const msgnum = (await findByMessageId(mover, head.get('msgn')!)).at(-1);
      if (msgnum === undefined) {
        throw new AppError('conflict', 'The room server accepted the mail but did not deliver it to the mailbox.');
      }
      if (site.ownerOf(room) && roleOf({ name: room.name, isPersonal: true, defaultView: room.view }) === 'mail')
        return { msgnum, lost };
      const isMoved = await moveToRoom(mover, msgnum, shortName(room), false).then(() => true, ifRefused);
      if (isMoved) return { msgnum, lost };
      await deleteFromRoom(mover, msgnum);
      return undefined;
    },
    close() {
      void opening?.then((lmtp) => lmtp?.close());
    },
  };
}

/** What mail does not preserve, for the report. */
function lostByMail({ header, isMultipart, hasBareText }: EncodedBody): string[] {
  const fields = [...new Set(header.match(DROPPED))].map((field) => field.slice(0, -1).trim());
  return [
    ...(fields.length > 0 ? [`header fields inside the text: ${fields.join(', ')}`] : []),
    ...(isMultipart ? ['the exact form of the multipart: its parts are base64 now, after an empty line'] : []),
    ...(hasBareText ? ['line ends in signed parts or embedded messages: they are CR LF now'] : []),
  ];
}

/** The header of an internet message, including marks; undefined: mail cannot carry it. */
function mailHead(head: StoredFields): string | undefined {
  const field = (name: string) => (head.get(name) ?? '').replace(/\p{Cc}/gu, ' ').trim();
  const id = field('msgn');
  const time = toInt(field('time'));
  const isNamed =
    ID.test(id) && id.length <= MAX_TEMPLATE_VALUE_BYTES && isFieldSafe(id) && ID.test(field('rfca')) && time > 0;
  if (!isNamed || (head.get('anon') ?? 'no') !== 'no') return undefined;
  if (/[^ -~]/.test(field('rcpt') + field('cccc'))) return undefined; // names and addresses are ambiguous
  const references = field('wefw')
    .split('|')
    .filter((one) => ID.test(one));
  const lines = [
    `Date: ${new Date(time * 1000).toUTCString().replace('GMT', '+0000')}`,
    `From: ${phrase(field('from'))} <${field('rfca')}>`,
    `Message-ID: <${id}>`,
  ];
  if (field('rcpt') !== '') lines.push(`To: ${field('rcpt')}`);
  if (field('cccc') !== '') lines.push(`Cc: ${field('cccc')}`);
  if (field('subj') !== '') lines.push(`Subject: ${encodeWords(field('subj'))}`);
  if (references.length > 0) lines.push(`References: ${references.map((one) => `<${one}>`).join('\n ')}`);
  const text = `${lines.join('\n')}\n${markLines(head, true)}`;
  return text.split('\n').every((line) => Buffer.byteLength(line) <= MAX_TEXT_LINE_BYTES) ? text : undefined;
}

/** A display name (RFC 5322 section 3.2.5): encoded words, or a quoted string. */
function phrase(name: string): string {
  const encoded = encodeWords(name);
  return encoded.includes('=?') ? encoded : `"${encoded.replace(/["\\]/g, '\\$&')}"`;
}

const LF = 10;
/** reply codes (RFC 5321 section 4.2.3); NONE: no reply */
const READY = 220;
const DONE = 250;
const START_INPUT = 354;
const NONE = 0;

interface Lmtp {
  /** Whether it accepts messages, as far as known. */
  isOpen(): boolean;
  /**
   * `message`: LF line ends, no CR. False: not delivered. Throws backend_lost if the connection ends between the end of
   * the message and the reply.
   */
  deliver(from: string, to: string, message: AsyncIterable<Buffer>): Promise<boolean>;
  close(): void;
}

/** undefined: nobody listens. */
export async function openLmtp(path: string): Promise<Lmtp | undefined> {
  const socket = connect({ path });
  socket.on('error', () => {}); // readers and writers notice that it is closed
  socket.setTimeout(LMTP_TIMEOUT_MS, () => socket.destroy());
  const replies = new Replies(socket);
  const say = async (line: string): Promise<number> => {
    socket.write(`${line}\r\n`);
    return replies.next();
  };
  if ((await replies.next()) !== READY || (await say('LHLO localhost')) !== DONE) {
    socket.destroy();
    return undefined;
  }
  return {
    isOpen: () => !socket.destroyed,
    async deliver(from, to, message) {
      const isReady =
        (await say(`MAIL FROM:<${from}>`)) === DONE &&
        (await say(`RCPT TO:<${to}>`)) === DONE &&
        (await say('DATA')) === START_INPUT;
      if (!isReady) {
        if (!socket.destroyed && (await say('RSET')) !== DONE) socket.destroy();
        return false;
      }
      try {
        for await (const piece of asData(message)) {
          if (!socket.destroyed && !socket.write(piece)) await Promise.race([drained(socket), replies.ended]);
          if (socket.destroyed) return false;
        }
      } catch (error) {
        socket.destroy(); // an incomplete message is discarded
        throw error;
      }
      const code = await say('.');
      if (code === NONE) throw new AppError('backend_lost', 'The mail connection ended in the middle of a message.');
      return code === DONE;
    },
    close: () => socket.destroy(),
  };
}

async function drained(socket: Socket): Promise<void> {
  await once(socket, 'drain').catch(() => {});
}

/** Reads reply codes; NONE: the connection ended, or the reply is invalid. */
class Replies {
  readonly ended: Promise<unknown>;
  readonly #socket: Socket;
  #text = '';
  #wake: () => void = () => {};

  constructor(socket: Socket) {
    this.#socket = socket;
    this.ended = new Promise((resolve) => socket.once('close', resolve));
    socket.on('data', (bytes) => {
      this.#text += bytes.toString('latin1');
      if (this.#text.length > MAX_LMTP_REPLY_BYTES) {
        this.#text = '';
        socket.destroy();
      }
      this.#wake();
    });
    socket.once('close', () => this.#wake());
  }

  /** The code of the next reply, which may have several lines (RFC 5321 section 4.2.1). */
  async next(): Promise<number> {
    for (;;) {
      const [reply, code] = /^(?:\d{3}-[^\n]*\n)*(\d{3})(?!-)[^\n]*\n/.exec(this.#text) ?? [];
      if (reply !== undefined) {
        this.#text = this.#text.slice(reply.length);
        return Number(code);
      }
      if (this.#socket.destroyed) return NONE;
      await new Promise<void>((resolve) => {
        this.#wake = resolve;
      });
    }
  }
}

/** CR LF line ends, a terminated last line, and dot stuffing (RFC 5321 section 4.5.2). */
async function* asData(message: AsyncIterable<Buffer>): AsyncGenerator<Buffer> {
  let last = LF;
  for await (const piece of message) {
    if (piece.length === 0) continue;
    const text = `${last === LF ? '\n' : 'x'}${piece.toString('latin1')}`;
    const stuffed = text.replace(/\n\./g, '\n..').slice(1).replace(/\n/g, '\r\n');
    last = piece.at(-1)!;
    yield Buffer.from(stuffed, 'latin1');
  }
  if (last !== LF) yield Buffer.from('\r\n');
}
