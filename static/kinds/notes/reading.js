// The notes of a room: objects of their own (vNote, or VJOURNAL of iCalendar), and messages that somebody posted there.

import { readEntry } from '../../api/groupware.js';
import { readMessage } from '../../api/messages.js';
import { Problem } from '../../api/request.js';
import { newNote, readNote } from '../../formats/notes.js';

/** @import { RoomStore } from '../../model/room-store.js' */

export const TYPE = 'text/vnote; charset=utf-8';
const CALENDAR_TYPE = 'text/calendar; charset=utf-8';

/** requests at once */
const AT_ONCE = 6;
const OBJECT = /^\s*BEGIN:(?:VNOTE|VCALENDAR)\s/i;

/** As which it is stored again. @param {string} source */
export const typeOf = (source) => (/^\s*BEGIN:VCALENDAR/i.test(source) ? CALENDAR_TYPE : TYPE);

/** @param {string} source */
export const noteIn = (source) => readNote(source);

/**
 * Throws Problem.
 * @param {RoomStore} store @param {number[]} [numbers] undefined: all
 * @param {AbortSignal} [signal]
 */
export async function loadNotes(store, numbers, signal) {
  if (!numbers) while (!store.isComplete) await store.loadOlder();
  const wanted = numbers ?? store.rows.map(({ msgnum }) => msgnum);
  /** @type {{ msgnum: number, text: string }[]} */
  const found = [];
  let next = 0;
  const work = async () => {
    while (next < wanted.length) {
      const msgnum = wanted[next++];
      const text = await sourceOf(store.name, msgnum, signal);
      if (text !== undefined) found.push({ msgnum, text });
    }
  };
  await Promise.all(Array.from({ length: AT_ONCE }, work));
  return found;
}

/** A message is given as a note without a UID. @param {string} room @param {number} msgnum @param {AbortSignal} [signal] */
async function sourceOf(room, msgnum, signal) {
  try {
    const text = await readEntry(room, msgnum, { signal });
    if (OBJECT.test(text)) return text;
    const message = await readMessage(room, msgnum, { isPlain: true, signal });
    return newNote({ title: message.subj ?? '', text: message.text.trim() }, { uid: '' }).text;
  } catch (problem) {
    // gone meanwhile
    if (problem instanceof Problem && problem.status === 404) return undefined;
    throw problem;
  }
}
