// A person in a list: face and name, which lead to what is known of them.

import { element } from '../core/dom.js';
import { pageAddress } from '../core/router.js';
import { avatar } from '../ui/avatar.js';

/** @param {string} name */
export const personLink = (name) =>
  element('a', { class: 'person', href: pageAddress('user', name) }, avatar(name), element('bdi', {}, name));
