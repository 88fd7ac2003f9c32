// The door: user name, password, and why it did not open.

import { logIn } from '../api/people.js';
import { messageOf, Problem } from '../api/request.js';
import { element } from '../core/dom.js';
import { t } from '../core/i18n.js';
import { duration } from '../formats/times.js';
import { serverName } from '../model/session.js';
import { brand } from '../ui/brand.js';
import { field, line } from '../ui/form.js';

const GUIDE = '../s/guide/';

/**
 * Shows the form with `note` above it, if there is one; `entered` runs after a log-in.
 * @param {HTMLElement} host @param {string} note @param {() => Promise<void>} entered
 */
export function showLogIn(host, note, entered) {
  const username = line('username', '', {
    name: 'username',
    autocomplete: 'username',
    autocapitalize: 'none',
    spellcheck: 'false',
    required: true,
  });
  const password = line('password', '', {
    name: 'password',
    type: 'password',
    autocomplete: 'current-password',
    required: true,
  });
  const error = element('p', { class: 'error small', id: 'log-in-error', role: 'alert' });
  const button = element('button', { type: 'submit', class: 'btn', 'data-kind': 'primary' }, t('log-in.action'));

  /** @param {string} text @param {HTMLInputElement} [input] */
  function refuse(text, input) {
    error.textContent = text;
    for (const each of [username, password]) {
      each.removeAttribute('aria-invalid');
      each.removeAttribute('aria-describedby');
    }
    if (!input) return;
    input.setAttribute('aria-invalid', 'true');
    input.setAttribute('aria-describedby', error.id);
    input.focus();
  }

  /** @param {SubmitEvent} event */
  async function submit(event) {
    event.preventDefault();
    if (button.ariaDisabled === 'true') return;
    const missing = [username, password].find((input) => input.value === '');
    const words = missing === username ? t('log-in.no-name') : t('log-in.no-password');
    refuse(missing ? words : '', missing);
    if (missing) return;
    button.ariaDisabled = 'true';
    try {
      await logIn(username.value, password.value);
      password.value = '';
      await entered();
    } catch (problem) {
      if (!(problem instanceof Problem)) throw problem;
      refuse(wordsFor(problem), problem.status === 401 ? password : undefined);
      if (problem.status === 401) password.select();
    } finally {
      button.ariaDisabled = null;
    }
  }

  host.replaceChildren(
    element(
      'div',
      { class: 'gate' },
      element(
        'main',
        {},
        element(
          'form',
          {
            class: 'gate-form',
            method: 'post',
            action: '../a/login',
            novalidate: true,
            'aria-labelledby': 'entry-title',
            on: { submit },
          },
          brand(serverName.get()).node,
          element(
            'header',
            {},
            element('h1', { class: 'title', id: 'entry-title', tabindex: -1 }, t('log-in.title')),
            note && element('p', { class: 'soft' }, note),
          ),
          field(t('log-in.name'), username),
          field(t('log-in.password'), password),
          error,
          button,
          element('p', { class: 'small soft' }, element('a', { href: GUIDE }, t('page.guide'))),
        ),
      ),
      element('div', { class: 'gate-door', 'aria-hidden': 'true' }, sketch()),
    ),
  );
  (username.value === '' ? username : password).focus();
}

/** @param {Problem} problem */
function wordsFor(problem) {
  if (problem.status === 401) return t('log-in.wrong');
  if (problem.status !== 429) return messageOf(problem);
  const wait = problem.retryAfterSeconds;
  return wait ? t('log-in.wait', { time: duration(wait) }) : t('log-in.wait-a-while');
}

/** [class, path] of the open door that stands beside the form @type {[string, string][]} */
const DOOR = [
  ['fill', 'M60 600V250a210 210 0 0 1 420 0v350z'],
  ['', 'M60 600V250a210 210 0 0 1 420 0v350M96 600V252a174 174 0 0 1 348 0v348'],
  ['glow', 'M132 600V254a138 138 0 0 1 276 0v346z'],
  ['', 'M132 254h276M270 116v138M172 157l98 97 98-97M132 254l138 0'],
  ['fill', 'M132 254h138v346H132z'],
  ['', 'M156 284h90v120h-90zM156 430h90v140h-90zM254 424v18'],
  ['glow', 'M258 433a5 5 0 1 0 .1 0z'],
  ['', 'M270 600V254l96 40v306M290 300l56 20v96l-56 6zM290 450l56-4v120l-56 10z'],
  ['fill', 'M424 600v-58h56v58zM452 542c-34-34-32-84-2-112 32 28 34 78 2 112z'],
  ['', 'M20 600h500M452 542v-70'],
];

function sketch() {
  const namespace = 'http://www.w3.org/2000/svg';
  const svg = document.createElementNS(namespace, 'svg');
  svg.setAttribute('class', 'sketch');
  svg.setAttribute('viewBox', '0 0 540 600');
  for (const [name, d] of DOOR) {
    const path = document.createElementNS(namespace, 'path');
    if (name) path.setAttribute('class', name);
    path.setAttribute('d', d);
    svg.append(path);
  }
  return svg;
}
