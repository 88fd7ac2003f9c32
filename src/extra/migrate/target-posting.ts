// Puts messages into rooms of an ordinary room server: posted by the author if the password is known, with marks
// (marks.ts) for fields that the server assigns; for mailboxes through another room; or as mail, which preserves them.

import { AppError } from '../../errors.ts';
import { MAX_REFERENCES_BYTES } from '../../limits/backend.ts';
import { decodeWords } from '../../mime/coding/encoded-words.ts';
import { EUID_VIEWS, VIEW } from '../../model.ts';
import { command, splitFields, toInt } from '../../protocol/fields.ts';
import { parseMessageFields } from '../../protocol/message-fields.ts';
import { REPLY, STATUS } from '../../protocol/status.ts';
import type { Connection } from '../../room-server/connection/connection.ts';
import { enterRoom } from '../../room-server/connection/goto.ts';
import { expectClass } from '../../room-server/connection/server-errors.ts';
import { storedHeadersOf } from '../../room-server/messages.ts';
import { deleteFromRoom, moveToRoom } from '../../room-server/posting.ts';
import { encodedBody } from './encoded-body.ts';
import type { MailDelivery } from './mail-delivery.ts';
import { isMark, markLines, withHiddenAuthor } from './marks.ts';
import type { Listed, Put, Room, StoredFields } from './model.ts';
import { sameAccount } from './sessions.ts';
import { asText, HOLDS_END_LINE, takeBody, type WholeBody } from './streams.ts';
import { ifRefused, isMailbox, type Site, STAGING, shortName } from './target-site.ts';

/** The server assigns a euid when posting, mostly from the content. */
const isPostedOnly = ({ view }: Room): boolean => EUID_VIEWS.has(view) || view === VIEW.blog;

/** protocol section 17.2 */
const UNFOLDED = 'the old text format, whose lines are joined for display: it is plain text now';
const REWRITTEN_CARD = 'the exact text of the contact, which the room server rewrites';

export interface Poster {
  put(room: Room, head: StoredFields, body: AsyncIterable<Buffer>): Promise<Put>;
}

