// What was said in a room: the latest of it, more of what was before as the reader goes up. The text of each comes when
// it is in sight; until then its first line stands there.

import { readMessage } from '../../api/messages.js';
import { element, query } from '../../core/dom.js';
import { t } from '../../core/i18n.js';
import { routeTo } from '../../core/router.js';
import { dayName, dayOf } from '../../formats/times.js';
import { arrange, divider, isTogether, saidItem, saidLog, saidText } from '../../ui/conversation.js';
import { openMenu } from '../../ui/menu.js';
import { actionButton } from '../../ui/pane.js';
import { deleteMessages } from '../list/actions.js';
import { attachments } from '../message/files.js';
import { showSource } from '../message/source.js';

/** @import { MailboxEntry as Row } from '../../api/interface.d.ts' */
/** @import { RoomStore } from '../../model/room-store.js' */

/** messages at a time */
const STEP = 60;
/** from the top of the log, where more is fetched */
const NEAR_TOP = 300;
/** until a text that could not be read is asked for again */
const AGAIN_MS = 5000;

/** @param {RoomStore} store @param {HTMLElement} scroller */
export function chatLog(store, scroller) {
  const { node, list } = saidLog();
  /** @type {Map<number, { item: HTMLElement, isMore: boolean, content: HTMLElement }>} */
  const items = new Map();
  /** @type {Map<string, HTMLElement>} */
  const dividers = new Map();
  const firstNew = store.isGuest ? undefined : store.rows.find((row) => !row.seen)?.msgnum;
  let shown = STEP;
  let isLoading = false;
  let isOver = false;
  const inSight = new IntersectionObserver(
    (entries) => {
      for (const { target, isIntersecting } of entries) {
        if (!isIntersecting) continue;
        inSight.unobserve(target);
        fill(/** @type {HTMLElement} */ (target));
      }
    },
    { root: scroller, rootMargin: '400px 0px' },
  );

  /** Its text as it was written; where it cannot be had the first line stays. @param {HTMLElement} content */
  async function fill(content) {
    const msgnum = Number(content.dataset.msgnum);
    try {
      const message = await readMessage(store.name, msgnum, { isPlain: true });
      const files = attachments(store.name, message);
      const wasAtEnd = scroller.scrollHeight - scroller.scrollTop - scroller.clientHeight < 2;
      content.replaceChildren(...subjectOf(content), saidText(message.text.trimEnd()), ...(files ? [files] : []));
      if (wasAtEnd) scroller.scrollTop = scroller.scrollHeight;
    } catch {
      // what is in sight is told of at once
      setTimeout(() => isOver || inSight.observe(content), AGAIN_MS);
    }
  }

  /** @param {HTMLElement} content @returns {HTMLElement[]} */
  const subjectOf = (content) =>
    [...content.querySelectorAll('.said-subject')].map((each) => /** @type {HTMLElement} */ (each));

  /** @param {Row} row */
  function contentOf(row) {
    const subject =
      row.subject !== '' &&
      !/^re:/i.test(row.subject) &&
      element('p', { class: 'strong said-subject', dir: 'auto' }, row.subject);
    const content = element('div', { 'data-msgnum': row.msgnum }, subject, saidText(row.snippet ?? ''));
    inSight.observe(content);
    return content;
  }

  /** @param {Row} row */
  const sayingOf = (row) => ({ who: row.author || row.addr || t('message.nobody'), time: row.time });

  /** @param {Row} row @param {boolean} isMore */
  function itemOf(row, isMore) {
    const known = items.get(row.msgnum);
    if (known?.isMore === isMore) return known.item;
    const content = known?.content ?? contentOf(row);
    const open = (/** @type {string} */ how) => () => {
      location.hash = routeTo(store.name, row.msgnum, how);
    };
    const more = actionButton({
      label: t('message.more'),
      icon: 'more',
      hasMenu: true,
      run: (button) =>
        openMenu(button, [
          ...(store.canPost ? [{ label: t('message.reply'), icon: 'reply', run: open('reply') }] : []),
          ...(store.isGuest ? [] : [{ label: t('message.forward'), icon: 'forward', run: open('forward') }]),
          ...(store.canDelete
            ? [{ label: t('message.delete'), icon: 'trash', run: () => deleteMessages(store, [row.msgnum]) }]
            : []),
          { label: t('message.source'), icon: 'code', run: () => showSource(store, row.msgnum) },
        ]),
    });
    more.classList.add('said-more');
    const item = saidItem(sayingOf(row), isMore, [content], more);
    items.set(row.msgnum, { item, isMore, content });
    return item;
  }

  /** @param {string} key @param {string} words @param {boolean} [isNew] */
  function dividerOf(key, words, isNew) {
    const known = dividers.get(key) ?? divider(words, isNew);
    dividers.set(key, known);
    return known;
  }

  function refresh() {
    const rows = store.rows.slice(-shown);
    /** @type {HTMLElement[]} */
    const nodes = [];
    /** @type {Row | undefined} */
    let before;
    for (const row of rows) {
      const day = dayOf(row.time);
      const isNewDay = !before || dayOf(before.time) !== day;
      if (isNewDay) nodes.push(dividerOf(day, dayName(row.time)));
      const isNew = row.msgnum === firstNew && row !== store.rows[0];
      if (isNew) nodes.push(dividerOf('new', t('chat.new'), true));
      const isMore = !isNewDay && !isNew && isTogether(before && sayingOf(before), sayingOf(row));
      const item = itemOf(row, isMore);
      const subject = query(item, '.said-subject');
      if (subject) subject.hidden = before?.subject === row.subject;
      nodes.push(item);
      before = row;
    }
    arrange(list, nodes);
  }

  async function loadOlder() {
    if (isLoading || scroller.scrollTop > NEAR_TOP || (shown >= store.rows.length && store.isComplete)) return;
    isLoading = true;
    const fromEnd = scroller.scrollHeight - scroller.scrollTop;
    try {
      if (shown + STEP > store.rows.length) await store.loadOlder();
      shown += STEP;
      refresh();
      scroller.scrollTop = scroller.scrollHeight - fromEnd;
    } catch {
      // going up once more asks again
    } finally {
      isLoading = false;
    }
  }
  scroller.addEventListener('scroll', loadOlder, { passive: true });

  return {
    node,
    refresh,
    /** Whether there is something new above the last screen, which then stands on top. */
    goToNew() {
      const line = dividers.get('new');
      if (!line?.isConnected) return false;
      line.scrollIntoView({ block: 'start' });
      return true;
    },
    end() {
      isOver = true;
      inSight.disconnect();
    },
  };
}
