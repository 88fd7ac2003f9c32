// A calendar: the room's own and, in their colours, the reader's others; a month, a week, a day or a list at addresses
// of their own. What is loaded is what is in sight.

import { readObject } from '../../api/calendars.js';
import { query, queryAll } from '../../core/dom.js';
import { t } from '../../core/i18n.js';
import { readEvents } from '../../formats/calendar.js';
import { addDays, today } from '../../formats/days.js';
import { draftAt } from '../../model/drafts.js';
import { user } from '../../model/session.js';
import { FIRST_DAY } from '../../ui/date-picker.js';
import { tellProblem } from '../../ui/notices.js';
import { keyOf } from './blocks.js';
import { calendarRooms, setShown } from './calendars.js';
import { calendarChanges } from './changes.js';
import { listenForDrags } from './drag.js';
import { openEditor } from './editor.js';
import { ZONE } from './format.js';
import { calendarFrame } from './frame.js';
import { listenForKeys } from './gestures.js';
import { placeNow } from './grid.js';
import { calendarCommands } from './keys.js';
import { timeOf } from './layout.js';
import { calendarMenu } from './menu.js';
import { movedBy, movedTo, resizedBy } from './moving.js';
import { canChange } from './own.js';
import { openQuick } from './quick.js';
import { openEvent } from './reading.js';
import { startReminders } from './reminders.js';
import { addressOf, daysInSight, daysKept, parseCalendarRoute, stepped, VIEWS } from './routes.js';
import { CalendarSource, rangeOf } from './source.js';
import { bringInFiles, saveAs } from './transfer.js';
import { showWaiting } from './waiting.js';

/** @import { Mount } from '../kind.d.ts' */
/** @import { EventChange } from '../../formats/calendar-fields.js' */
/** @import { Drawn } from './drag.js' */
/** @import { KeptEvent } from './editor.js' */
/** @import { ShownEvent } from './source.js' */
/** @import { CalendarRoute, ViewName } from './routes.js' */

const VIEW = 'calendar-view';
/** what is asked for an event that is looked for by its message: from long ago to far ahead, in seconds */
const AGE = 50 * 366 * 86_400;
const MINUTE_MS = 60_000;
/** a press that closes a popover draws nothing */
const CLOSING_MS = 300;

