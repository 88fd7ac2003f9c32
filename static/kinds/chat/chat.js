// A room as a conversation: what was said in the order of time, live, with the field to answer always in sight. What is
// said belongs to what was said before it, so that a board shows it as one talk.

import { isConnected } from '../../api/connection.js';
import { postMessage, readMessage } from '../../api/messages.js';
import { readOnline } from '../../api/people.js';
import { isConnectionProblem } from '../../api/request.js';
import { element } from '../../core/dom.js';
import { takeFocus } from '../../core/focus.js';
import { t } from '../../core/i18n.js';
import { pageAddress, routeTo } from '../../core/router.js';
import { mailBody } from '../../formats/mail-body.js';
import { draftAt } from '../../model/drafts.js';
import { messageWork, orLater, outbox, waitingMessages } from '../../model/outbox.js';
import { avatar } from '../../ui/avatar.js';
import { arrange, saidItem, saidText, sayField, waitingItem } from '../../ui/conversation.js';
import { paneHead } from '../../ui/pane.js';
import { emptyState } from '../../ui/states.js';
import { referencesOf } from '../compose/start.js';
import { attachmentField } from '../compose/uploads.js';
import { parseMessageRoute } from '../list/routes.js';
import { openListMenu } from '../list/talk-menus.js';
import { chatLog } from './log.js';

/** @import { UploadRecord } from '../../api/interface.d.ts' */
/** @import { PaneAction } from '../../ui/pane.js' */
/** @import { Mount } from '../kind.d.ts' */

/** what is said later than this after the last words begins a talk of its own */
const SAME_TALK_SECONDS = 12 * 3600;
/** from the end of the log, to which it goes on by itself */
const NEAR_END = 80;
const PLACE = 'chat';
const MOST_SUBJECT = 60;

