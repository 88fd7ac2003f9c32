// What is being dragged over the page, so that who lets it go somewhere need not know what it is: messages of a list
// that are dropped on a room at the side.

import { signal } from '../core/signal.js';

/** @import { Signal } from '../core/signal.js' */

/**
 * `accepts` says whether it can go to the room, `drop` brings it there.
 * @typedef {{ accepts: (room: string) => boolean, drop: (room: string) => unknown }} Dragged
 */

/** undefined where nothing is @type {Signal<Dragged | undefined>} */
export const dragged = signal(/** @type {Dragged | undefined} */ (undefined));
