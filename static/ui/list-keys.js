// Moving along a list of links with the arrow keys, j and k, Home and End. Only while the list has the focus: letters
// that work everywhere get in the way of speech input (WCAG 2.1.4).

/** @param {KeyboardEvent} event @param {HTMLElement[]} links */
export function moveInList(event, links) {
  if (event.ctrlKey || event.altKey || event.metaKey) return;
  const target = /** @type {HTMLElement} */ (event.target).closest('a');
  const at = target ? links.indexOf(target) : -1;
  const wanted = placeFor(event.key, at, links.length);
  if (wanted === undefined || at < 0) return;
  event.preventDefault();
  const link = links[Math.max(0, Math.min(wanted, links.length - 1))];
  for (const each of links) each.tabIndex = each === link ? 0 : -1;
  link.focus();
}

/** @param {string} key @param {number} at @param {number} length */
function placeFor(key, at, length) {
  if (key === 'ArrowDown' || key === 'j') return at + 1;
  if (key === 'ArrowUp' || key === 'k') return at - 1;
  if (key === 'Home') return 0;
  if (key === 'End') return length - 1;
  return undefined;
}
