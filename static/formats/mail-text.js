// Plain text of mail: quoting it in an answer, telling what is quoted from what is new, finding links; and which
// messages are one conversation (RFC 5322 section 3.6.4, much as JWZ described).

import { safeAddress, withoutSigns } from './rich-text.js';

/** levels of `>` that are told apart */
const MAX_LEVELS = 32;

/** With `> ` before each line; what was quoted already gets no blank. @param {string} text */
export function quoteText(text) {
  const lines = text.replaceAll('\r\n', '\n').trimEnd().split('\n');
  return lines.map((line) => (line === '' || line.startsWith('>') ? `>${line}` : `> ${line}`)).join('\n');
}

/** `Re: ` once, whatever signs of an answer stand there. @param {string} subject */
export const replySubject = (subject) => `Re: ${bareSubject(subject)}`;

/** @param {string} subject */
export const forwardSubject = (subject) => `Fwd: ${bareSubject(subject)}`;

/** Whether it says that the message goes on to others. @param {string} subject */
export const isForwardSubject = (subject) => /^\s*(?:fwd?|wg|tr|rv):/iu.test(subject);

/** Without the signs of answers and forwards in the four languages. @param {string} subject */
export function bareSubject(subject) {
  let rest = subject.trim();
  for (let i = 0; i < MAX_LEVELS; i++) {
    const match = /^(?:re|aw|antw|sv|fwd?|wg|tr|rv|réf|res)(?:\[\d{1,3}\])?:\s*/iu.exec(rest);
    if (!match) break;
    rest = rest.slice(match[0].length);
  }
  return rest;
}

/**
 * The text in pieces: what is new (level 0), and what is quoted with the line that leads to it.
 * @param {string} text
 * @returns {{ level: number, text: string }[]}
 */
export function splitQuotes(text) {
  /** @type {{ level: number, lines: string[] }[]} */
  const pieces = [];
  for (const line of text.replaceAll('\r\n', '\n').split('\n')) {
    const { level, rest } = levelOf(line);
    const last = pieces.at(-1);
    if (last?.level === level) last.lines.push(rest);
    else pieces.push({ level, lines: [rest] });
  }
  return pieces.map(({ level, lines }) => ({ level, text: lines.join('\n') }));
}

/** @param {string} line */
function levelOf(line) {
  let level = 0;
  let at = 0;
  while (level < MAX_LEVELS && line[at] === '>') {
    level++;
    at += line[at + 1] === ' ' ? 2 : 1;
  }
  return { level, rest: level === 0 ? line : line.slice(at) };
}

/**
 * Where the quoted rest begins that an answer ends with, its leading line (`On … wrote:`) included; the length of the
 * text where there is none.
 * @param {string} text
 */
export function quotedTail(text) {
  const lines = text.split('\n');
  let first = lines.length;
  while (first > 0 && (lines[first - 1].startsWith('>') || lines[first - 1].trim() === '')) first--;
  const isQuoted = lines.slice(first).some((line) => line.startsWith('>'));
  if (!isQuoted) return text.length;
  if (first > 0 && /:\s{0,2}$/.test(lines[first - 1].slice(-4))) first--;
  return lines.slice(0, first).join('\n').length;
}

/** Text and links, in order. @param {string} text @returns {(string | { href: string, text: string })[]} */
export function linkify(text) {
  /** @type {(string | { href: string, text: string })[]} */
  const pieces = [];
  let end = 0;
  for (const { 0: found, index } of text.matchAll(/(?:https?:\/\/|mailto:|www\.)[^\s<>"]+/gi)) {
    const words = withoutSigns(found);
    const href = safeAddress(/^www\./i.test(words) ? `https://${words}` : words);
    if (!href || /[\w@.]/.test(text[index - 1] ?? ' ')) continue;
    if (index > end) pieces.push(text.slice(end, index));
    pieces.push({ href, text: words });
    end = index + words.length;
  }
  if (end < text.length) pieces.push(text.slice(end));
  return pieces;
}

/**
 * @typedef {object} MailRow what a list knows of a message
 * @property {number} number
 * @property {string} id Message-ID, '' where it has none
 * @property {readonly string[]} references of the header and In-Reply-To, the oldest first
 * @property {string} subject
 */
/** @typedef {{ key: string, numbers: number[] }} Conversation oldest first, by number */

/**
 * Rows that belong together, in the order in which each conversation was last written to, the oldest first. By
 * references; an answer whose references are all gone is with what has its subject. Linear in rows and references.
 * @param {readonly MailRow[]} rows
 * @returns {Conversation[]}
 */
export function conversations(rows) {
  /** @type {Map<string, string>} */
  const parents = new Map();
  const rootOf = (/** @type {string} */ id) => {
    let root = id;
    for (let next = parents.get(root); next !== undefined && next !== root; next = parents.get(root)) root = next;
    // the next search takes one step
    for (let each = id; each !== root; ) {
      const next = parents.get(each) ?? root;
      parents.set(each, root);
      each = next;
    }
    return root;
  };
  const join = (/** @type {string} */ one, /** @type {string} */ other) => parents.set(rootOf(other), rootOf(one));
  const keyOf = (/** @type {MailRow} */ row) => (row.id === '' ? `#${row.number}` : row.id);
  /** @type {Map<string, string>} */
  const subjects = new Map();
  const ordered = [...rows].sort((one, other) => one.number - other.number);
  const known = new Set(ordered.map(keyOf));
  for (const row of ordered) {
    const key = keyOf(row);
    for (const reference of row.references) join(reference, key);
    const subject = bareSubject(row.subject).toLowerCase();
    const isAnswer = row.subject.trim().toLowerCase() !== subject;
    const before = subjects.get(subject);
    const isLost = !row.references.some((reference) => known.has(reference));
    if (before !== undefined && isAnswer && isLost && subject !== '') join(before, key);
    if (!subjects.has(subject)) subjects.set(subject, key);
  }
  /** @type {Map<string, Conversation>} */
  const found = new Map();
  for (const row of ordered) {
    const root = rootOf(keyOf(row));
    const conversation = found.get(root) ?? { key: root, numbers: [] };
    conversation.numbers.push(row.number);
    // the last written to stands last
    found.delete(root);
    found.set(root, conversation);
  }
  return [...found.values()];
}
