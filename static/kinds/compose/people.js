// To, Cc and Bcc: chips with suggestions; who cannot be reached is marked before anything is sent.

import { checkRecipient, suggestRecipients } from '../../api/people.js';
import { element } from '../../core/dom.js';
import { t } from '../../core/i18n.js';
import { isRecipient, parseRecipient } from '../../formats/addresses.js';
import { chipsField } from '../../ui/chips.js';

/** @import { MessageDraft } from '../../model/drafts.js' */

/** @type {Map<string, Promise<string | undefined>>} */
const checked = new Map();

/**
 * Why nothing would reach them; undefined for who can be reached, or where that cannot be told.
 * @param {string} recipient
 */
function faultOf(recipient) {
  if (!isRecipient(recipient)) return t('compose.broken');
  const known = checked.get(recipient);
  if (known) return known;
  const { address } = parseRecipient(recipient);
  const words = () => t(address.includes('@') ? 'compose.unreachable' : 'compose.unknown', { name: address });
  const asked = checkRecipient(recipient).then(
    ({ is_known }) => {
      // an account may be made meanwhile
      if (!is_known) checked.delete(recipient);
      return is_known ? undefined : words();
    },
    () => void checked.delete(recipient),
  );
  checked.set(recipient, asked);
  return asked;
}

const suggest = async (/** @type {string} */ words) =>
  (await suggestRecipients(words)).map(({ name, addr, recipient }) => ({
    value: recipient,
    label: name || addr,
    detail: name ? addr : undefined,
  }));

/**
 * The three fields; Cc and Bcc are there when they are asked for.
 * @param {MessageDraft} draft @param {() => void} changed
 */
export function peopleFields(draft, changed) {
  const field = (/** @type {'to' | 'cc' | 'bcc'} */ name) => {
    const [values, typed] = [draft[name], draft.typed?.[name] ?? ''];
    const label = t(`compose.${name}`);
    const chips = chipsField({ id: `mail-${name}`, label, values, typed, suggest, check: faultOf, onChange: changed });
    chips.node.hidden = name !== 'to' && values.length === 0 && typed === '';
    return chips;
  };
  const [to, cc, bcc] = [field('to'), field('cc'), field('bcc')];
  const reveal = (/** @type {typeof cc} */ one, /** @type {string} */ name) => {
    const click = () => {
      one.node.hidden = false;
      button.hidden = true;
      one.focus();
    };
    const button = element(
      'button',
      {
        type: 'button',
        class: 'linkish',
        hidden: !one.node.hidden,
        'aria-label': t(`compose.add-${name}`),
        on: { click },
      },
      t(`compose.${name}`),
    );
    return button;
  };
  to.node.append(element('div', { class: 'group push' }, reveal(cc, 'cc'), reveal(bcc, 'bcc')));
  const all = [to, cc, bcc];
  return {
    nodes: all.map(({ node }) => node),
    /** What is a chip already, and apart from it what is none yet. */
    now() {
      const [inTo, inCc, inBcc] = all.map((one) => one.now());
      const typed = { to: inTo.typed, cc: inCc.typed, bcc: inBcc.typed };
      return { to: inTo.values, cc: inCc.values, bcc: inBcc.values, typed };
    },
    /** What is written and no chip yet becomes one. */
    read: () => ({ to: to.values(), cc: cc.values(), bcc: bcc.values() }),
    focus: () => to.focus(),
    /** Leads to the first one who cannot be reached; answers why, undefined where there is none. */
    async fault() {
      for (const one of all) {
        for (const value of one.values()) {
          const fault = await faultOf(value);
          if (fault === undefined) continue;
          one.focus();
          return `${parseRecipient(value).name || value}: ${fault}`;
        }
      }
      return undefined;
    },
  };
}
