// What a room says of itself: its banner and its picture.

import { getText } from '../../api/request.js';
import { element } from '../../core/dom.js';
import { apiPath } from '../../core/router.js';
import { pictureAt } from '../../ui/pictures.js';

/** @import { Room } from '../../api/interface.d.ts' */

/**
 * `{ banner, picture }`: '' and undefined where there is none
 * @param {{ name: string, info: Room }} room @param {AbortSignal} [signal]
 */
export async function readAbout({ name, info }, signal) {
  const [banner, picture] = await Promise.all([
    info.has_info ? getText(apiPath(name, 'info.txt'), signal).catch(() => '') : '',
    info.is_mailbox ? undefined : pictureAt(apiPath(name, 'roompic'), `Picture of ${name}`, signal),
  ]);
  return { banner, picture };
}

/** @param {{ banner: string, picture?: HTMLImageElement }} room */
export function aboutRoom({ banner, picture }) {
  if (banner === '' && !picture) return undefined;
  return element(
    'details',
    { class: 'banner', open: true },
    element('summary', {}, 'About this room'),
    picture?.cloneNode(),
    banner && element('p', { class: 'banner-text', dir: 'auto' }, banner.trim()),
  );
}
