// Makes elements. Text always becomes a text node, so nothing that a member writes is ever read as HTML.

/**
 * `element('a', { href: '#/', class: 'x', on: { click } }, 'text', child)`. Properties are attributes: true sets an
 * empty one; false, null and undefined set none. Children that are false, null, undefined
 * or empty are left out.
 */
export function element(name, properties = {}, ...children) {
  const node = document.createElement(name);
  for (const [key, value] of Object.entries(properties)) {
    if (key === 'on') {
      for (const [type, listener] of Object.entries(value)) node.addEventListener(type, listener);
    } else if (value !== false && value !== null && value !== undefined) {
      node.setAttribute(key, value === true ? '' : value);
    }
  }
  node.append(...present(children));
  return node;
}

/** what renew goes into: nothing hangs on their attributes, and their listeners are the same each time */
const CONTAINERS = ['HEADER', 'SECTION', 'UL', 'DETAILS'];

/**
 * `node` gets these nodes as its children and no others. What says the same as before stays the very node that it was:
 * a click that has begun on it is not lost, and it keeps the focus.
 */
export function renew(node, children) {
  const old = [...node.childNodes];
  const places = new Map(old.map((each, place) => [wordsOf(each), place]));
  let at = 0;
  for (const child of present(children)) {
    const place = places.get(wordsOf(child));
    if (place >= at) {
      while (at < place) old[at++].remove();
      at++;
    } else if (old[at]?.nodeName === child.nodeName && CONTAINERS.includes(child.nodeName)) {
      renew(old[at++], [...child.childNodes]);
    } else {
      node.insertBefore(child, old[at] ?? null);
    }
  }
  while (at < old.length) old[at++].remove();
}

/**
 * `node` gets these nodes as its children. The focus inside goes to what is called as what had it, or `otherwise` where
 * there is no such thing any more.
 */
export function refill(node, children, otherwise) {
  const focused = node.contains(document.activeElement) ? labelOf(document.activeElement) : undefined;
  node.replaceChildren(...children);
  if (focused === undefined) return;
  const same = [...node.querySelectorAll('a, button, select')].find((each) => labelOf(each) === focused);
  (same ?? otherwise).focus();
}

const labelOf = (node) => node.ariaLabel ?? node.textContent;

const wordsOf = (node) => node.outerHTML ?? node.data;

/** Those children that are something. */
export const present = (children) =>
  children.flat().filter((child) => child !== false && child !== null && child !== undefined && child !== '');

export const byId = (id) => document.getElementById(id);

/** For those who hear the page rather than see it. */
export const hiddenText = (text) => element('span', { class: 'visually-hidden' }, text);
