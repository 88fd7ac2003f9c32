// EUID: which message of the current room has this exclusive id (protocol section 17).

import { splitFields } from '../../protocol/fields.ts';
import { readableRoom } from '../session/access.ts';
import { Refusal, type Verb } from '../session/verb.ts';
import { messageByExti } from '../store/references.ts';

/** `EUID id` → `200 number`; 575. Case matters. */
export const euid: Verb = (session, args) => {
  const room = readableRoom(session);
  const msgnum = messageByExti(session.store, room.id, splitFields(args)[0]!);
  if (msgnum === undefined) throw new Refusal(575, 'not found');
  return `200 ${msgnum}\n`;
};
