// Makes elements. Text always becomes a text node, so nothing that a member writes is ever read as HTML.

/**
 * `element('a', { href: '#/', class: 'x', on: { click } }, 'text', child)`. Properties are attributes: true sets an empty
 * one; false, null and undefined set none. Children that are false, null, undefined
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

/** `node` gets these children and no others; those that `element` leaves out are left out. */
export function fill(node, ...children) {
  node.replaceChildren(...present(children));
}

const present = (children) =>
  children.flat().filter((child) => child !== false && child !== null && child !== undefined && child !== '');

export const byId = (id) => document.getElementById(id);

/** For those who hear the page rather than see it. */
export const hiddenText = (text) => element('span', { class: 'visually-hidden' }, text);
