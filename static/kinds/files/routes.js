// What the address says behind a room of files: '' and 'folder/Minutes/2026' folders, 'file/Minutes/May.odt' a file,
// '12' the file that is the message 12, as search and the inbox name it.

import { routeTo } from '../../core/router.js';

/** @typedef {{ page: 'folder' | 'file', path: string } | { page: 'message', msgnum: number }} FileRoute */

/** @param {string[]} rest @returns {FileRoute | undefined} */
export function parseFileRoute([place = '', ...segments]) {
  if (place === '') return { page: 'folder', path: '' };
  if (/^[1-9]\d*$/.test(place)) return { page: 'message', msgnum: Number(place) };
  const names = segments.filter((name) => name !== '');
  if (place === 'folder') return { page: place, path: names.map((name) => `${name}/`).join('') };
  return place === 'file' && names.length > 0 ? { page: place, path: names.join('/') } : undefined;
}

/** @param {string} room @param {string} path that of a folder ends with a slash */
export function addressOf(room, path) {
  if (path === '') return routeTo(room);
  const isFolder = path.endsWith('/');
  return routeTo(room, isFolder ? 'folder' : 'file', ...path.replace(/\/$/, '').split('/'));
}

/** The room and the folders down to this one. @param {string} room @param {string} path of a folder */
export function wayTo(room, path) {
  const names = path.split('/').filter(Boolean);
  const steps = names.map((label, i) => ({ label, href: addressOf(room, `${names.slice(0, i + 1).join('/')}/`) }));
  return [{ label: room, href: routeTo(room) }, ...steps];
}
