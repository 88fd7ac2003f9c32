// The form of writing: people, subject, text with form or without, files.

import { element } from '../../core/dom.js';
import { t } from '../../core/i18n.js';
import { holdsPicture } from '../../formats/mail-body.js';
import { linesToHtml } from '../../formats/rich-output.js';
import { dropZone } from '../../ui/drop-zone.js';
import { editor } from '../../ui/editor/editor.js';
import { line } from '../../ui/form.js';
import { icon } from '../../ui/icon.js';
import { openMenu } from '../../ui/menu.js';
import { offerBack } from '../../ui/notices.js';
import { actionButton } from '../../ui/pane.js';
import { forwardedBlock } from './forwarded.js';
import { peopleFields } from './people.js';
import { setWritesPlain } from './start.js';
import { attachmentField } from './uploads.js';

/** @import { MessageDraft } from '../../model/drafts.js' */
/** @import { InlineImage } from '../../ui/editor/editor.js' */

/**
 * @typedef {object} FormOptions
 * @property {string} title
 * @property {boolean} isMail
 * @property {MessageDraft} draft
 * @property {InlineImage[]} pictures
 * @property {number} mostBytes of a file
 * @property {string} back where the form is left to
 * @property {() => void} changed
 * @property {() => Promise<unknown>} send
 * @property {() => unknown} discard
 */