/** `spoolFolder`: for large bodies. `mail`: a lossless transport. */
export function openPoster(
  site: Site,
  references: References,
  spoolFolder: string,
  mail: MailDelivery | undefined,
): Poster {
  const { admin, sessions } = site;
  let maxMessageBytes: number | undefined;
  /** bodies encoded in base64 */
  const isEncoded = new WeakSet<WholeBody>();

  /** A real server silently truncates or drops some messages (protocol section 17, quirks Q9, Q40). */
  const requireSendable = async (head: StoredFields, body: WholeBody): Promise<number> => {
    if (body.hasEndLine) throw new AppError('conflict', HOLDS_END_LINE);
    if (body.hasNul) throw new AppError('conflict', 'It contains a NUL byte, where the room server would truncate it.');
    if (maxMessageBytes === undefined) {
      const { code, text } = await site.ask(command('CONF', 'GETVAL', 'c_maxmsglen'));
      maxMessageBytes = (code === STATUS.done && toInt(splitFields(text)[0])) || Number.POSITIVE_INFINITY;
    }
    const bytes = Buffer.byteLength(markLines(head)) + body.size;
    if (bytes <= maxMessageBytes) return maxMessageBytes;
    throw new AppError(
      'conflict',
      `Its ${bytes} bytes exceed the limit of the room server, ${maxMessageBytes} (c_maxmsglen).`,
    );
  };

  /** Posts in `location`, as the author if possible. `target`: the final room. */
  const postAs = async (
    author: string,
    location: string,
    target: Room,
    head: StoredFields,
    body: WholeBody,
  ): Promise<Put> => {
    const goThere = async (connection: Connection): Promise<void> => {
      if (location === STAGING) return site.enterStaging(connection);
      await enterRoom(connection, { name: location, password: site.ownerOf(target) ? '' : target.password }, true);
    };
    const name = site.users.find((user) => sameAccount(user.name, author))?.name;
    const connection = (name === undefined ? undefined : await sessions.as(name)) ?? admin;
    let answersTo = '';
    const mayPost = async (): Promise<boolean> => {
      await goThere(connection);
      answersTo = await references.translated(connection, target.name, head.get('wefw') ?? '');
      return (await connection.ask(entry(0, head, answersTo, ''))).code === STATUS.done;
    };
    const poster = (await mayPost().catch(ifRefused)) ? connection : admin;
    if (poster === admin) await goThere(admin);
    const shown = poster === admin && !sameAccount(sessions.adminName, author) ? author : '';
    expectClass(await poster.start(entry(1, head, answersTo, shown)), REPLY.sendTextThenListing);
    const [number] = await poster.sendText(asText(markLines(head, isEncoded.has(body)), body.open()));
    const msgnum = toInt(number);
    if (msgnum < 1) throw new AppError('conflict', `The room server refuses it (${msgnum}).`);
    if (location !== STAGING) references.note(target.name, { msgid: head.get('msgn') ?? '', msgnum });
    const isOwnAddress = poster !== admin || sameAccount(sessions.adminName, author);
    const lost = isOwnAddress ? [] : [`the address of ${author || 'an unnamed author'}`];
    // a rewritten card has lost its marks
    const [stored] = target.view === VIEW.addressBook ? await storedHeadersOf(poster, [msgnum]) : [];
    if (stored && !stored.some((field) => isMark(field.name))) lost.push(REWRITTEN_CARD);
    if (body.size !== body.shownBytes) lost.push('the CR in its line ends');
    return { msgnum, lost };
  };

  /** `stored`: the original body, for mail; `body`: the one to post. */
  const putWhole = async (room: Room, head: StoredFields, stored: WholeBody, body: WholeBody): Promise<Put> => {
    const maxBytes = await requireSendable(head, body);
    const author = plain(decodeWords(head.get('from') ?? ''));
    const owner = site.ownerOf(room);
    if (owner ? isMailbox(room) : !isPostedOnly(room)) {
      const put = await mail?.deliver(room, head, stored, maxBytes);
      if (put) {
        references.note(room.name, { msgid: head.get('msgn') ?? '', msgnum: put.msgnum });
        return put;
      }
    }
    if (!owner) return await postAs(author, room.name, room, head, body);
    const isOwnToPost = EUID_VIEWS.has(room.view) || (!isMailbox(room) && sameAccount(owner.name, author));
    if (isOwnToPost) return await postAs(owner.name, shortName(room), room, head, body);
    const mover = await site.masterOf(room);
    const put = await postAs(author, STAGING, room, head, body);
    await site.enterStaging(mover);
    await moveToRoom(mover, put.msgnum, shortName(room), true);
    await site.enterStaging(admin);
    await deleteFromRoom(admin, put.msgnum);
    return put;
  };

  return {
    async put(room, stored, body) {
      const head = withHiddenAuthor(stored);
      // buffers everything first: an interrupted post would leave half a message on a real server (quirk Q8)
      await using spooled = await takeBody(body, spoolFolder);
      const hasCr = spooled.size !== spooled.shownBytes;
      const encoded = hasCr ? await encodedBody(spooled, head.get('type') === '4', spoolFolder) : undefined;
      await using posted = encoded?.body ?? spooled;
      if (encoded) isEncoded.add(posted);
      head.set('size', String(posted.shownBytes));
      const put = await putWhole(room, head, spooled, posted);
      return head.get('type') === '1' ? { ...put, lost: [...put.lost, UNFOLDED] } : put;
    },
  };
}

function entry(isPost: 0 | 1, head: StoredFields, references: string, author: string): string {
  const field = (name: string) => plain(head.get(name) ?? '');
  const isAnonymous = head.get('anon') === 'option' ? 1 : '';
  const fields = [isPost, '', isAnonymous, 4, field('subj'), author, 1, '', '', field('exti'), '', references];
  return command('ENT0', ...fields);
}

/** Removes what a field cannot contain. */
function plain(text: string): string {
  return text.replace(/[|\r\n\0]/g, ' ');
}

interface References {
  /** Records a migrated message; `msgid`: its original id. */
  note(room: string, message: Pick<Listed, 'msgnum' | 'msgid'>): void;
  /** In the form of ENT0. `wefw`: original ids separated by bars; `connection` is in the room. */
  translated(connection: Connection, room: string, wefw: string): Promise<string>;
}

export function openReferences(): References {
  /** room name → original id → number */
  const copies = new Map<string, Map<string, number>>();

  const idHere = async (connection: Connection, room: string, id: string): Promise<string> => {
    const msgnum = copies.get(room)?.get(id);
    if (msgnum === undefined) return id;
    const { code, lines } = await connection.ask(command('MSG0', msgnum, 3));
    return (code === STATUS.listing && parseMessageFields(lines).fields.get('msgn')) || id;
  };

  return {
    note(room, { msgid, msgnum }) {
      copies.getOrInsertComputed(room, () => new Map<string, number>()).set(msgid, msgnum);
    },
    async translated(connection, room, wefw) {
      const ids: string[] = [];
      // the last ones are the nearest, as in References (RFC 5322 section 3.6.4)
      let bytes = 0;
      for (const id of wefw.split('|').reverse()) {
        const here = (await idHere(connection, room, id)).replace(/[!|\r\n\0]/g, '');
        bytes += Buffer.byteLength(here) + 1;
        if (bytes > MAX_REFERENCES_BYTES) break;
        ids.unshift(here);
      }
      return ids.join('!');
    },
  };
}
