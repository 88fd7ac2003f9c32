// An address book: people by letters, the card of one of them beside the list, its form, groups, files.

import { readObjects } from '../../api/objects.js';
import { Problem } from '../../api/request.js';
import { element, query } from '../../core/dom.js';
import { isBusyElsewhere, takeFocus } from '../../core/focus.js';
import { t } from '../../core/i18n.js';
import { fromHere, routeTo } from '../../core/router.js';
import { changeContact, newContact, readContacts } from '../../formats/contacts.js';
import { Objects } from '../../model/objects.js';
import { roomTitle } from '../../model/room-list.js';
import { dropZone } from '../../ui/drop-zone.js';
import { openMenu } from '../../ui/menu.js';
import { announce, offerUndo, tellProblem } from '../../ui/notices.js';
import { paneHead } from '../../ui/pane.js';
import { twoPanes } from '../list/panes.js';
import { showNothing, showWaiting } from '../message/reading.js';
import { contactCard, writeAddress } from './card.js';
import { chooseFile, exportRoom, importCards, save } from './exchange.js';
import { BLANK, contactForm, isFilled } from './form.js';
import { contactCommands } from './keys.js';
import { contactList } from './list.js';
import { membersOf } from './names.js';
import { parseRoute } from './routes.js';

/** @import { Context, View } from '../kind.d.ts' */
/** @import { PaneAction } from '../../ui/pane.js' */
/** @typedef {import('../../formats/contacts.js').Contact} Contact */
/** @typedef {import('./names.js').NameOrder} NameOrder */
/** @typedef {import('./routes.js').ContactRoute} ContactRoute */

const TYPE = 'text/vcard; charset=utf-8';
/** the reader's order, kept on the device */
const ORDER = 'contacts-order';

