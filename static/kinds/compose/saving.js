// Saves what is being written among the drafts of the server, a moment after it has changed, and when the page is left.

import { t } from '../../core/i18n.js';
import { shortClock } from '../../formats/times.js';
import { letterOf } from './send.js';

/** @import { serverDraft } from '../../model/server-draft.js' */
/** @import { buildForm } from './form.js' */

/** from a change until it is saved */
const SAVE_MS = 3000;

/**
 * `saved` hears of each new number, and whether that has all that is written.
 * @param {ReturnType<typeof serverDraft>} drafts
 * @param {ReturnType<typeof buildForm>} form
 * @param {(msgnum: number, isAll: boolean) => void} saved
 */
export function keepSaving(drafts, form, saved) {
  let timer = 0;
  /** how often it was changed, and how often it had been when the server took it */
  let changes = 0;
  let kept = 0;
  let isStopped = false;
  const isDirty = () => kept < changes;

  async function save() {
    clearTimeout(timer);
    timer = 0;
    if (!isDirty() || isStopped) return;
    const now = changes;
    try {
      const msgnum = await drafts.save(await letterOf(form.now(), form.pictures()));
      kept = Math.max(kept, now);
      saved(msgnum, !isDirty());
      form.say(t('compose.saved', { time: shortClock(new Date()) }));
    } catch {
      form.say(t('compose.not-saved'));
    }
  }
  // a letter takes a moment to be made, which there is not while the page is being left: it is made when it changes
  const leaving = async () => {
    if (isDirty() && !isStopped) drafts.saveLeaving(await letterOf(form.now(), form.pictures()));
  };
  addEventListener('pagehide', leaving);
  const stop = () => {
    isStopped = true;
    clearTimeout(timer);
    removeEventListener('pagehide', leaving);
  };
  return {
    touch() {
      changes++;
      if (timer === 0) timer = window.setTimeout(save, SAVE_MS);
    },
    stop,
    /** The form is left: saves what is not yet, answers whether all of it is kept there. */
    async end() {
      if (isStopped) return false;
      await save();
      const isKept = !isDirty() && drafts.msgnum() !== undefined;
      stop();
      return isKept;
    },
  };
}
