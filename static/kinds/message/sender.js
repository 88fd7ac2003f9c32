// Who has written a message: the name, and behind it a card with face, address, and what can be done with a person.

import { OWN_ROOM } from '../../../src/protocol/room-facts.ts';
import { readPerson } from '../../api/people.js';
import { element } from '../../core/dom.js';
import { t } from '../../core/i18n.js';
import { pageAddress, routeTo } from '../../core/router.js';
import { writeRecipient } from '../../formats/addresses.js';
import { searchFrom } from '../../formats/search-words.js';
import { isOneself, user } from '../../model/session.js';
import { avatar } from '../../ui/avatar.js';
import { icon } from '../../ui/icon.js';
import { openPopover } from '../../ui/popover.js';
import { newContactAddress } from './new-contact.js';

/** @import { Message } from '../../api/interface.d.ts' */

/** A guest sees the name alone, and so does who reads what somebody wrote without a name. @param {Message} message */
export function senderName({ from = '', rfca = '', locl = false }) {
  const name = element('bdi', {}, from || rfca || t('message.nobody'));
  if (!user.get() || rfca === '') return name;
  const person = { name: from || rfca, address: rfca, isLocal: locl };
  const click = () => {
    const card = senderCard(person, () => opened?.close());
    const opened = openPopover(button, card, { label: t('sender.card', { name: person.name }) });
  };
  const button = element(
    'button',
    { type: 'button', class: 'plain quiet-link', 'aria-haspopup': 'dialog', on: { click } },
    name,
  );
  return button;
}

/** @param {{ name: string, address: string, isLocal: boolean }} person @param {() => void} close */
function senderCard({ name, address, isLocal }, close) {
  const face = element('span', { class: 'sender-face' }, avatar(name, { size: 'large' }));
  if (isLocal) showPicture(face, name);
  const recipient = isLocal ? name : writeRecipient({ name: name === address ? '' : name, address });
  const contact = isOneself(name) ? undefined : newContactAddress({ name: name === address ? '' : name, address });
  /** @type {(label: string, picture: string, href?: string) => HTMLElement | false} */
  const link = (label, picture, href) =>
    href !== undefined &&
    element('a', { class: 'btn', 'data-kind': 'quiet', href, on: { click: close } }, icon(picture), t(label));
  return element(
    'div',
    { class: 'stack sender' },
    element(
      'div',
      { class: 'line' },
      face,
      element(
        'div',
        { class: 'grow' },
        element('p', { class: 'strong' }, element('bdi', {}, name)),
        element('p', { class: 'muted small' }, element('bdi', {}, address)),
      ),
    ),
    element(
      'div',
      { class: 'sender-actions' },
      link('sender.write', 'edit', routeTo(OWN_ROOM.mail, 'new', recipient)),
      link('sender.add', 'person-plus', contact),
      link('sender.messages', 'search', pageAddress('search', searchFrom(isLocal ? name : address))),
      link('sender.about', 'person', isLocal ? pageAddress('user', name) : undefined),
    ),
  );
}

/** @param {HTMLElement} face @param {string} name */
async function showPicture(face, name) {
  const { picture } = await readPerson(name).catch(() => ({ picture: undefined }));
  if (!picture) return;
  const src = URL.createObjectURL(picture);
  const image = element('img', { class: 'sender-picture', alt: '', src });
  image.addEventListener('load', () => URL.revokeObjectURL(src), { once: true });
  face.replaceChildren(image);
}
