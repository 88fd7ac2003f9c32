// What the reader does to events: shown at once, then sent. What is moved or written can be taken back by what was
// there before; what is deleted is sent when that can no longer be undone, so that nobody is uninvited by mistake.
// Without a connection it waits in the outbox, and is shown as it will be.

import { deleteObject, moveObject } from '../../api/calendars.js';
import { messageOf, Problem } from '../../api/request.js';
import { t } from '../../core/i18n.js';
import { changeEvent, removeEvent } from '../../formats/calendar-change.js';
import { answerEvent, newEvent } from '../../formats/calendar-new.js';
import { keepUndecided, Undecided, writeOver } from '../../model/object-writing.js';
import { orLater } from '../../model/outbox.js';
import { objectWork } from '../../model/outbox-joining.js';
import { later } from '../../model/pending.js';
import { roomTitle } from '../../model/room-list.js';
import { user } from '../../model/session.js';
import { offerUndo } from '../../ui/notices.js';
import { showToast } from '../../ui/toast.js';
import { askVersion } from '../../ui/versions.js';
import { titleOf } from './blocks.js';
import { ZONE } from './format.js';
import { canChange } from './own.js';
import { chooseScope } from './scope.js';

/** @import { EventChange } from '../../formats/calendar-fields.js' */
/** @import { Scope } from '../../formats/calendar-change.js' */
/** @import { Pending } from '../../model/pending.js' */
/** @import { CalendarObject } from '../../api/calendars.js' */
/** @typedef {{ uid: string, etag: string }} Written */
/** @import { Toast } from '../../ui/toast.js' */
/** @import { CalendarSource, ShownEvent } from './source.js' */

/**
 * @typedef {{ room: string, name: string, before?: string, after?: string, title: string, isForm?: boolean }} Step
 *   text before and after; none: no such object. `isForm`: what the reader has not decided about stays in his form
 */

const SURROUNDINGS = { zone: ZONE };
const TYPE = 'text/calendar; charset=utf-8';
const CONFLICTS = new Set([404, 412]);

/**
 * @param {object} surroundings
 * @param {CalendarSource} surroundings.source
 * @param {() => void} surroundings.shown what is shown has changed
 * @param {(room: string) => Promise<void>} surroundings.reload
 */
