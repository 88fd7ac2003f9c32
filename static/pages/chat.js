// A talk with one person by instant messages, with what has been seen of it here. The server keeps none of it.

import { isKeptOnDevice } from '../api/worker.js';
import { element } from '../core/dom.js';
import { takeFocus } from '../core/focus.js';
import { t } from '../core/i18n.js';
import { pageAddress } from '../core/router.js';
import { dayName, dayOf } from '../formats/times.js';
import { draftAt } from '../model/drafts.js';
import { sendInstant, talkWith, whenInstants } from '../model/instants.js';
import { outbox } from '../model/outbox.js';
import { isUnderWay } from '../model/outbox-store.js';
import { user } from '../model/session.js';
import { divider, isTogether, saidItem, saidLog, saidText, sayField, waitingItem } from '../ui/conversation.js';
import { paneHead } from '../ui/pane.js';
import { emptyState } from '../ui/states.js';

/** @import { Instant } from '../model/instants.js' */

/** @param {HTMLElement} host @param {string[]} args @param {AbortSignal} signal */
export function show(host, [name = ''], signal) {
  if (name === '') {
    location.replace('#/people');
    return undefined;
  }
  const { node, list: log } = saidLog();
  const empty = emptyState({ icon: 'chat', text: t('chat.nothing-with', { name }) });
  const waiting = element('ol', { class: 'pending', 'aria-label': t('outbox.title') });
  const body = element('div', { class: 'pane-body chat-log' }, node, waiting);
  const own = user.get()?.username ?? '';
  /** @type {Instant | undefined} */
  let before;

  /** @param {Instant} message */
  function add(message) {
    const day = dayOf(message.time);
    const isNewDay = !before || dayOf(before.time) !== day;
    if (isNewDay) log.append(divider(dayName(message.time)));
    const saying = { who: message.from, time: message.time };
    const isMore = !isNewDay && isTogether(before && { who: before.from, time: before.time }, saying);
    log.append(saidItem(saying, isMore, [saidText(message.text.trimEnd())]));
    before = message;
    empty.remove();
    body.scrollTop = body.scrollHeight;
  }

  /** One after the other. */
  let last = Promise.resolve();
  const field = sayField({
    label: t('chat.message-to', { name }),
    draft: draftAt('instant', name),
    send(text) {
      const said = last.then(() => sendInstant(name, text));
      last = said.catch(() => {});
      return said;
    },
  });
  const profile = { label: t('chat.profile', { name }), icon: 'person', href: pageAddress('user', name) };
  host.replaceChildren(
    element(
      'section',
      { class: 'pane', 'data-shown': true, 'aria-labelledby': 'page-title' },
      paneHead({
        title: name,
        id: 'page-title',
        sub: t(isKeptOnDevice() ? 'chat.kept' : 'chat.not-kept'),
        actions: [profile],
      }),
      body,
      element('footer', { class: 'pane-foot' }, field.problem, field.node),
    ),
  );
  if (own.toLowerCase() !== name.toLowerCase()) {
    const messages = talkWith(name);
    if (messages.length === 0) body.prepend(empty);
    for (const message of messages) add(message);
  }
  /** What was said and waits for the connection stands below what was heard. */
  function showWaiting() {
    const items = outbox.get().flatMap((entry) => {
      const { time, work } = entry;
      if (work.kind !== 'instant' || work.to !== name || !isUnderWay(entry)) return [];
      return [waitingItem({ who: own, time: time / 1000 }, work.text)];
    });
    waiting.replaceChildren(...items);
    if (items.length > 0) empty.remove();
    body.scrollTop = body.scrollHeight;
  }
  showWaiting();
  signal.addEventListener('abort', outbox.subscribe(showWaiting), { once: true });
  const end = whenInstants((messages) => {
    for (const each of messages) if (each.with.toLowerCase() === name.toLowerCase()) add(each);
  });
  signal.addEventListener('abort', end, { once: true });
  takeFocus(field.text);
  return name;
}
