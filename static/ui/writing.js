// What is written in forms and fields is kept until the server has acknowledged it (model/drafts.js), and stands there
// again when the same user comes back to the same place.

import { element } from '../core/dom.js';
import { t } from '../core/i18n.js';

/** @import { Draft } from '../model/drafts.js' */

/** what may have changed something, also without the keyboard */
const CHANGES = ['input', 'change', 'click', 'keyup', 'focusout'];
/** Buttons and files have nothing to be kept, and secrets are not kept. */
const KEPT = 'textarea, select, input:not([type=password], [type=file], [data-secret])';

/** @param {HTMLElement} root @returns {NodeListOf<HTMLInputElement>} */
const controlsIn = (root) => root.querySelectorAll(KEPT);
/** @param {HTMLInputElement} control */
const valueProperty = ({ type }) => (type === 'checkbox' || type === 'radio' ? 'checked' : 'value');

/**
 * What is written below `root` is kept in `draft`, with what `value` says, whatever happens to the page: it stands
 * there again at once where something is kept already. Answers what is called with `save`, the act after which that is
 * over: it is kept until `save` is done (it answers false where it was not), and what was written meanwhile after that.
 * @param {HTMLElement} root
 * @param {Draft} draft
 * @param {() => unknown} [value] for what no control has, which `root` was made of again
 */
export function keepWriting(root, draft, value = () => undefined) {
  const now = () => ({ written: [...controlsIn(root)].map((each) => each[valueProperty(each)]), value: value() });
  const before = draft.read();
  const first = JSON.stringify(now());
  if (before) fill(root, before.written);
  let last = JSON.stringify(now());
  const keep = () => {
    const text = JSON.stringify(now());
    if (text === last) return;
    last = text;
    if (text === first && !before) draft.drop();
    else draft.keep(JSON.parse(text));
  };
  for (const type of CHANGES) root.addEventListener(type, keep);
  return async (/** @type {() => Promise<unknown>} */ save) => {
    keep();
    const sent = last;
    if ((await save()) === false) return false;
    if (last === sent) draft.drop();
    last = JSON.stringify(now());
    return true;
  };
}

/** @param {HTMLElement} root @param {(string | boolean)[]} written */
function fill(root, written) {
  const controls = [...controlsIn(root)];
  // the form has others by now
  if (controls.length !== written.length) return;
  for (const [at, control] of controls.entries()) {
    const property = valueProperty(control);
    if (control[property] === written[at]) continue;
    Object.assign(control, { [property]: written[at] });
    control.dispatchEvent(new Event('change', { bubbles: true }));
  }
}

/** Says that something was kept, with a way to be rid of it. @param {Draft} draft */
export function keptNote(draft) {
  const discard = () => {
    draft.drop();
    // the page is shown again, without it
    dispatchEvent(new Event('hashchange'));
  };
  return element(
    'p',
    { class: 'banner', role: 'status' },
    element('span', { class: 'grow' }, t('compose.kept')),
    element('button', { type: 'button', class: 'btn', on: { click: discard } }, t('compose.discard')),
  );
}

/** ids of what this page sends now @type {Set<string>} */
const underWay = new Set();

/** @typedef {{ id: string, text: string }} Sent on its way, or not acknowledged */

/**
 * A field that is empty as soon as its text is sent. What was not sent, also before the page was shown again, stands in
 * it before what is written there, parted by `joiner`.
 * @param {HTMLInputElement | HTMLTextAreaElement} field @param {Draft} draft @param {string} joiner
 */
export function sentLines(field, draft, joiner) {
  const kept = () => /** @type {{ text: string, sent: Sent[] }} */ ({ text: '', sent: [], ...draft.read() });
  const keep = (/** @type {string} */ text, /** @type {Sent[]} */ sent) => {
    if (text === '' && sent.length === 0) draft.drop();
    else draft.keep({ text, sent });
  };
  const putBack = (/** @type {string[]} */ ...texts) => {
    field.value = [...texts, field.value].filter(Boolean).join(joiner);
  };
  const { text, sent } = kept();
  const isGoing = (/** @type {Sent} */ { id }) => underWay.has(id);
  putBack(...sent.filter((each) => !isGoing(each)).map((each) => each.text), text);
  keep(field.value, sent.filter(isGoing));
  field.addEventListener('input', () => keep(field.value, kept().sent));

  return {
    /**
     * Throws what `act` throws; it was not sent then, or where `act` answers false.
     * @param {string} written @param {() => Promise<unknown>} act
     */
    async send(written, act) {
      const id = crypto.randomUUID();
      const others = () => kept().sent.filter((each) => each.id !== id);
      underWay.add(id);
      field.value = '';
      keep('', [...kept().sent, { id, text: written }]);
      let isSent = false;
      try {
        isSent = (await act()) !== false;
      } finally {
        underWay.delete(id);
        if (isSent) keep(kept().text, others());
        else if (field.isConnected) {
          putBack(written);
          keep(field.value, others());
        }
      }
    },
  };
}