/** @param {FormOptions} options */
export function buildForm({ title, isMail, draft, pictures, mostBytes, back, changed, send, discard }) {
  let { isPlain } = draft;
  const problems = element('div');
  const status = element('span', { class: 'sub', role: 'status' });
  const people = peopleFields(draft, changed);
  const subject = line('subject', draft.subject, { dir: 'auto', maxlength: '200', class: false });
  const files = attachmentField(draft.attachments, changed, mostBytes, () => pictureBytes());
  const label = t('compose.text');
  const area = element('textarea', { class: 'editor prose', rows: '12', dir: 'auto', 'aria-label': label });
  area.placeholder = label;
  area.value = draft.text;
  const rich = editor({
    label,
    placeholder: label,
    html: draft.html,
    pictures,
    onChange: changed,
    onFiles: files.add,
    hasRoom: files.hasRoom,
  });
  let { forwarded } = draft;
  const usedPictures = () => {
    if (isPlain) return [];
    const { images } = rich.value();
    const others = pictures.filter(({ cid }) => images.every((each) => each.cid !== cid));
    return [...images, ...others.filter(({ cid }) => forwarded && holdsPicture(forwarded.html, cid))];
  };
  const pictureBytes = () => usedPictures().reduce((sum, { file }) => sum + file.size, 0);
  const island = forwardedBlock(pictures, {
    edit() {
      if (!forwarded) return;
      if (isPlain) area.value += `\n\n${forwarded.text}`;
      else rich.set({ html: rich.value().html + forwarded.html });
      setForwarded(undefined);
      focusText();
    },
    remove() {
      const was = forwarded;
      setForwarded(undefined);
      focusText();
      offerBack(t('compose.forwarded-removed'), async () => setForwarded(was));
    },
  });
  /** @param {MessageDraft['forwarded']} next */
  const setForwarded = (next) => {
    forwarded = next;
    showText();
    changed();
  };
  const place = element('div');
  const showText = () => {
    place.replaceChildren(isPlain ? area : rich.node);
    island.show(forwarded, isPlain);
  };
  showText();
  const text = () => (isPlain ? area.value : rich.value().text);
  let mostPictures = pictures.length;
  const hasDropped = () => {
    const count = usedPictures().length;
    mostPictures = Math.max(mostPictures, count);
    return Boolean(draft.hasDropped) || files.hasRemoved() || count < mostPictures;
  };
  /** @returns {MessageDraft} */
  const draftWith = (/** @type {Pick<MessageDraft, 'to' | 'cc' | 'bcc' | 'typed'>} */ named) => ({
    ...named,
    subject: subject.value.trim(),
    text: text(),
    html: isPlain ? '' : rich.value().html,
    isPlain,
    forwarded,
    references: draft.references,
    attachments: files.records,
    hasDropped: hasDropped(),
  });
  const turn = () => {
    if (isPlain) rich.set({ html: linesToHtml(area.value) });
    else area.value = rich.value().text;
    isPlain = !isPlain;
    setWritesPlain(isPlain);
    showText();
    focusText();
    changed();
  };
  const focusText = () => (isPlain ? area : rich).focus();

  const sendButton = element(
    'button',
    { type: 'submit', class: 'btn not-phone', 'data-kind': 'primary' },
    icon('send', { size: 'small' }),
    t(isMail ? 'compose.send' : 'compose.post'),
  );
  const submit = async (/** @type {SubmitEvent} */ event) => {
    event.preventDefault();
    if (sendButton.ariaDisabled === 'true') return;
    sendButton.ariaDisabled = 'true';
    await send();
    sendButton.ariaDisabled = null;
  };
  const keydown = (/** @type {KeyboardEvent} */ event) => {
    if (event.key !== 'Enter' || !(event.ctrlKey || event.metaKey)) return;
    event.preventDefault();
    form.requestSubmit();
  };
  const paste = (/** @type {ClipboardEvent} */ event) => {
    const pasted = [...(event.clipboardData?.files ?? [])];
    if (event.defaultPrevented || pasted.length === 0) return;
    event.preventDefault();
    files.add(pasted);
  };
  const more = actionButton({
    label: t('list.more'),
    icon: 'more',
    hasMenu: true,
    run: (button) =>
      openMenu(button, [
        { label: t('compose.plain'), checked: isPlain, run: turn },
        { label: t('compose.discard'), icon: 'trash', run: discard },
      ]),
  });

  const form = element(
    'form',
    {
      class: 'pane compose',
      'aria-labelledby': 'form-title',
      novalidate: true,
      on: { submit, keydown, paste, input: changed },
    },
    element(
      'header',
      { class: 'pane-head' },
      element('h2', { id: 'form-title', tabindex: -1 }, title),
      status,
      element(
        'div',
        { class: 'group push' },
        actionButton({ label: t('compose.discard'), icon: 'trash', run: discard }),
        actionButton({ label: t('ui.close'), icon: 'close', href: back }),
      ),
    ),
    element(
      'div',
      { class: 'pane-body' },
      element(
        'div',
        { class: 'sheet' },
        problems,
        isMail && people.nodes,
        element('div', { class: 'address' }, element('label', { for: subject.id }, t('compose.subject')), subject),
        place,
        island.node,
        files.list,
      ),
    ),
    element(
      'footer',
      { class: 'pane-foot group', 'data-gap': '2' },
      sendButton,
      files.button,
      more,
      element(
        'span',
        { class: 'muted small push not-phone', 'aria-hidden': 'true' },
        element('kbd', {}, 'Ctrl'),
        ' ',
        element('kbd', {}, 'Enter'),
        ` ${t('compose.sends')}`,
      ),
    ),
  );
  const endDrop = dropZone(form, files.add);
  const initial = JSON.stringify(draftWith(people.now()));

  return {
    node: form,
    problems,
    people,
    files,
    focusText,
    /** What is there now, for keeping it. */
    now: () => draftWith(people.now()),
    /** What is to be sent. */
    read: () => draftWith(people.read()),
    pictures: usedPictures,
    isEmpty: () => !forwarded && (isPlain ? area.value.trim() === '' : rich.isEmpty()),
    isChanged: () => JSON.stringify(draftWith(people.now())) !== initial,
    submit: () => form.requestSubmit(),
    /** The focus goes to the first field with nothing in it. @param {boolean} isForward */
    begin(isForward) {
      if (isMail && (isForward || draft.to.length === 0)) people.focus();
      else if (subject.value === '') subject.focus();
      else focusText();
      if (isPlain) area.setSelectionRange(area.value.length, area.value.length);
    },
    /** @param {string} words */
    say: (words) => (status.textContent = words),
    close() {
      endDrop();
      island.close();
      rich.close();
    },
  };
}
