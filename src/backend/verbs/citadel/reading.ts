// Reading a message as Citadel's own clients do: MSG4 and MSGP (protocol section 13).

import { splitFields, toInt } from '../../../protocol/fields.ts';
import { STATUS } from '../../../protocol/status.ts';
import { headerLines } from '../../content/message-header.ts';
import { chosenPart, innerMessage } from '../../content/preferred-part.ts';
import { readableMessage, START, textListing } from '../../content/readable-message.ts';
import { ok } from '../../session/reply.ts';
import type { Verb } from '../../session/session.ts';
import { partLines } from '../../store/message-part.ts';
import { structureOf } from '../../store/messages.ts';
import { Refusal } from '../../store/refusal.ts';

/** `MSG4 n|section`: header lines, part list and the part that suits the client best. */
export const msg4: Verb = (session, args) => {
  const fields = splitFields(args);
  const row = readableMessage(session, toInt(fields[0]));
  const structure = structureOf(session.store, row.id);
  const section = fields[1] ?? '';
  if (section === '' || section === '0') {
    const head = `${START}${headerLines(session, row)}${structure ? partLines(structure) : ''}text\n`;
    return textListing(session, row, head, chosenPart(session, row, structure), row.size);
  }
  const inner = structure && innerMessage(session.store, row, structure, section);
  if (!inner) throw new Refusal(STATUS.noSuchMessage, `msg ${row.id} has no part ${section}`);
  const head = `${START}${inner.headerLines}${partLines(inner.structure)}text\n`;
  return textListing(session, row, head, chosenPart(session, row, inner.structure), row.size);
};

/**
 * `MSGP type|type…` sets what MSG4 prefers, best first; `MSGP dont_decode` makes it send parts as they are stored.
 */
export const msgp: Verb = (session, args) => {
  if (args.trim().toLowerCase() === 'dont_decode') {
    session.dontDecode = true;
    return ok('MSG4 will not pre-decode messages.');
  }
  session.mimePreferences = splitFields(args.toLowerCase())
    .map((type) => type.trim())
    .filter((type) => type !== '');
  return ok('Preferred MIME formats have been set.');
};