export function calendarChanges({ source, shown, reload }) {
  /** @type {Map<string, Pending>} deletes that can still be undone */
  const pending = new Map();
  /** by object and ETag, the next one @type {Map<string, string>} */
  const newer = new Map();
  /** @type {Promise<unknown>} */
  let last = Promise.resolve();
  let acts = 0;
  /** by object, the act that changed it last @type {Map<string, number>} */
  const changedIn = new Map();
  /** by object, the toast that offers to take that back @type {Map<string, Toast>} */
  const offered = new Map();

  /** What is still under way with it is done first. @param {{ room: string, name: string }} event */
  async function current({ room, name }) {
    await pending.get(`${room}\n${name}`)?.send();
    return source.object(room, name);
  }

  /**
   * Answers the ETag of what is there then, undefined where there is nothing, or where it waits. Throws Problem.
   * @param {Step} step @param {string} [etag] of what is there before @param {boolean} [keepalive]
   */
  const send = (step, etag, keepalive = false) =>
    orLater(
      () => workOf(step),
      () => sendNow(step, etag, keepalive),
      step.room,
    );

  /**
   * What others have changed elsewhere in it stays (object-writing.js).
   * @param {Step} step @param {string | undefined} etag @param {boolean} keepalive
   */
  async function sendNow(step, etag, keepalive) {
    const { room, name, before, after, isForm = false } = step;
    if (keepalive && after === undefined) {
      // a page that is being left asks nothing
      await deleteObject(room, name, etag ?? '*', keepalive);
      source.settle(room, name, 'gone');
      return undefined;
    }
    const base = before === undefined ? undefined : { etag: etag ?? '', text: before };
    const work = { ...workOf(step), base };
    const write = () => writeOver(work, askVersion, { isKnown: base?.etag !== '' });
    const now = await (isForm ? write() : keepUndecided(work, write));
    if (now?.text !== after) source.settle(room, name);
    source.settle(room, name, now ? { name, ...now } : 'gone');
    return now?.etag;
  }

  /** @param {Step} step */
  const workOf = ({ room, name, after, title }) =>
    objectWork({ room, name, type: TYPE, text: after, base: source.kept(room, name), title, place: [] });

  /** That of the version that this one has become by what was sent since. @param {string} key @param {string} [etag] */
  function latest(key, etag) {
    let found = etag ?? '';
    while (newer.has(`${key} ${found}`)) found = newer.get(`${key} ${found}`) ?? '';
    return found === '' ? undefined : found;
  }

  /**
   * Sends one after the other: the next change may be made before the last one has arrived.
   * @template T
   * @param {() => Promise<T>} sending
   */
  function inOrder(sending) {
    const sent = last.then(sending);
    last = sent.catch(() => {});
    return sent;
  }

  /** Shown at once; those that were done are taken back where one fails. Throws Problem. @param {Step[]} steps */
  function run(steps) {
    const known = steps.map(({ room, name }) => source.object(room, name));
    for (const { room, name, after } of steps) source.pretend(room, name, after);
    shown();
    return inOrder(() => sendAll(steps, known));
  }

  /** @param {Step[]} steps @param {(CalendarObject | undefined)[]} known as they were shown before */
  async function sendAll(steps, known) {
    const [etags, texts] = [known.map((each) => each?.etag), known.map((each) => each?.text)];
    /** @type {Step[]} */
    const done = [];
    try {
      for (const [place, step] of steps.entries()) {
        // what was seen may be older than what is known
        const isSeen = step.before === undefined || step.before === texts[place];
        const etag = await send(step, isSeen ? latest(`${step.room}\n${step.name}`, etags[place]) : '');
        if (etag !== undefined) newer.set(`${step.room}\n${step.name} ${etags[place] ?? ''}`, etag);
        done.unshift({ ...step, before: step.after, after: step.before });
      }
    } catch (problem) {
      for (const { room, name } of steps) source.settle(room, name);
      for (const step of done) await send(step, source.object(step.room, step.name)?.etag).catch(() => {});
      shown();
      throw problem;
    } finally {
      for (const room of new Set(steps.map((step) => step.room))) reload(room);
    }
    return done;
  }

  /** With a way back, until the same event is changed again. @param {Step[]} steps @param {string} said */
  async function act(steps, said) {
    const keys = steps.map(({ room, name }) => `${room}\n${name}`);
    const mine = acts + 1;
    overtake(keys);
    const back = await run(steps);
    if (keys.some((key) => changedIn.get(key) !== mine)) return;
    const toast = showToast(said, { action: { label: t('ui.undo'), run: () => told(() => run(back)) } });
    for (const key of keys) offered.set(key, toast);
  }

  /** What was done to them before is not to be undone any more. @param {string[]} keys of objects */
  function overtake(keys) {
    acts++;
    for (const key of keys) {
      changedIn.set(key, acts);
      offered.get(key)?.close();
      offered.delete(key);
    }
  }

  /** @param {() => Promise<unknown>} doing @returns {Promise<boolean>} whether it was done */
  async function told(doing) {
    try {
      await doing();
      return true;
    } catch (problem) {
      if (!(problem instanceof Problem)) throw problem;
      showToast(reasonOf(problem));
      return false;
    }
  }

  /**
   * Which ones of a series is asked, unless `scope` says it. Throws Problem; false where the reader went back.
   * `seen`: the text that a form was filled from.
   * @param {ShownEvent} event @param {EventChange} change @param {string} said
   * @param {{ scope?: Scope, seen?: string }} [options]
   */
  async function change(event, change, said, { scope, seen } = {}) {
    const meant = scope ?? (await scopeOf(event, 'change'));
    if (meant === undefined) {
      shown();
      return false;
    }
    const object = await current(event);
    const before = seen ?? object?.text;
    const changed = before === undefined ? undefined : changeEvent(before, change, meant, event, SURROUNDINGS);
    if (!changed) throw new Problem(412, t('calendar.conflict'), '');
    const { room, name } = event;
    const title = change.title || titleOf(event);
    /** @type {Step[]} */
    const steps = [{ room, name, before, after: changed.text, title, isForm: seen !== undefined }];
    if (changed.added) steps.unshift({ room, name: uidOf(changed.added), after: changed.added, title });
    await act(steps, said);
    return true;
  }

  /** @param {ShownEvent} event @param {Scope} [scope] */
  async function remove(event, scope) {
    const meant = scope ?? (await scopeOf(event, 'delete'));
    if (meant === undefined) return;
    const object = await current(event);
    const removed = object && removeEvent(object.text, meant, event, SURROUNDINGS);
    if (!object || !removed) return void showToast(t('calendar.conflict'));
    const { room, name } = event;
    const key = `${room}\n${name}`;
    const { etag } = object;
    overtake([key]);
    source.pretend(room, name, removed.text);
    shown();
    const action = {
      rooms: [room],
      async send(/** @type {boolean} */ keepalive) {
        pending.delete(key);
        const step = { room, name, before: object.text, after: removed.text, title: titleOf(event) };
        // when the page goes nothing can be waited for
        await (keepalive ? send(step, latest(key, etag), true) : inOrder(() => send(step, latest(key, etag))));
        reload(room);
      },
      revert() {
        pending.delete(key);
        source.settle(room, name);
        shown();
      },
      refused: (/** @type {unknown} */ problem) =>
        showToast(problem instanceof Problem ? reasonOf(problem) : messageOf(problem)),
    };
    offerUndo(t('calendar.deleted', { title: titleOf(event) }), (over) => {
      const removal = later({ ...action, over });
      pending.set(key, removal);
      return removal;
    });
  }

  return {
    change,
    remove,
    told,
    /** Throws Problem. @param {string} room @param {EventChange} fields */
    async create(room, fields) {
      const { uid, text } = newEvent(fields, SURROUNDINGS);
      const title = fields.title || t('calendar.untitled');
      await act([{ room, name: uid, after: text, title }], t('calendar.created', { title, room: roomTitle(room) }));
    },
    /** To another calendar, whole. Throws Problem. @param {ShownEvent} event @param {string} room */
    async transfer(event, room) {
      const { text = '' } = (await current(event)) ?? {};
      const { room: from, name } = event;
      const isDone = await orLater(
        () => ({ kind: 'move', room: from, name, to: room, text, title: titleOf(event) }),
        () => moveObject(from, name, room),
        from,
      );
      if (!isDone) return;
      source.settle(from, name, 'gone');
      await Promise.all([reload(from), reload(room)]);
    },
    /**
     * One's own; to which of a series is asked.
     * @param {ShownEvent} event
     * @param {'ACCEPTED' | 'TENTATIVE' | 'DECLINED'} answer
     */
    answer: (event, answer) =>
      told(async () => {
        const meant = await scopeOf(event, 'answer');
        if (meant === undefined) return;
        const object = await current(event);
        const chosen = meant === 'this' ? event : undefined;
        const text = object && answerEvent(object.text, user.get()?.addresses ?? [], answer, { zone: ZONE, chosen });
        if (!object || !text) throw new Problem(412, t('calendar.conflict'), '');
        const { room, name } = event;
        const step = { room, name, before: object.text, after: text, title: titleOf(event) };
        await act([step], t(`calendar.answered.${answer.toLowerCase()}`));
      }),
    /** Before the view goes. */
    flush: () => Promise.all([...pending.values()].map((each) => each.send())),
  };
}

/**
 * Undefined where the reader went back.
 * @param {ShownEvent} event
 * @param {'change' | 'delete' | 'answer'} doing
 * @returns {Promise<Scope | undefined>}
 */
async function scopeOf(event, doing) {
  if (event.recurrenceId === undefined) return 'all';
  if (event.rule === '') return 'this';
  // a guest answers with what he takes away, and where a series ends is not his to say
  return chooseScope(event, doing, doing === 'answer' || !canChange(event) ? ['this', 'all'] : undefined);
}

/** In words; somebody else was faster. @param {Problem} problem */
export const reasonOf = (problem) =>
  CONFLICTS.has(problem.status) && !(problem instanceof Undecided) ? t('calendar.conflict') : messageOf(problem);

/** @param {string} text */
const uidOf = (text) => /^UID:(.*?)\r?$/m.exec(text)?.[1] ?? crypto.randomUUID();
