// What others may know of a user: picture, words about themselves, when they were here; and how to write to them.

import { OWN_ROOM } from '../../src/protocol/room-facts.ts';
import { readPerson } from '../api/people.js';
import { element } from '../core/dom.js';
import { t } from '../core/i18n.js';
import { pageAddress, routeTo } from '../core/router.js';
import { fullTime } from '../formats/times.js';
import { user } from '../model/session.js';
import { avatar } from '../ui/avatar.js';
import { pagePane } from '../ui/pane.js';
import { pictureOf } from '../ui/pictures.js';
import { hasBeenHere } from './person.js';

/** Throws Problem. @param {HTMLElement} host @param {string[]} args @param {AbortSignal} signal */
export async function show(host, [name = ''], signal) {
  const { picture, ...person } = await readPerson(name, signal);
  signal.throwIfAborted();
  const isOwn = person.name === user.get()?.username;
  const bio = person.bio.trim();
  const last = hasBeenHere(person)
    ? t('users.last', { time: fullTime(new Date(person.last_call * 1000)) })
    : t('users.never');
  host.replaceChildren(
    pagePane(
      { title: person.name, sub: last },
      picture ? pictureOf(picture, t('room.picture', { name: person.name })) : avatar(person.name, { size: 'large' }),
      bio === ''
        ? element('p', { class: 'muted' }, t(isOwn ? 'profile.own-nothing' : 'profile.nothing'))
        : element('p', { class: 'banner-text', dir: 'auto' }, bio),
      element(
        'p',
        { class: 'group', 'data-gap': '2' },
        isOwn
          ? element('a', { class: 'btn', href: '#/account' }, t('profile.change'))
          : [
              element(
                'a',
                { class: 'btn', 'data-kind': 'primary', href: routeTo(OWN_ROOM.mail, 'new', person.name) },
                t('profile.write'),
              ),
              element('a', { class: 'btn', href: pageAddress('chat', person.name) }, t('instant.one')),
            ],
      ),
    ),
  );
  return person.name;
}
