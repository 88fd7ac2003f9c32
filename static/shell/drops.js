// Messages that are dropped on a room at the side: the rooms that take them say so while they are dragged, and a folded
// floor unfolds when one waits above it.

import { queryAll } from '../core/dom.js';
import { dragged } from '../model/dragging.js';

/** above a floor until it unfolds */
const UNFOLD_MS = 600;

/** @param {HTMLElement} rooms */
export function takeDrops(rooms) {
  /** @type {HTMLElement | undefined} */
  let over;
  /** @type {Element | undefined} */
  let waiting;
  let timer = 0;

  /** @param {HTMLElement | undefined} link */
  function setOver(link) {
    if (link === over) return;
    over?.removeAttribute('data-over');
    link?.setAttribute('data-over', '');
    over = link;
  }

  /** @param {Element | undefined} floor that is folded */
  function wait(floor) {
    if (floor === waiting) return;
    clearTimeout(timer);
    waiting = floor;
    if (floor) timer = window.setTimeout(() => floor.setAttribute('open', ''), UNFOLD_MS);
  }

  /** @param {DragEvent} event @returns {HTMLElement | undefined} the room that takes it */
  function targetOf({ target }) {
    const link = /** @type {Element} */ (target).closest('a[data-room]');
    const isTaken = link instanceof HTMLElement && dragged.get()?.accepts(link.dataset.room ?? '');
    return isTaken ? link : undefined;
  }

  rooms.addEventListener('dragover', (event) => {
    if (!dragged.get()) return;
    const link = targetOf(event);
    setOver(link);
    wait(/** @type {Element} */ (event.target).closest('details:not([open]) > summary')?.parentElement ?? undefined);
    if (!link || !event.dataTransfer) return;
    event.preventDefault();
    event.dataTransfer.dropEffect = 'move';
  });
  rooms.addEventListener('dragleave', (event) => {
    if (rooms.contains(/** @type {Node | null} */ (event.relatedTarget))) return;
    setOver(undefined);
    wait(undefined);
  });
  rooms.addEventListener('drop', (event) => {
    const what = dragged.get();
    const link = targetOf(event);
    if (!what || !link) return;
    event.preventDefault();
    // the list that it came from is about to change, and would not tell that this is over
    dragged.set(undefined);
    what.drop(link.dataset.room ?? '');
  });
  dragged.subscribe((what) => {
    setOver(undefined);
    wait(undefined);
    rooms.toggleAttribute('data-dropping', what !== undefined);
    for (const link of queryAll(rooms, 'a[data-room]')) {
      link.toggleAttribute('data-takes', what?.accepts(link.dataset.room ?? '') ?? false);
    }
  });
}
