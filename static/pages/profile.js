// What others may know of a user: picture, words about himself, when he was here; and how to write to him.

import { getJson } from '../api/request.js';
import { byId, element } from '../core/dom.js';
import { routeTo } from '../core/router.js';
import { fullTime } from '../formats/times.js';
import { pageHeader } from '../ui/form.js';
import { pictureAt } from '../ui/pictures.js';

/** @import { Profile, WhoAmI } from '../api/interface.d.ts' */

/**
 * Throws Problem.
 * @param {WhoAmI} reader
 * @param {{ name: string }} route
 * @param {AbortSignal} signal
 */
export async function showProfile({ username }, { name }, signal) {
  const path = `../u/${encodeURIComponent(name)}/`;
  /** @type {[Profile, HTMLImageElement | undefined]} */
  const [user, picture] = await Promise.all([
    getJson(path, signal),
    pictureAt(`${path}userpic`, `Picture of ${name}`, signal),
  ]);
  signal.throwIfAborted();
  const isOwn = user.name === username;
  byId('room').replaceChildren(
    pageHeader(user.name, user.last_call > 0 ? `Last here ${fullTime(new Date(user.last_call * 1000))}` : ''),
    element(
      'div',
      { class: 'page' },
      picture,
      user.bio.trim() === ''
        ? element('p', { class: 'hint' }, isOwn ? 'You have written nothing about yourself.' : 'Nothing else is known.')
        : element('p', { class: 'banner-text', dir: 'auto' }, user.bio.trim()),
      isOwn
        ? element('p', { class: 'actions' }, element('a', { class: 'button', href: '#/account' }, 'Change it'))
        : element(
            'p',
            { class: 'actions' },
            element('a', { class: 'button primary', href: routeTo('Mail', 'new', user.name) }, 'Write a mail'),
            element('a', { class: 'button', href: `#/people/${encodeURIComponent(user.name)}` }, 'Instant message'),
          ),
    ),
  );
}

/**
 * `name` as a link to what is known of him.
 * @param {string} name
 */
export const profileLink = (name) =>
  element('a', { href: `#/user/${encodeURIComponent(name)}` }, element('bdi', {}, name));
