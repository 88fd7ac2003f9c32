// Makes elements. Text always becomes a text node, so nothing that a member writes is ever read as HTML.

/** @typedef {{ [T in keyof HTMLElementEventMap]?: (event: HTMLElementEventMap[T]) => unknown }} Listeners */
/** @typedef {string | number | boolean | null | undefined} Attribute */
/** @typedef {{ on?: Listeners, [attribute: string]: Attribute | Listeners }} Properties */
/** @typedef {false | null | undefined | ''} Nothing */
/** @typedef {Node | string | Nothing} Child */
/** @typedef {HTMLInputElement | HTMLSelectElement | HTMLTextAreaElement} Control */

/**
 * `element('a', { href: '#/', class: 'x', on: { click } }, 'text', child)`. Properties are attributes: true sets an
 * empty one; false, null and undefined set none. Children that are false, null, undefined
 * or empty are left out.
 * @template {keyof HTMLElementTagNameMap} N
 * @param {N} name
 * @param {Properties} [properties]
 * @param {(Child | Child[])[]} children
 */
export function element(name, { on = {}, ...attributes } = {}, ...children) {
  const node = document.createElement(name);
  const listeners = /** @type {[string, EventListener][]} */ (Object.entries(on));
  for (const [type, listener] of listeners) node.addEventListener(type, listener);
  for (const [key, value] of Object.entries(attributes)) {
    if (value !== false && value !== null && value !== undefined) {
      node.setAttribute(key, value === true ? '' : String(value));
    }
  }
  node.append(...present(children));
  return node;
}

/** what renew goes into: their listeners are the same each time */
const CONTAINERS = ['HEADER', 'SECTION', 'UL', 'DETAILS'];

/**
 * `node` gets these nodes as its children and no others. What says the same as before stays the very node that it was:
 * a click that has begun on it is not lost, and it keeps the focus.
 * @param {Node} node @param {(Node | Nothing | (Node | Nothing)[])[]} children
 */
export function renew(node, children) {
  const old = [...node.childNodes];
  const places = new Map(old.map((each, place) => [wordsOf(each), place]));
  const fresh = present(children);
  const stay = new Set(fresh.map(wordsOf));
  let at = 0;
  for (const child of fresh) {
    const place = places.get(wordsOf(child));
    if (place !== undefined && place >= at) {
      while (at < place) old[at++].remove();
      at++;
    } else if (old[at]?.nodeName === child.nodeName && CONTAINERS.includes(child.nodeName)) {
      copyAttributes(/** @type {Element} */ (child), /** @type {Element} */ (old[at]));
      renew(old[at++], [...child.childNodes]);
    } else if (old[at]?.nodeName === child.nodeName && !stay.has(wordsOf(old[at]))) {
      /** @type {ChildNode} */ (old[at++]).replaceWith(child);
    } else {
      node.insertBefore(child, old[at] ?? null);
    }
  }
  while (at < old.length) old[at++].remove();
}

/** @param {Element} from @param {Element} to */
function copyAttributes(from, to) {
  for (const { name, value } of from.attributes) if (to.getAttribute(name) !== value) to.setAttribute(name, value);
  for (const { name } of [...to.attributes]) if (!from.hasAttribute(name)) to.removeAttribute(name);
}

/**
 * `node` gets these nodes as its children. The focus inside goes to what is called as what had it, or `otherwise` where
 * there is no such thing any more.
 * @param {HTMLElement} node
 * @param {Node[]} children
 * @param {HTMLElement} otherwise
 */
export function refill(node, children, otherwise) {
  const active = document.activeElement;
  const focused = active && node.contains(active) ? labelOf(active) : undefined;
  node.replaceChildren(...children);
  if (focused === undefined) return;
  const same = [...queryAll(node, 'a, button, select')].find((each) => labelOf(each) === focused);
  (same ?? otherwise).focus();
}

/** @param {Element} node */
const labelOf = (node) => node.ariaLabel ?? node.textContent;

/** @param {Node} node */
const wordsOf = (node) => (node instanceof Element ? node.outerHTML : node.textContent);

/**
 * Those children that are something.
 * @template {Node | string} C
 * @param {(C | Nothing | (C | Nothing)[])[]} children
 */
export const present = (children) =>
  /** @type {C[]} */ (
    children.flat().filter((child) => child !== false && child !== null && child !== undefined && child !== '')
  );

/** An element that is there wherever this is called. @param {string} id */
export const byId = (id) => /** @type {HTMLElement} */ (document.getElementById(id));

/** As querySelector does. @param {ParentNode} node @param {string} selector @returns {HTMLElement | null} */
export const query = (node, selector) => node.querySelector(selector);

/** As querySelectorAll does. @param {ParentNode} node @param {string} selector @returns {NodeListOf<HTMLElement>} */
export const queryAll = (node, selector) => node.querySelectorAll(selector);

/**
 * For those who hear the page rather than see it.
 * @param {string} text
 */
export const hiddenText = (text) => element('span', { class: 'visually-hidden' }, text);
