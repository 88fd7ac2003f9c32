// Rows that are dragged elsewhere: what they are is said by a small sign under the pointer; where they can go is for
// others to show.

import { element } from '../../core/dom.js';
import { dragged } from '../../model/dragging.js';

/** @import { Dragged } from '../../model/dragging.js' */

/** of the sign, beside the pointer */
const OFFSET_PX = 12;

/**
 * `taken` says what goes along when one begins at a row, and how that is called.
 * @param {HTMLElement} list
 * @param {(row: Element) => { dragged: Dragged | undefined, label: string }} taken
 */
export function dragRows(list, taken) {
  list.addEventListener('dragstart', (event) => {
    const row = /** @type {Element} */ (event.target).closest('li');
    const { dragged: what, label } = row ? taken(row) : {};
    if (!what || !label || !event.dataTransfer) return;
    const sign = element('div', { class: 'drag-image card' }, label);
    list.append(sign);
    event.dataTransfer.effectAllowed = 'move';
    // the address that the link would have brought along means nothing where this goes
    event.dataTransfer.clearData();
    event.dataTransfer.setData('text/plain', label);
    event.dataTransfer.setDragImage(sign, -OFFSET_PX, OFFSET_PX);
    // it is drawn when this turn is over
    setTimeout(() => sign.remove());
    dragged.set(what);
  });
  list.addEventListener('dragend', () => dragged.set(undefined));
}
