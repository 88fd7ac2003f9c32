// What a room says of itself: its banner and its picture.

import { readRoomPicture } from '../../api/rooms.js';
import { element } from '../../core/dom.js';
import { t } from '../../core/i18n.js';
import { mayHavePicture } from '../../model/room-list.js';
import { icon } from '../../ui/icon.js';
import { pictureOf } from '../../ui/pictures.js';

/** @import { RoomStore } from '../../model/room-store.js' */

/** Filled as far as there is something; undefined where there is nothing to wait for. @param {RoomStore} store */
export function aboutRoom({ banner, info }) {
  if (info.is_mailbox) return undefined;
  const content = element('div', { class: 'stack box' });
  const about = element(
    'details',
    { class: 'about', hidden: true },
    element('summary', {}, icon('info', { size: 'small' }), t('room.about')),
    content,
  );
  /** @param {Node} node */
  const put = (node) => {
    content.append(node);
    about.hidden = false;
    about.open = true;
  };
  if (banner.trim() !== '') put(element('p', { class: 'banner-text soft', dir: 'auto' }, banner.trim()));
  if (!mayHavePicture(info.name)) return about;
  readRoomPicture(info.name).then((blob) => {
    if (blob) content.prepend(pictureOf(blob, t('room.picture', { name: info.name })));
    if (blob) about.hidden = !(about.open = true);
  });
  return about;
}
