// Writing one note: saved as one types, and told where another device has changed it meanwhile.

import { changeNote, newNote, readNote } from '../../formats/notes.js';
import { draftAt } from '../../model/drafts.js';
import { Undecided } from '../../model/object-writing.js';
import { throwAway } from '../../model/outbox.js';
import { noteEditor } from './editor.js';
import { typeOf } from './reading.js';
import { saver } from './saving.js';

/** @typedef {import('../../formats/notes.js').Note} Note */
/** @typedef {Omit<Note, 'uid'>} Fields */
/** @typedef {import('../../model/objects.js').Objects<Note>} Notes */

/** @type {Fields} */
const BLANK = { title: '', text: '', colour: '', isPinned: false };
/** of what has no UID */
const NUMBERED = /^number:(\d+)$/;

/**
 * @param {Notes} notes
 * @param {string | undefined} first its key; undefined for a new one
 * @param {object} room
 * @param {boolean} room.canChange
 * @param {() => void} room.done
 * @param {(() => void) | undefined} room.remove
 * @param {(key: string) => void} room.named hears of the key of a new one
 * @param {(msgnum: number) => Promise<unknown>} room.replace takes the message away that became a note
 */
export function writing(notes, first, { canChange, done, remove, named, replace }) {
  let key = first;
  /** as it is kept */
  let base = fieldsOf(notes, key) ?? BLANK;
  /** as it is on its way */
  let sent = base;
  let isConflict = false;
  let draft = draftAt(notes.store.name, 'note', key ?? '');
  const kept = /** @type {{ fields: Fields, base: Fields } | undefined} */ (draft.read());
  const saving = saver(save, told);
  const editor = noteEditor(kept?.fields ?? base, {
    canChange,
    changed,
    done: () => {
      void saving.flush();
      done();
    },
    remove,
    retry: () => {
      saving.later(editor.fields());
      void saving.flush();
    },
  });
  const hide = () => void saving.flush();

  /** @param {Fields} fields */
  function changed(fields) {
    draft.keep({ fields, base });
    saving.later(fields);
  }

  /** The server has taken this; what was written meanwhile is made from it. @param {Fields} now */
  function taken(now) {
    base = now;
    const left = draft.read();
    draft.drop();
    draft = draftAt(notes.store.name, 'note', key ?? '');
    if (left) draft.keep({ ...left, base });
  }
  addEventListener('pagehide', hide);
  document.addEventListener('visibilitychange', hide);

  /** Throws Problem. @param {Fields} fields */
  async function save(fields) {
    if (isConflict) return;
    const change = differences(base, fields);
    if (Object.keys(change).length === 0) return;
    const numbered = NUMBERED.exec(key ?? '');
    if (key === undefined || numbered) {
      if (fields.title.trim() === '' && fields.text.trim() === '') return;
      const made = newNote(fields);
      sent = fieldsIn(made.text, fields);
      key = made.uid;
      try {
        await notes.add(made);
      } catch (problem) {
        key = numbered?.[0];
        throw problem;
      }
      taken(sent);
      named(made.uid);
      if (numbered) {
        await replace(Number(numbered[1]));
        if (!notes.isWaiting(made.uid)) await notes.store.refresh();
      }
      return;
    }
    const made = (/** @type {string} */ source) => {
      const text = changeNote(source, change);
      sent = fieldsIn(text ?? '', { ...base, ...change });
      return text;
    };
    const type = typeOf(notes.byKey.get(key)?.text ?? '');
    // the editor asks itself
    await notes.change(key, made, { type, ask: async () => undefined, isForm: true });
    taken(sent);
  }

  /** @param {'waiting' | 'saved' | unknown} state */
  function told(state) {
    if (state === 'saved' && isConflict) return;
    if (state === 'saved') draft.drop();
    if (state === 'saved' && key !== undefined && notes.isWaiting(key)) return editor.setState('waits');
    if (state instanceof Undecided && key !== undefined) void overtaken();
    else editor.setState(state);
  }

  /** Somebody was faster: what is there now is read first. */
  async function overtaken() {
    try {
      await notes.store.refresh();
      const { rows } = notes.store;
      await notes.update({ added: rows, removed: [], changed: [] });
    } catch (problem) {
      editor.setState(problem);
      return;
    }
    const theirs = fieldsOf(notes, key);
    if (theirs) return ask(theirs);
    // it was deleted: what is written here is a new one
    key = undefined;
    base = BLANK;
    saving.later(editor.fields());
  }

  /**
   * @param {Fields} theirs @param {Partial<Fields>} [before] what both come from
   * @param {string} [waited] the entry of the outbox that could not be sent
   */
  function ask(theirs, before = base, waited = undefined) {
    isConflict = true;
    const settle = (/** @type {() => void} */ act) => () => {
      isConflict = false;
      if (waited !== undefined) void throwAway(waited);
      base = theirs;
      sent = theirs;
      editor.setConflict(undefined);
      void saving.drop();
      act();
      editor.focus();
    };
    editor.setConflict({
      takeTheirs: settle(() => {
        draft.drop();
        editor.fill(theirs);
      }),
      keepOwn: settle(() => {
        // what only the other device has changed stays
        editor.fill({ ...theirs, ...differences(before, editor.fields()) });
        changed(editor.fields());
        void saving.flush();
      }),
    });
  }

  if (kept && isSame(kept.base, base)) saving.later(kept.fields);
  else if (kept && !isSame(kept.fields, base)) ask(base, kept.base);

  /** What was written without a connection is asked about, too. @param {Fields} theirs */
  function lookBack(theirs) {
    const waited = notes.conflictOf(key);
    const mine = waited?.work.text === undefined ? undefined : readNote(waited.work.text);
    if (!waited || !mine || isConflict) return false;
    if (!saving.isWaiting()) editor.fill(mine);
    ask(theirs, readNote(waited.work.base?.text ?? '') ?? {}, waited.id);
    return true;
  }

  return {
    node: editor.node,
    key: () => key,
    focus: editor.focus,
    /** What is kept may be another's now. */
    look() {
      const kept = fieldsOf(notes, key);
      if (kept && lookBack(kept)) return;
      if (!kept || isConflict || isSame(kept, base) || isSame(kept, sent)) return;
      const written = differences(base, editor.fields());
      if (saving.isWaiting() && Object.keys(written).length > 0) {
        const others = differences(base, kept);
        if (Object.keys(written).some((name) => name in others)) return ask(kept);
        base = kept;
        sent = kept;
        return editor.fill({ ...kept, ...written });
      }
      base = kept;
      sent = kept;
      editor.fill(kept);
    },
    /** What waits is not saved any more. */
    drop() {
      draft.drop();
      return saving.drop();
    },
    end() {
      removeEventListener('pagehide', hide);
      document.removeEventListener('visibilitychange', hide);
      void saving.flush();
    },
  };
}

/** @param {Notes} notes @param {string | undefined} key @returns {Fields | undefined} */
function fieldsOf(notes, key) {
  const known = key === undefined ? undefined : notes.byKey.get(key);
  return known && fieldsFrom(known.said);
}

/** As it is read: one without a title is called by its first line. @param {string} source @param {Fields} written */
const fieldsIn = (source, written) => fieldsFrom(readNote(source) ?? written);

/** @param {Fields} note @returns {Fields} */
const fieldsFrom = ({ title, text, colour, isPinned }) => ({ title, text, colour, isPinned });

/** @param {Fields} one @param {Fields} other */
const isSame = (one, other) => Object.keys(differences(one, other)).length === 0;

/** @param {Partial<Fields>} before @param {Fields} after @returns {Partial<Fields>} */
const differences = (before, after) =>
  Object.fromEntries(
    Object.entries(after).filter(([name, value]) => before[/** @type {keyof Fields} */ (name)] !== value),
  );
