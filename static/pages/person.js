// A person in a list: face and name, which lead to what is known of them; whether they were ever here.

import { element } from '../core/dom.js';
import { pageAddress } from '../core/router.js';
import { avatar } from '../ui/avatar.js';

/** @param {string} name */
export const personLink = (name) =>
  element('a', { class: 'person', href: pageAddress('user', name) }, avatar(name), element('bdi', {}, name));

/** before it nobody can have been here: a room server writes small numbers for never */
const FIRST_SECOND = 86_400 * 365;

/** Whether somebody has ever logged in with the account. @param {{ last_call: number }} account */
export const hasBeenHere = ({ last_call }) => last_call > FIRST_SECOND;
