// A note on the board, as it is read.

import { element } from '../../core/dom.js';
import { t } from '../../core/i18n.js';
import { dayName, fullTime } from '../../formats/times.js';
import { icon } from '../../ui/icon.js';
import { waitingMark } from '../../ui/waiting.js';
import { hueOfColour } from './colours.js';

/** @typedef {import('../../formats/notes.js').Note} Note */

/** characters of a note that the board shows */
const MOST_SHOWN = 1200;
const ITEM = /^\s*[-*•]\s+/;

/**
 * @param {Note} note
 * @param {{ key: string, href: string, author: string, time: number, isWaiting: boolean }} about time in Unix seconds,
 * 0 where it is unknown; isWaiting for the connection
 */
export function sticky(note, { key, href, author, time, isWaiting }) {
  const text = note.text.length > MOST_SHOWN ? `${note.text.slice(0, MOST_SHOWN)} …` : note.text;
  // a note of one line that has no title of its own says it once
  const body = note.title === text.split('\n', 1)[0] ? text.slice(note.title.length).trim() : text.trim();
  return element(
    'a',
    { class: 'sticky', href, 'data-hue': hueOfColour(note.colour), 'data-key': key },
    element('h3', { dir: 'auto' }, note.title || t('notes.untitled')),
    body !== '' && element('div', { dir: 'auto' }, paragraphs(body)),
    element(
      'footer',
      {},
      note.isPinned && icon('pin', { size: 'small', label: t('notes.pinned') }),
      isWaiting && waitingMark(),
      author !== '' && element('bdi', {}, author),
      time > 0 && element('time', { class: 'push', title: fullTime(new Date(time * 1000)) }, dayName(time)),
    ),
  );
}

/** Lines that begin with a dash are a list. @param {string} text */
function paragraphs(text) {
  const nodes = [];
  /** @type {string[]} */
  let lines = [];
  /** @type {HTMLElement | undefined} */
  let list;
  const end = () => {
    if (lines.length > 0) nodes.push(element('p', {}, lines.join('\n')));
    lines = [];
  };
  for (const line of text.split('\n')) {
    if (ITEM.test(line)) {
      end();
      if (!list) nodes.push((list = element('ul')));
      list.append(element('li', {}, line.replace(ITEM, '')));
    } else {
      list = undefined;
      lines.push(line);
    }
  }
  end();
  return nodes;
}
