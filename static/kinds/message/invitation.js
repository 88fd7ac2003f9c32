// An invitation that has come as mail, its cancellation, or the answer of a guest (RFC 5546, RFC 6047): what it is
// about and when, and what can be said to it. Loaded for messages that bring one.

import { answerInvitation, readEntry } from '../../api/groupware.js';
import { messageOf, Problem } from '../../api/request.js';
import { element } from '../../core/dom.js';
import { t } from '../../core/i18n.js';
import { routeTo } from '../../core/router.js';
import { methodOf, readEvents } from '../../formats/calendar.js';
import { whenIn } from '../../formats/moments.js';
import { icon } from '../../ui/icon.js';
import { elsewhereText, whenText, ZONE } from '../calendar/format.js';
import { isMe } from '../calendar/own.js';
import { sayable } from '../calendar/reading.js';
import { chooseScope } from '../calendar/scope.js';

/** @import { CalendarEvent } from '../../formats/calendar.js' */

const YEAR = 366 * 86_400;
/** @type {['accepted' | 'tentative' | 'declined', string][]} */
const ANSWERS = [
  ['accepted', 'check'],
  ['tentative', 'help'],
  ['declined', 'close'],
];

/**
 * Undefined where it asks nothing of the reader. Throws Problem.
 * @param {string} room @param {import('../../api/interface.d.ts').Message} message
 * @param {string} [part] that holds it, undefined where the message is nothing else
 * @param {AbortSignal} [signal]
 */
export async function invitationCard(room, message, part, signal) {
  const { msgnum } = message;
  const text = await readEntry(room, msgnum, { part, signal });
  const method = methodOf(text);
  const event = nextOf(text);
  if (!event) return undefined;
  const said = element('p', { class: 'line', role: 'status' });
  const fault = element('p', { class: 'error', role: 'alert' });
  const buttons = element('div', {
    class: 'group',
    'data-gap': '2',
    role: 'group',
    'aria-label': t('calendar.answer'),
  });

  /** @param {'accepted' | 'tentative' | 'declined'} [answer] */
  async function send(answer) {
    const isSeries = answer !== undefined && event?.rule !== '' && event?.recurrenceId !== undefined;
    const scope = isSeries ? await chooseScope(event, 'answer', ['all', 'this']) : 'all';
    if (!event || scope === undefined) return;
    fault.textContent = '';
    buttons.setAttribute('aria-busy', 'true');
    try {
      const one = scope === 'this' ? recurrenceIdOf(event) : undefined;
      const { room: calendar, msgnum: number } = await answerInvitation(room, msgnum, answer, one);
      const words = t(answer ? `calendar.answered.${answer}` : 'invitation.taken');
      const link = element('a', { href: routeTo(calendar, number) }, t('invitation.to-calendar'));
      said.replaceChildren(icon('check'), words, ' ', link);
      for (const each of buttons.querySelectorAll('button')) {
        if (answer === undefined) each.hidden = true;
        else each.setAttribute('aria-pressed', String(each.dataset.answer === answer));
      }
    } catch (problem) {
      if (!(problem instanceof Problem)) throw problem;
      fault.textContent = problem.status === 409 ? t('invitation.nothing-new') : messageOf(problem);
    } finally {
      buttons.removeAttribute('aria-busy');
    }
  }

  if (method === 'REQUEST' && event.attendees.some(isMe)) {
    const ways = ANSWERS.map(([answer, name]) => answerButton(answer, name, () => send(answer)));
    buttons.append(...ways);
  } else if (method === 'CANCEL' || method === 'REPLY') {
    const take = { type: 'button', class: 'btn', on: { click: () => send() } };
    buttons.append(element('button', take, icon('calendar', { size: 'small' }), t('invitation.take')));
  } else if (method !== 'REQUEST') return undefined;
  const elsewhere = elsewhereText(event);
  return element(
    'section',
    { class: 'card invitation stack', 'aria-label': t('invitation.label') },
    element('h4', { class: 'event-title', dir: 'auto' }, event.title || t('calendar.untitled')),
    fact('clock', whenText(event)),
    elsewhere !== '' && fact('globe', elsewhere),
    event.place !== '' && fact('place', event.place),
    fact('people', saidBy(method, event)),
    ofAnother(message, method === 'REPLY' ? event.attendees[0] : event.organizer),
    buttons.childElementCount > 0 && buttons,
    said,
    fault,
  );
}

/** The next one of a series, else the last one. @param {string} text @returns {CalendarEvent | undefined} */
function nextOf(text) {
  const now = Date.now() / 1000;
  const coming = readEvents(text, now, now + 2 * YEAR, ZONE);
  return coming[0] ?? readEvents(text, now - 20 * YEAR, now + 20 * YEAR, ZONE).at(-1);
}

/**
 * `20260603T080000Z`; of a day, and of a time in no zone, what the calendar says.
 * @param {CalendarEvent} event
 */
function recurrenceIdOf({ recurrenceId = 0, isDay, from }) {
  const isLocal = isDay || !from.zone;
  const { day, time } = whenIn(recurrenceId, isLocal ? ZONE : 'UTC');
  const digits = `${day}T${time}:00`.replaceAll(/[-:]/g, '');
  return isDay ? digits.slice(0, 8) : `${digits}${isLocal ? '' : 'Z'}`;
}

/** @param {string} method @param {CalendarEvent} event */
function saidBy(method, { organizer, attendees }) {
  if (method === 'CANCEL') return t('calendar.cancelled');
  const guest = attendees[0];
  if (method === 'REPLY' && guest) return `${guest.name} ${t(`calendar.says.${sayable(guest.answer)}`)}`;
  return t('calendar.invited-by', { name: organizer?.name ?? t('message.nobody') });
}

/**
 * A warning where the mail is from somebody else than it speaks for: many have two addresses, and others pretend.
 * @param {import('../../api/interface.d.ts').Message} message
 * @param {{ name: string, address: string }} [claimed]
 */
function ofAnother({ from, rfca = '' }, claimed) {
  if (!claimed || rfca === '' || claimed.address === '') return false;
  if (claimed.address.toLowerCase() === rfca.toLowerCase()) return false;
  const words = { sender: from ? `${from} <${rfca}>` : rfca, name: claimed.name };
  return element(
    'div',
    { class: 'banner', 'data-tone': 'brass' },
    icon('warning'),
    element('p', { dir: 'auto' }, t('invitation.other-sender', words)),
  );
}

/** @param {string} answer @param {string} name @param {() => unknown} click */
const answerButton = (answer, name, click) =>
  element(
    'button',
    { type: 'button', class: 'btn', 'data-answer': answer, 'aria-pressed': 'false', on: { click } },
    icon(name, { size: 'small' }),
    t(`calendar.answer.${answer}`),
  );

/** @param {string} name @param {string} text */
const fact = (name, text) =>
  element('p', { class: 'line small' }, icon(name), element('span', { class: 'grow', dir: 'auto' }, text));