/** @param {HTMLElement} host @param {Context} context @returns {View<ContactRoute>} */
export function mount(host, context) {
  const { store } = context;
  const panes = twoPanes(host, { list: 'room-title', detail: t('contacts.card') });
  const objects = new Objects(
    store,
    {
      read: (text) => readContacts(text)[0],
      load: (msgnums, signal) => readObjects(store.name, 'contacts', { msgnums, signal }),
      type: TYPE,
      isListed: true,
      titleOf: ({ name }) => name || t('contacts.unnamed'),
      place: 'card',
    },
    refresh,
  );
  /** @type {ContactRoute} */
  let route = { page: 'list' };
  let isLoaded = false;
  /** of the card that is shown @type {number | undefined} */
  let shown;
  /** @type {string | undefined} */
  let said;

  const all = () => [...objects.byKey.values()].map(({ said: contact }) => contact);
  const keyNow = () => ('uid' in route ? route.uid : undefined);
  const hrefOf = (/** @type {string} */ uid) => routeTo(store.name, 'card', uid);
  const open = (/** @type {string[]} */ ...rest) => {
    location.hash = routeTo(store.name, ...rest);
  };
  /** @returns {NameOrder} */
  const order = () => (localStorage.getItem(ORDER) === 'given' ? 'given' : 'family');
  const list = contactList({
    hrefOf,
    order,
    isWaiting: objects.isWaiting,
    state: () => ({ contacts: all(), current: keyNow() }),
    empty: {
      text: t(store.canPost ? 'contacts.empty' : 'list.empty'),
      ...(store.canPost && { action: { label: t('contacts.new'), run: () => open('new') } }),
    },
  });
  const head = element('div', { class: 'head' });
  panes.list.replaceChildren(head, list.node);
  const endDrop = store.canPost ? dropZone(panes.list, ([file]) => takeFile(file)) : () => {};

  /** @returns {PaneAction[]} */
  const headActions = () => [
    ...(store.canPost ? [{ label: t('contacts.new'), icon: 'person-plus', href: routeTo(store.name, 'new') }] : []),
    { label: t('list.more'), icon: 'more', hasMenu: true, run: openMore },
  ];

  /** @param {HTMLElement} button */
  function openMore(button) {
    const orders = /** @type {const} */ (['family', 'given']);
    openMenu(button, [
      ...(store.canPost
        ? [
            { label: t('contacts.new-group'), icon: 'people', run: () => open('new-group') },
            { label: t('contacts.import'), icon: 'upload', run: () => chooseFile(takeFile) },
          ]
        : []),
      {
        label: t('contacts.export'),
        icon: 'download',
        disabled: all().length === 0,
        run: () => exportRoom(store.name),
      },
      { separator: true },
      ...orders.map((each) => ({
        label: t(`contacts.order-${each}`),
        checked: each === order(),
        run: () => {
          localStorage.setItem(ORDER, each);
          refresh();
        },
      })),
      ...(store.isGuest
        ? []
        : [{ separator: true }, { label: t('settings.title'), icon: 'settings', run: () => open('settings') }]),
    ]);
  }

  /** @param {File} file */
  const takeFile = (file) =>
    tellProblem(() =>
      importCards(file, store.name, async () => {
        await store.refresh().catch(() => {});
        refresh();
      }),
    );

  /** By itself: what is beside it keeps its focus, and its place. */
  function showHead() {
    const sub = isLoaded ? t('contacts.count', { count: objects.byKey.size }) : '';
    if (sub === said) return;
    said = sub;
    const hadFocus = document.activeElement === query(head, 'h1');
    head.replaceChildren(paneHead({ title: roomTitle(store.name), id: 'room-title', sub, actions: headActions() }));
    if (hadFocus) query(head, 'h1')?.focus();
  }

  function refresh() {
    if (!isLoaded) return;
    showHead();
    list.show();
    const known = objects.byKey.get(keyNow() ?? '');
    // a form keeps what is written in it
    if (route.page === 'card' && known && known.msgnum !== shown) void tellProblem(() => showCard(known.key));
  }

  /** @param {Contact} contact @returns {PaneAction[]} */
  const cardActions = (contact) => [
    ...(store.canPost && store.canDelete
      ? [
          {
            label: t('contacts.edit'),
            icon: 'edit',
            kind: /** @type {const} */ ('plain'),
            href: routeTo(store.name, 'card', contact.uid, 'edit'),
          },
        ]
      : []),
    ...(store.canDelete ? [{ label: t('contacts.delete'), icon: 'trash', run: () => remove(contact) }] : []),
    { label: t('contacts.save-file'), icon: 'download', run: () => saveFile(contact) },
  ];

  /** Throws Problem. @param {string} key @param {AbortSignal} [signal] */
  async function contactOf(key, signal) {
    const text = await objects.textOf(key, signal);
    signal?.throwIfAborted();
    return readContacts(text ?? '')[0];
  }

  /** @param {Contact} contact */
  const saveFile = (contact) =>
    tellProblem(async () => {
      const text = await objects.textOf(contact.uid);
      if (text) save(`${contact.name}.vcf`, text);
    });

  /** Throws Problem. @param {string} key @param {AbortSignal} [signal] */
  async function showCard(key, signal) {
    shown = objects.byKey.get(key)?.msgnum;
    const contact = await contactOf(key, signal);
    if (!contact || key !== keyNow()) return undefined;
    const people = all();
    const groups = people.filter(({ isGroup, members }) => isGroup && members.includes(contact.uid));
    const members = membersOf(contact, people);
    const actions = cardActions(contact);
    panes.detail.replaceChildren(...contactCard(contact, { actions, members, groups, hrefOf }));
    const back = { href: routeTo(store.name), label: store.name };
    context.setBar({ title: contact.name, back, actions: actions.map((action) => ({ ...action, kind: undefined })) });
    return contact;
  }

  /**
   * @param {Contact} contact
   * @param {string} title
   * @param {string} back
   * @param {(change: import('../../formats/contacts.js').ContactChange) => Promise<void>} write
   */
  function showForm(contact, title, back, write) {
    const people = all();
    const categories = [...new Set(people.flatMap((each) => each.categories))];
    const others = people.filter(({ isGroup }) => !isGroup).sort((a, b) => a.name.localeCompare(b.name));
    panes.detail.replaceChildren(...contactForm(contact, { title, back, categories, people: others, save: write }));
    context.setBar({ title, back: { href: back, label: t('ui.cancel') }, actions: [] });
    const first = contact.isGroup ? 'contact-name' : 'contact-given';
    takeFocus(document.getElementById(first));
  }

  /** @param {ContactRoute & { page: 'new' | 'new-group' }} wanted */
  function showNew({ page, name, address }) {
    const isGroup = page === 'new-group';
    const [, given = '', family = ''] = /^(?:(.*)\s)?(\S+)$/.exec(name.trim()) ?? [];
    const emails = address === '' ? [] : [{ value: address, type: '' }];
    // a blank line to write in, where nothing is known
    const filled = {
      ...BLANK,
      isGroup,
      given,
      family,
      emails: emails.length > 0 ? emails : [{ value: '', type: 'home' }],
      phones: [{ value: '', type: 'cell' }],
    };
    const title = t(isGroup ? 'contacts.new-group' : 'contacts.new');
    showForm(filled, title, routeTo(store.name), async (change) => {
      const go = fromHere();
      const { phones, emails: reached, ...rest } = { ...filled, ...change };
      const fields = {
        ...rest,
        name: isGroup ? rest.name : '',
        phones: phones.filter(isFilled),
        emails: reached.filter(isFilled),
      };
      const made = newContact(fields, { isGroup });
      if (!readContacts(made.text)[0]?.name) throw new Problem(0, t('contacts.needs-name'), '');
      await objects.add(made);
      go(hrefOf(made.uid));
    });
    return title;
  }

  /** Throws Problem. @param {string} key @param {AbortSignal} signal */
  async function showEdit(key, signal) {
    const base = await objects.textOf(key, signal);
    signal.throwIfAborted();
    const [contact] = readContacts(base ?? '');
    if (!contact) return undefined;
    const back = hrefOf(key);
    showForm(contact, contact.name || t('contacts.edit'), back, async (change) => {
      const go = fromHere();
      await objects.change(key, (text) => changeContact(text, change), { base, isForm: true });
      go(objects.byKey.has(key) ? back : routeTo(store.name));
    });
    return contact.name;
  }

  /** @param {Contact} contact */
  function remove({ uid, name }) {
    const refused = (/** @type {string} */ reason) => announce(t('list.refused', { reason }));
    offerUndo(t('contacts.deleted', { name: name || t('contacts.unnamed') }), (over) =>
      objects.remove([uid], { refused, over }),
    );
    if (keyNow() === uid) open();
  }

  const chosen = () => all().find(({ uid }) => uid === keyNow());
  showHead();

  return {
    parseRoute,
    async show(wanted, signal) {
      const before = keyNow();
      if (!isLoaded) {
        panes.turn(wanted.page !== 'list');
        if (wanted.page !== 'list') showWaiting(panes.detail);
        await objects.load(signal);
        isLoaded = true;
        if (store.unread > 0 && !store.isGuest) store.setAllSeen().catch(() => {});
      }
      const uid = wanted.page === 'number' ? objects.keyOf(wanted.msgnum) : undefined;
      route = wanted.page !== 'number' ? wanted : uid === undefined ? { page: 'list' } : { page: 'card', uid };
      shown = undefined;
      if ('uid' in route && !objects.byKey.has(route.uid)) {
        location.replace(routeTo(store.name));
        return undefined;
      }
      panes.turn(route.page !== 'list');
      refresh();
      if (route.page === 'card') {
        if (shown === undefined) showWaiting(panes.detail);
        const contact = await showCard(route.uid, signal);
        takeFocus(document.getElementById('contact-name'));
        return contact?.name;
      }
      if (route.page === 'edit') return showEdit(route.uid, signal);
      if (route.page === 'new' || route.page === 'new-group') return showNew(/** @type {any} */ (route));
      showNothing(panes.detail, 'contacts');
      context.setBar({ title: roomTitle(store.name), actions: headActions() });
      if (before === undefined) takeFocus(document.getElementById('room-title'));
      else if (!isBusyElsewhere()) list.focus(before);
      return undefined;
    },
    update(delta) {
      void tellProblem(() => objects.update(delta));
    },
    unmount() {
      endDrop();
      objects.end();
    },
    commands: contactCommands({
      filter: list.filter,
      canPost: () => store.canPost,
      chosen: () => {
        const contact = chosen();
        return contact && { ...contact, canChange: store.canPost && store.canDelete, canDelete: store.canDelete };
      },
      edit: (uid) => open('card', uid, 'edit'),
      add: () => open('new'),
      write: () => {
        const contact = chosen();
        const address = contact && writeAddress(contact.isGroup ? membersOf(contact, all()) : [contact]);
        if (address) location.hash = address;
      },
      remove: () => {
        const contact = chosen();
        if (contact) remove(contact);
      },
      back: () => {
        if (route.page === 'edit') open('card', route.uid);
        else if (route.page === 'list') context.leaveRoom();
        else open();
      },
    }),
  };
}