/** @type {Mount} */
export function mount(host, context) {
  const { store, username, looks = [] } = context;
  const room = store.name;
  const ending = new AbortController();
  const body = element('div', { class: 'pane-body chat-log' });
  const pending = element('ol', { class: 'pending', 'aria-label': t('chat.sending') });
  const waiting = element('ol', { class: 'pending', 'aria-label': t('outbox.title') });
  const log = chatLog(store, body);
  const aside = element('aside', { class: 'pane', 'data-tone': 'sunken', 'aria-label': t('chat.here') });
  const foot = element('footer', { class: 'pane-foot' });
  const head = element('div', { class: 'head' });
  const pane = element('section', { class: 'pane', 'data-shown': true, 'aria-labelledby': 'room-title' });
  const panes = element('div', { class: 'panes', 'data-layout': 'aside' }, pane, aside);
  const empty = emptyState({ icon: 'chat', text: t('chat.empty') });
  pane.append(head, body, foot);
  host.replaceChildren(panes);
  const keptFiles = draftAt(room, 'chat files');
  const files = attachmentField(keptFiles.read() ?? [], keepFiles);
  /** those of what is being sent @type {UploadRecord[]} */
  let going = [];

  function keepFiles() {
    const all = [...going, ...files.records];
    if (all.length === 0) keptFiles.drop();
    else keptFiles.keep(all);
  }

  const isAtEnd = () => body.scrollHeight - body.scrollTop - body.clientHeight < NEAR_END;
  const goToEnd = () => {
    body.scrollTop = body.scrollHeight;
  };

  function showHead() {
    /** @type {PaneAction[]} */
    const actions = [...looks];
    if (!store.isGuest) {
      const isOpen = aside.hasAttribute('data-shown') || (!isNarrow() && !aside.hidden);
      actions.unshift({ label: t('chat.here'), icon: 'people', isPressed: isOpen, run: togglePeople });
      actions.push({
        label: t('list.more'),
        icon: 'more',
        hasMenu: true,
        run: (button) => openListMenu(button, store),
      });
    }
    const sub = store.banner.trim().split('\n', 1)[0] || t('list.count', { count: store.total });
    head.replaceChildren(paneHead({ title: room, id: 'room-title', sub, actions }));
    const isAway = pane.hasAttribute('data-shown') === false;
    context.setBar({
      title: isAway ? t('chat.here') : room,
      ...(isAway && { back: { href: routeTo(room), label: room } }),
      actions,
    });
  }

  /** no room for more than one pane */
  const isNarrow = () =>
    panes.dataset.layout !== '' && getComputedStyle(panes).gridTemplateColumns.split(' ').length === 1;

  /** Beside the log on a desk, in its place where there is no room for both. */
  function togglePeople() {
    if (isNarrow()) {
      const isShown = aside.toggleAttribute('data-shown');
      aside.hidden = false;
      pane.toggleAttribute('data-shown', !isShown);
    } else {
      aside.hidden = !aside.hidden;
      panes.dataset.layout = aside.hidden ? '' : 'aside';
    }
    showHead();
  }

  async function showPeople() {
    const people = store.isGuest ? [] : await readOnline(ending.signal).catch(() => []);
    const names = [...new Set(people.map((person) => person.username))].sort((a, b) => a.localeCompare(b));
    aside.replaceChildren(
      element(
        'div',
        { class: 'pane-body today' },
        element(
          'h2',
          { class: 'section' },
          `${t('chat.here')} `,
          element('span', { class: 'muted' }, String(names.length)),
        ),
        element(
          'ul',
          {},
          names.map((name) =>
            element(
              'li',
              { class: 'check-row' },
              avatar(name, { isOnline: true }),
              name === username
                ? element('bdi', { class: 'grow' }, name)
                : element('a', { class: 'grow plain', href: pageAddress('chat', name) }, element('bdi', {}, name)),
            ),
          ),
        ),
      ),
    );
  }

  /** @param {number} msgnum */
  const readBefore = (msgnum) =>
    readMessage(room, msgnum, { isPlain: true }).catch((problem) => {
      if (isConnectionProblem(problem)) return {};
      throw problem;
    });

  /** Throws Problem. @param {string} text @param {string} att */
  async function post(text, att) {
    const last = store.rows.at(-1);
    // words without a subject were said in a chat, too
    const isSame = last && last.subject === '' && Date.now() / 1000 - last.time < SAME_TALK_SECONDS;
    // without a connection it is said all the same, and begins a talk of its own
    const wefw = isSame && isConnected.get() ? referencesOf(await readBefore(last.msgnum)) : '';
    const subj = store.info.is_subject_required ? text.split('\n', 1)[0].slice(0, MOST_SUBJECT) : '';
    const content = mailBody({ text });
    const own = await orLater(
      () =>
        messageWork({
          room,
          parameters: { subj, wefw, att },
          text,
          content,
          above: store.highest,
          draft: { name: '', type: '', text },
          draftRoom: room,
          place: PLACE,
        }),
      () => postMessage(room, { subj, wefw, att }, content),
      room,
    );
    if (own !== undefined) await store.refresh();
  }

  /** What was said and waits for the connection stands below what was heard. */
  function showWaiting() {
    const here = waitingMessages().filter(({ work }) => work.room === room && work.place === PLACE);
    waiting.replaceChildren(
      ...here.map(({ time, work }) => waitingItem({ who: username, time: time / 1000 }, work.text)),
    );
    if (here.length > 0 && !waiting.isConnected) refresh();
  }

  /** One after the other, in the order in which they were said. */
  let last = Promise.resolve();

  /** @param {string} text @param {string} att */
  function say(text, att) {
    const item = saidItem({ who: username, time: Date.now() / 1000 }, false, [saidText(text)]);
    item.setAttribute('aria-busy', 'true');
    pending.append(item);
    log.node.after(waiting, pending);
    empty.remove();
    goToEnd();
    const said = last
      .then(() => post(text, att))
      .finally(() => item.remove())
      .then(() => {
        log.refresh();
        goToEnd();
      });
    last = said.catch(() => {});
    return said;
  }

  function showField() {
    if (!store.canPost) {
      foot.replaceChildren(element('p', { class: 'muted' }, t('chat.read-only')));
      return;
    }
    const field = sayField({
      label: t('chat.message-to', { name: room }),
      draft: draftAt(room, PLACE),
      isReady: () => files.records.length > 0,
      async send(text) {
        // why is told in the row of the file
        if (!(await files.settled())) return false;
        const taken = files.take();
        going.push(...taken);
        try {
          await say(text, taken.map(({ ref }) => ref).join('!'));
        } catch (problem) {
          files.putBack(taken);
          throw problem;
        } finally {
          going = going.filter((each) => !taken.includes(each));
          keepFiles();
        }
        return true;
      },
      extra: files.button,
    });
    foot.replaceChildren(files.list, field.problem, field.node);
  }

  function readAll() {
    if (document.visibilityState !== 'visible' || store.unread === 0 || store.isGuest || !isAtEnd()) return;
    store.setAllSeen().catch(() => {});
  }

  body.addEventListener('scroll', readAll, { passive: true });
  document.addEventListener('visibilitychange', readAll, { signal: ending.signal });
  showField();
  showPeople();
  showHead();
  showWaiting();
  const endWaiting = outbox.subscribe(showWaiting);

  function refresh() {
    log.refresh();
    const count = store.rows.length + pending.childElementCount + waiting.childElementCount;
    arrange(body, count > 0 ? [log.node, waiting, pending] : [empty]);
  }

  return {
    parseRoute: parseMessageRoute,
    async show() {
      aside.removeAttribute('data-shown');
      pane.setAttribute('data-shown', '');
      showHead();
      refresh();
      log.goToNew() || goToEnd();
      readAll();
      takeFocus(foot.querySelector('textarea') ?? head.querySelector('h1'), { preventScroll: true });
      return undefined;
    },
    update(delta) {
      const wasAtEnd = isAtEnd();
      refresh();
      if (wasAtEnd && delta.added.length > 0) goToEnd();
      readAll();
    },
    unmount() {
      ending.abort();
      endWaiting();
      log.end();
    },
    commands: [
      {
        id: 'back',
        label: t('command.back'),
        group: t('commands.messages'),
        keys: ['u', 'Escape'],
        icon: 'arrow-left',
        run: context.leaveRoom,
      },
      {
        id: 'reply',
        label: t('chat.say'),
        group: t('commands.messages'),
        keys: ['r', 'c'],
        icon: 'chat',
        run: () => foot.querySelector('textarea')?.focus(),
        isReady: () => store.canPost,
      },
    ],
  };
}
