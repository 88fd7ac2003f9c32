// What was written without a connection and has not gone yet: each can be opened again, or thrown away.

import { isConnected } from '../api/connection.js';
import { element, refill } from '../core/dom.js';
import { t } from '../core/i18n.js';
import { routeTo } from '../core/router.js';
import { fullTime } from '../formats/times.js';
import { keepDraft } from '../model/drafts.js';
import { outbox, sendAgain, throwAway, waitingMessages } from '../model/outbox.js';
import { user } from '../model/session.js';
import { icon } from '../ui/icon.js';
import { confirm } from '../ui/notices.js';
import { pagePane } from '../ui/pane.js';
import { emptyState } from '../ui/states.js';

/** @import { Entry } from '../model/outbox-store.js' */
/** @import { MessageWork } from '../model/outbox.js' */

/** @typedef {Entry & { work: MessageWork }} Waiting */

const MOST_WORDS = 200;

/** @param {HTMLElement} host @param {string[]} _args @param {AbortSignal} signal */
export function show(host, _args, signal) {
  const title = t('outbox.title');
  const list = element('ul', { class: 'stack', 'aria-label': title });
  const note = element('p', { class: 'soft' }, t('outbox.about'));
  const empty = emptyState({ icon: 'send', text: t('outbox.empty') });
  host.replaceChildren(pagePane({ title }, note, list, empty));
  const showList = () => {
    const waiting = waitingMessages();
    refill(list, waiting.map(item), host.querySelector('h1') ?? list);
    empty.hidden = waiting.length > 0;
    note.hidden = waiting.length === 0;
  };
  showList();
  const ends = [outbox.subscribe(showList), isConnected.subscribe(showList)];
  signal.addEventListener('abort', () => ends.forEach((end) => void end()));
  return title;
}

/** @param {Waiting} entry */
function item({ id, time, state, reason, work }) {
  const { parameters, text, room } = work;
  const subject = parameters.subj || text.trim().split('\n', 1)[0] || t('message.no-subject');
  const to = [parameters.mailto, parameters.mailcc, parameters.mailbcc].filter(Boolean).join(', ') || room;
  const date = new Date(time);
  const isStuck = state === 'refused';
  const said = isStuck ? t('outbox.refused', { reason: reason ?? '' }) : t(`outbox.${state}`);
  return element(
    'li',
    { class: 'card box stack', 'data-gap': '1' },
    element('h2', { class: 'section', dir: 'auto' }, subject),
    element(
      'p',
      { class: 'muted small' },
      t('message.to', { names: to }),
      ' · ',
      element('time', { datetime: date.toISOString() }, fullTime(date)),
    ),
    element('p', { dir: 'auto' }, text.trim().slice(0, MOST_WORDS)),
    element(
      'p',
      { class: isStuck ? 'error small' : 'muted small' },
      icon(isStuck ? 'warning' : 'clock', { size: 'small' }),
      ' ',
      said,
    ),
    state !== 'sending' &&
      element(
        'div',
        { class: 'group', 'data-gap': '2' },
        isStuck && button(t('outbox.again'), 'primary', () => sendAgain(id)),
        button(t('outbox.open'), undefined, () => open({ id, work })),
        button(t('compose.throw-away'), 'quiet', async () => {
          if (await confirm(t('outbox.throw-away-question', { subject }), t('compose.throw-away'))) await throwAway(id);
        }),
      ),
  );
}

/** @param {string} label @param {string | undefined} kind @param {() => unknown} click */
const button = (label, kind, click) =>
  element('button', { type: 'button', class: 'btn', 'data-kind': kind, on: { click } }, label);

/**
 * Back into the form that it was written in: it goes when it is sent from there.
 * @param {Pick<Waiting, 'id' | 'work'>} entry
 */
async function open({ id, work: { draft, draftRoom, place } }) {
  keepDraft(user.get()?.username ?? '', draftRoom, place, draft);
  await throwAway(id);
  location.hash = place === 'chat' ? routeTo(draftRoom) : routeTo(draftRoom, ...place.split('/'));
}