/** @type {Mount} */
export function mount(host, context) {
  const { store } = context;
  const source = new CalendarSource(daysKept(today()).map(rangeOf));
  /** @type {CalendarRoute} */
  let route = { view: usualView(), day: today() };
  let rooms = calendarRooms(store);
  let closedAt = 0;
  /** whether what is shown is not what there is */
  let isDue = false;
  let loading = new AbortController();
  /** @type {Map<string, ShownEvent>} by key */
  let shown = new Map();
  /** What is being written of an event, by its key, or of a new one. */
  const draftOf = (key = '') => draftAt(store.name, 'event', key);
  const isHere = () => (user.get()?.username ?? '') === context.username;
  const changes = calendarChanges({ source, shown: draw, reload });
  const writable = () => rooms.filter(({ canWrite }) => canWrite);
  const canCreate = () => writable().length > 0;

  const frame = calendarFrame(host, context, {
    step,
    choose,
    goToday: () => go(route.view, today()),
    create: canCreate() ? () => edit(route.day) : undefined,
    more: (button) => calendarMenu(button, { store, rooms, view: route.view, choose, chooseRoom, bringIn }),
    chooseRoom,
    redraw: draw,
    swipe: (by) => (route.view === 'week' ? go('week', addDays(route.day, by)) : step(by)),
    drop: bringIn,
  });

  /** @param {ViewName} view @param {string} day */
  function go(view, day) {
    location.hash = addressOf(store.name, view, day);
  }

  /** @param {1 | -1} by */
  function step(by) {
    go(route.view, stepped(route.view, route.day, by));
  }

  /** @param {ViewName} view */
  function choose(view) {
    go(view, route.day);
  }

  const sight = () => daysInSight(route.view, route.day, FIRST_DAY);
  const range = () => rangeOf(sight());

  function draw() {
    // what is being drawn or read there keeps its place
    isDue = query(frame.body, '.ghost, [aria-expanded="true"]') !== null;
    if (isDue) return;
    const events = source.events(
      rooms.filter(({ isOn }) => isOn),
      range(),
    );
    shown = new Map(events.map((event) => [keyOf(event), event]));
    frame.draw(events, { route, rooms, ...sight() });
  }

  /** @param {string} room */
  async function reload(room) {
    if (room === store.name) await store.refresh().catch(() => {});
    await source.load(room, range(), loading.signal).catch(() => {});
    if (!loading.signal.aborted) draw();
  }

  async function load() {
    loading.abort();
    loading = new AbortController();
    const { signal } = loading;
    frame.setBusy(true);
    const wanted = rooms.filter(({ isOn }) => isOn);
    const answers = await Promise.allSettled(
      wanted.map(async ({ name }) => {
        await source.load(name, range(), signal);
        if (!signal.aborted) draw();
      }),
    );
    if (signal.aborted) return;
    frame.setBusy(false);
    const faults = answers.flatMap((answer) => (answer.status === 'rejected' ? [answer.reason] : []));
    frame.showFault(faults[0], load);
    if (faults.length === 0) void source.keep(wanted);
  }

  /** @param {string} name @param {boolean} isOn */
  function chooseRoom(name, isOn) {
    setShown(name, isOn);
    rooms = calendarRooms(store);
    draw();
    if (isOn) tellProblem(() => source.load(name, range(), loading.signal).then(draw));
  }

  /** @param {HTMLElement} anchor @param {ShownEvent} event */
  function open(anchor, event) {
    openEvent(anchor, event, {
      edit: (each) => editEvent(each),
      remove: (each) => changes.remove(each),
      answer: changes.answer,
      takeOut: ({ room, name, title }) => saveAs(source.object(room, name)?.text ?? '', title || name),
      closed,
    });
  }

  const closed = () => {
    closedAt = performance.now();
    release();
  };

  function release() {
    if (isDue) draw();
  }

  /** @param {string} day @param {EventChange} [fields] @param {string} [room] */
  function edit(day, fields = {}, room = usualRoom()) {
    const save = (/** @type {string} */ to, /** @type {EventChange} */ change) => changes.create(to, change);
    openEditor({ day, fields, room, rooms: writable(), draft: draftOf(), save });
  }

  /** @param {ShownEvent} event */
  function editEvent(event) {
    const seen = source.object(event.room, event.name)?.text;
    openEditor({
      event,
      room: event.room,
      rooms: writable(),
      draft: draftOf(keyOf(event)),
      save: async (to, change) => {
        const isDone = await changes.change(event, change, t('calendar.changed'), { seen });
        if (isDone && to !== event.room) await changes.transfer(event, to);
        return isDone;
      },
    });
  }

  /** What was being written when the reader went, or the session ended. */
  function editAgain() {
    const event = [...shown].find(([key]) => draftOf(key).read())?.[1];
    if (event) return editEvent(event);
    const kept = /** @type {KeptEvent | undefined} */ (draftOf().read()?.value);
    if (kept && canCreate()) edit(kept.day, kept.fields, kept.room);
  }

  const usualRoom = () => (rooms[0].canWrite ? rooms[0].name : (writable()[0]?.name ?? ''));

  /** @param {Drawn} drawn */
  function createAt({ first, last, anchor }) {
    const when = (/** @type {{ day: string, minutes?: number }} */ { day, minutes }) => {
      if (minutes === undefined) return { day };
      return minutes < 1440
        ? { day, time: timeOf(minutes), zone: ZONE }
        : { day: addDays(day, 1), time: '00:00', zone: ZONE };
    };
    const span = { from: when(first), to: when(last) };
    const remove = () => {
      anchor.closest('li:has(> .ghost)')?.remove();
      anchor.remove();
      closed();
      for (const each of queryAll(host, '[data-target]')) each.removeAttribute('data-target');
    };
    const draft = draftOf();
    const keep = (/** @type {string} */ room, /** @type {string} */ title) =>
      draft.keep({ written: [], value: { day: first.day, room, fields: { ...span, title } } });
    openQuick(anchor, span, {
      rooms: writable(),
      room: usualRoom(),
      written: keep,
      async save(room, title) {
        keep(room, title);
        if (await changes.told(() => changes.create(room, { ...span, title }))) draft.drop();
        // what was written is there to be tried again
        else if (isHere()) editAgain();
      },
      more: (room, title) => edit(first.day, { ...span, title }, room),
      onClose() {
        remove();
        if (isHere()) draft.drop();
      },
    });
  }

  /** @param {ShownEvent} event @param {{ from: EventChange['from'], to: EventChange['to'] }} times */
  const moveTo = (event, times) =>
    changes.told(() =>
      changes.change(event, times, t('calendar.moved', { title: event.title || t('calendar.untitled') })),
    );

  const eventOf = (/** @type {string} */ key) => shown.get(key);
  listenForDrags(frame.body, {
    eventOf,
    canChange,
    canDraw: () => canCreate() && performance.now() - closedAt > CLOSING_MS && !frame.isNarrow(),
    draw: createAt,
    release,
    move(event, days, minutes) {
      const isSame = days === 0 && minutes === undefined;
      if (isSame) return;
      moveTo(
        event,
        minutes === undefined
          ? movedBy(event, { days }, ZONE)
          : movedTo(event, addDays(event.firstDay, days), minutes, ZONE),
      );
    },
    resize: (event, by) => moveTo(event, resizedBy(event, by, ZONE)),
  });
  listenForKeys(frame.body, {
    eventOf,
    route: () => route,
    open,
    edit: (event) => canChange(event) && editEvent(event),
    remove: (event) => event.canWrite && changes.remove(event),
    shift: (event, kind, by) =>
      canChange(event) && moveTo(event, (kind === 'move' ? movedBy : resizedBy)(event, by, ZONE)),
    goDay(day) {
      route = { ...route, day };
      history.replaceState(null, '', addressOf(store.name, route.view, day));
      draw();
      load();
    },
    createAt: (day, minutes) =>
      canCreate() && performance.now() - closedAt > CLOSING_MS && edit(day, spanAt(day, minutes)),
  });

  /** @param {File[]} files */
  function bringIn(files) {
    if (canCreate()) bringInFiles(files, writable(), usualRoom(), reload);
  }

  /** The event of a message: its address becomes that of its day. @param {number} msgnum @param {AbortSignal} signal */
  async function showMessage(msgnum, signal) {
    const { text } = await readObject(store.name, msgnum, signal);
    const now = Date.now() / 1000;
    const events = readEvents(text, now - AGE, now + AGE, ZONE);
    const event = events.find(({ end }) => end >= now) ?? events.at(-1);
    signal.throwIfAborted();
    route = { view: route.view, day: event?.firstDay ?? today() };
    history.replaceState(null, '', addressOf(store.name, route.view, route.day));
    return event;
  }

  const timer = setInterval(() => {
    const line = query(frame.body, '.now');
    if (line && line.parentElement?.dataset.day === today()) placeNow(line);
    else draw();
  }, MINUTE_MS);
  startReminders();
  const endWaiting = showWaiting({ source, shown: draw, reload });

  return {
    parseRoute: (rest) => parseCalendarRoute(rest, { view: usualView(), today: today() }),
    async show(wanted, signal) {
      const before = route;
      route = wanted;
      const looked = wanted.msgnum === undefined ? undefined : await showMessage(wanted.msgnum, signal);
      if (wanted.isNew) history.replaceState(null, '', addressOf(store.name, route.view, route.day));
      localStorage.setItem(VIEW, route.view);
      rooms = calendarRooms(store);
      frame.turnTo(route, before.view !== route.view);
      draw();
      frame.focus();
      const title = frame.title();
      const loaded = load();
      if (looked) {
        await loaded;
        const found = [...shown.values()].find(({ uid, start }) => uid === looked.uid && start === looked.start);
        const anchor = found && query(frame.body, `[data-event="${CSS.escape(keyOf(found))}"]`);
        if (found && anchor) open(anchor, found);
      }
      if (wanted.isNew && canCreate()) edit(route.day);
      else loaded.then(() => signal.aborted || editAgain());
      return title;
    },
    update: () => {
      source.load(store.name, range(), loading.signal).then(draw, () => {});
    },
    unmount() {
      clearInterval(timer);
      endWaiting();
      loading.abort();
      changes.flush();
      frame.unmount();
    },
    commands: calendarCommands({
      create: () => edit(route.day),
      canCreate,
      step,
      goToday: () => go(route.view, today()),
      choose,
      back: context.leaveRoom,
    }),
  };
}

/** The last one chosen on this device. @returns {ViewName} */
const usualView = () => VIEWS.find((view) => view === localStorage.getItem(VIEW)) ?? 'month';

/** An hour from there, or the whole day. @param {string} day @param {number} [minutes] @returns {EventChange} */
function spanAt(day, minutes) {
  if (minutes === undefined) return { from: { day }, to: { day } };
  const from = Math.floor(Math.min(minutes, 1380) / 30) * 30;
  return {
    from: { day, time: timeOf(from), zone: ZONE },
    to:
      from + 60 < 1440
        ? { day, time: timeOf(from + 60), zone: ZONE }
        : { day: addDays(day, 1), time: '00:00', zone: ZONE },
  };
}
