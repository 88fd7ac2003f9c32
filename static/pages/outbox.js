// What was written without a connection and has not gone yet: each can be opened again, or thrown away.

import { isConnected } from '../api/connection.js';
import { element, refill } from '../core/dom.js';
import { t } from '../core/i18n.js';
import { pageAddress, routeTo } from '../core/router.js';
import { fullTime } from '../formats/times.js';
import { draftAt } from '../model/drafts.js';
import { outbox, sendAgain, throwAway, waitingEntries } from '../model/outbox.js';
import { icon } from '../ui/icon.js';
import { confirm } from '../ui/notices.js';
import { pagePane } from '../ui/pane.js';
import { emptyState } from '../ui/states.js';
import { versionsNode } from '../ui/versions.js';

/** @import { MessageWork, Written, WrittenWork } from '../model/outbox-joining.js' */

const MOST_WORDS = 200;

/** @param {HTMLElement} host @param {string[]} _args @param {AbortSignal} signal */
export function show(host, _args, signal) {
  const title = t('outbox.title');
  const list = element('ul', { class: 'stack', 'aria-label': title });
  const note = element('p', { class: 'soft' }, t('outbox.about'));
  const empty = emptyState({ icon: 'send', text: t('outbox.empty') });
  host.replaceChildren(pagePane({ title }, note, list, empty));
  const showList = () => {
    const waiting = waitingEntries();
    refill(list, waiting.map(item), host.querySelector('h1') ?? list);
    empty.hidden = waiting.length > 0;
    note.hidden = waiting.length === 0;
  };
  showList();
  const ends = [outbox.subscribe(showList), isConnected.subscribe(showList)];
  signal.addEventListener('abort', () => ends.forEach((end) => void end()));
  return title;
}

/** @param {Written} entry */
function item({ id, time, state, reason, theirs, work }) {
  const { subject, about, text = '', href } = said(work);
  const date = new Date(time);
  const isConflict = state === 'conflict';
  const isStuck = state === 'refused' || isConflict;
  const words = isConflict
    ? t('outbox.changed')
    : isStuck
      ? t('outbox.refused', { reason: reason ?? '' })
      : t(`outbox.${state}`);
  const drop = async () => {
    if (await confirm(t('outbox.throw-away-question', { subject }), t('compose.throw-away'))) await throwAway(id);
  };
  return element(
    'li',
    { class: 'card box stack', 'data-gap': '1' },
    element('h2', { class: 'section', dir: 'auto' }, subject),
    element(
      'p',
      { class: 'muted small' },
      about,
      ' · ',
      element('time', { datetime: date.toISOString() }, fullTime(date)),
    ),
    text !== '' && element('p', { dir: 'auto' }, text.trim().slice(0, MOST_WORDS)),
    element(
      'p',
      { class: isStuck ? 'error small' : 'muted small' },
      icon(isStuck ? 'warning' : 'clock', { size: 'small' }),
      ' ',
      words,
    ),
    isConflict && work.kind === 'object' && versionsNode(work.text, theirs?.text),
    state !== 'sending' &&
      element(
        'div',
        { class: 'group', 'data-gap': '2' },
        isStuck && button(t(isConflict ? 'notes.keep-own' : 'outbox.again'), 'primary', () => sendAgain(id)),
        isConflict && button(t('outbox.take-theirs'), undefined, () => throwAway(id)),
        work.kind === 'message' && button(t('outbox.open'), undefined, () => open(id, work)),
        href && element('a', { class: 'btn', href }, t('outbox.open')),
        !isConflict && button(t('compose.throw-away'), 'quiet', drop),
      ),
  );
}

/**
 * What it is, in words; `href` where it is shown.
 * @param {WrittenWork} work
 * @returns {{ subject: string, about: string, text?: string, href?: string }}
 */
function said(work) {
  const { room } = work;
  if (work.kind === 'change') return { subject: work.title, about: room };
  if (work.kind === 'move') return { subject: work.title, about: `${room} → ${work.to}`, href: routeTo(work.to) };
  if (work.kind === 'object') {
    const { text, title, place } = work;
    if (text === undefined) return { subject: title, about: `${t('outbox.delete')} · ${room}` };
    return { subject: title, about: room, href: routeTo(room, ...place) };
  }
  const first = work.text.trim().split('\n', 1)[0] || t('message.no-subject');
  if (work.kind === 'instant') {
    const { to } = work;
    return { subject: first, about: t('message.to', { names: to }), href: pageAddress('chat', to) };
  }
  const { subj, mailto, mailcc, mailbcc } = work.parameters;
  const names = [mailto, mailcc, mailbcc].filter(Boolean).join(', ') || room;
  return { subject: subj || first, about: t('message.to', { names }), text: work.text };
}

/** @param {string} label @param {string | undefined} kind @param {() => unknown} click */
const button = (label, kind, click) =>
  element('button', { type: 'button', class: 'btn', 'data-kind': kind, on: { click } }, label);

/**
 * Back into the form that it was written in: it goes when it is sent from there.
 * @param {string} id @param {MessageWork} work
 */
async function open(id, { draft, draftRoom, place }) {
  const there = draftAt(draftRoom, place);
  // something else is being written there
  if (there.read() && !(await confirm(t('compose.discard-question'), t('compose.throw-away')))) return;
  if (!there.keep(draft)) return;
  await throwAway(id);
  location.hash = place === 'chat' ? routeTo(draftRoom) : routeTo(draftRoom, ...place.split('/'));
}
