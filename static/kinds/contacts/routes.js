// What the address says behind an address book: '' the list, '12' the contact that is the message 12, 'card/UID' one,
// 'card/UID/edit' its form, 'new/Ruth Feld/ruth@x.example' a new one, filled in, 'new-group' a new group.

/**
 * @typedef {{ page: 'list' } | { page: 'number', msgnum: number } | { page: 'card' | 'edit', uid: string }
 *   | { page: 'new' | 'new-group', name: string, address: string }} ContactRoute
 */

/** @param {string[]} rest @returns {ContactRoute} */
export function parseRoute([first, second = '', third = '']) {
  if (first === 'new' || first === 'new-group') return { page: first, name: second, address: third };
  if (first === 'card' && second !== '') return { page: third === 'edit' ? 'edit' : 'card', uid: second };
  return /^[1-9]\d*$/.test(first ?? '') ? { page: 'number', msgnum: Number(first) } : { page: 'list' };
}
