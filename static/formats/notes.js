// Notes of a notes room (vNote 1.1), and journal entries of iCalendar where programs keep notes in those.

import { escapeText, makeLine, parseObject, writeComponent } from '../../src/mime/objects/components.ts';
import { ContentLine, lineOf, parseComponents, textOf } from '../../src/mime/objects/content-lines.ts';
import { stamped } from './calendar-fields.js';
import { withLineAt, withText, withValue } from './lines.js';
import { rewritten } from './rewrite.js';

/** @typedef {import('../../src/mime/objects/content-lines.ts').Component} Component */
/** @typedef {{ uid: string, title: string, text: string, colour: string, isPinned: boolean }} Note */

/** what vNote has no property for */
const COLOUR = 'X-OUTLOOK-COLOR';
const PINNED = 'X-PINNED';
/** characters of a line of quoted-printable (RFC 2045 section 6.7), with room for the sign of its end */
const LINE = 72;

/** Undefined for what is no note. @param {string} source @returns {Note | undefined} */
export function readNote(source) {
  const found = noteIn(parseComponents(source));
  if (!found) return undefined;
  const text = textOf(found, found.name === 'VNOTE' ? 'BODY' : 'DESCRIPTION');
  const title = textOf(found, 'SUMMARY') || (text.split('\n', 1)[0] ?? '');
  const isPinned = textOf(found, PINNED).toUpperCase() === 'TRUE';
  return { uid: textOf(found, 'UID'), title, text, colour: textOf(found, COLOUR), isPinned };
}

/** @param {Partial<Omit<Note, 'uid'>>} fields @param {{ uid?: string }} [options] */
export function newNote(fields, { uid = crypto.randomUUID() } = {}) {
  const lines = [makeLine('VERSION', '1.1'), makeLine('UID', uid)];
  return { uid, text: writeComponent(withNote({ name: 'VNOTE', lines, components: [] }, fields)) };
}

/**
 * Undefined for what is no note.
 * @param {string} source @param {Partial<Omit<Note, 'uid'>>} change @param {number} [now] Unix seconds
 */
export function changeNote(source, change, now = Date.now() / 1000) {
  const object = parseObject(source).object;
  const found = object && noteIn([object]);
  if (!object || !found) return undefined;
  if (found === object) return rewritten(source, withNote(object, change));
  let entry = found;
  if (change.title !== undefined) entry = withText(entry, 'SUMMARY', change.title);
  if (change.text !== undefined) entry = withText(entry, 'DESCRIPTION', change.text);
  entry = withMarks(entry, change);
  const components = object.components.map((one) => (one === found ? stamped(entry, now) : one));
  return rewritten(source, { ...object, components });
}

/** @param {readonly Component[]} roots */
function noteIn(roots) {
  return [...roots, ...roots.flatMap(({ components }) => components)].find(
    ({ name }) => name === 'VNOTE' || name === 'VJOURNAL',
  );
}

/** @param {Component} note @param {Partial<Omit<Note, 'uid'>>} fields */
function withNote(note, { title, text, ...marks }) {
  let changed = note;
  if (title !== undefined) changed = withLineAt(changed, lineOf(changed, 'SUMMARY'), codedLine('SUMMARY', title));
  if (text !== undefined) changed = withLineAt(changed, lineOf(changed, 'BODY'), codedLine('BODY', text));
  return withMarks(changed, marks);
}

/** @param {Component} note @param {Partial<Omit<Note, 'uid'>>} fields */
function withMarks(note, { colour, isPinned }) {
  let changed = note;
  if (colour !== undefined) changed = withValue(changed, COLOUR, colour);
  if (isPinned !== undefined) changed = withValue(changed, PINNED, isPinned ? 'TRUE' : '');
  return changed;
}

/**
 * Programs of vNote fold no lines: long ones and all but ASCII are quoted-printable.
 * @param {string} name @param {string} text
 */
export function codedLine(name, text) {
  if (text.length <= LINE && /^[\x20-\x7e]*$/.test(text)) return makeLine(name, escapeText(text));
  const bytes = new TextEncoder().encode(escapeText(text).replaceAll('\\n', '\r\n'));
  const head = `${name};CHARSET=UTF-8;ENCODING=QUOTED-PRINTABLE:`;
  const pieces = [head];
  let width = head.length;
  for (const byte of bytes) {
    const isPlain = byte > 32 && byte < 127 && byte !== 61;
    const piece = isPlain ? String.fromCharCode(byte) : `=${byte.toString(16).toUpperCase().padStart(2, '0')}`;
    if (width + piece.length > LINE) {
      pieces.push('=\r\n');
      width = 0;
    }
    pieces.push(piece);
    width += piece.length;
  }
  return ContentLine.read(pieces.join('')) ?? makeLine(name, escapeText(text));
}
