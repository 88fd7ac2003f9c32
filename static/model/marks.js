// Marks of read and unread that are on their way. They go one after the other, and a browser drops with the page what
// it has not sent by then: so they are sent once more when it is left, all at once. Twice does no harm to a mark.

import { changeMessages } from '../api/messages.js';
import { inTurn } from '../core/in-turn.js';
import { latestMarks } from './latest-marks.js';
import { orLater } from './outbox.js';

/** @import { Marks } from './latest-marks.js' */

/** in the order in which they were made @type {Set<Marks>} */
const underWay = new Set();

/** Sets them, or has them wait where there is no connection. Throws Problem. @param {Marks} marks */
export async function setMarks(marks) {
  underWay.add(marks);
  const { room, msgnums, seen } = marks;
  try {
    await inTurn(() =>
      orLater(
        () => ({ kind: 'seen', ...marks }),
        () => changeMessages(room, msgnums, { seen }, {}),
        room,
      ),
    );
  } finally {
    underWay.delete(marks);
  }
}

addEventListener('pagehide', () => {
  for (const { room, msgnums, seen } of latestMarks(underWay))
    changeMessages(room, msgnums, { seen }, { keepalive: true }).catch(() => {});
});
