// What is seen of an import: how far it has come, what was refused and why, and what can be done about it.

import { element } from '../../core/dom.js';
import { t } from '../../core/i18n.js';
import {
  cancelImport,
  closeImport,
  continueImport,
  forget,
  imports,
  stoppedImports,
  undoImport,
} from '../../model/imports.js';
import { openDialog } from '../../ui/dialog.js';
import { announce, tellProblem } from '../../ui/notices.js';
import { showToast } from '../../ui/toast.js';

/** @typedef {import('../../model/imports.js').ImportJob} ImportJob */

/** that have a dialog now @type {Set<ImportJob>} */
const shown = new Set();

/** Shows it until it is over, or the reader turns to something else: then it goes on. @param {ImportJob} job */
export async function showImport(job) {
  const bar = element('progress', { max: job.items.length, 'aria-label': t('imports.title', { name: job.name }) });
  const said = element('p', { role: 'status' });
  const refused = element('ul', { class: 'stack', tabindex: 0, 'aria-label': t('imports.refused-list') });
  const hands = element('div', { class: 'group' });
  /** @type {ImportJob['state'] | undefined} */
  let state;
  const draw = () => {
    bar.value = job.done;
    said.textContent = summary(job);
    refused.hidden = job.refused.length === 0;
    refused.append(...job.refused.slice(refused.childElementCount).map(refusal));
    if (job.state === state) return;
    state = job.state;
    bar.hidden = state !== 'running' && state !== 'stopped';
    hands.replaceChildren(...handsOf(job));
  };
  draw();
  shown.add(job);
  const end = imports.subscribe(draw);
  const actions = [{ label: t('ui.close'), kind: /** @type {const} */ ('quiet') }];
  await openDialog({ title: t('imports.title', { name: job.name }), body: [bar, said, refused, hands], actions });
  end();
  shown.delete(job);
  if (job.state !== 'running') closeImport(job);
  else announce(t('imports.background'));
}

/** @param {ImportJob['refused'][number]} refusal */
const refusal = ({ title, reason }) =>
  element('li', {}, element('b', {}, element('bdi', {}, title)), element('div', { class: 'soft' }, reason));

/** @param {ImportJob} job */
function summary({ name, state, done, items, reason, counts, refused }) {
  const at = { done, count: items.length };
  if (state === 'running') return t('imports.progress', at);
  return [
    state === 'stopped' && `${t('imports.stopped', { name, ...at })} ${reason}`,
    state === 'cancelled' && t('imports.cancelled', at),
    t('imports.added', { count: counts.added }),
    counts.updated > 0 && t('imports.updated', { count: counts.updated }),
    counts.known > 0 && t('imports.known', { count: counts.known }),
    refused.length > 0 && t('imports.refused', { count: refused.length }),
  ]
    .filter(Boolean)
    .join(' ');
}

/** @param {ImportJob} job */
function handsOf(job) {
  const hand = (/** @type {string} */ label, /** @type {() => unknown} */ click) =>
    element('button', { type: 'button', class: 'btn', on: { click } }, label);
  if (job.state === 'running') return [hand(t('imports.cancel'), () => cancelImport(job))];
  if (job.state === 'stopped') {
    return [
      hand(t('imports.continue'), () => continueImport(job)),
      hand(t('imports.discard'), () => cancelImport(job)),
    ];
  }
  if (job.written.length === 0) return [];
  const undo = hand(t('ui.undo'), () => {
    undo.disabled = true;
    return tellProblem(async () => announce(t('imports.undone', { count: await undoImport(job) })));
  });
  return [undo];
}

/** Says how it ended where nobody looks at it. @param {ImportJob} job */
export function tellImport(job) {
  if (!imports.get().includes(job) || shown.has(job)) return;
  showToast(summary(job), { action: { label: t('imports.details'), run: () => showImport(job) }, seconds: 30 });
}

/** Those that ended with their page, one after the other: asks whether they go on. */
export async function offerStopped() {
  for (const job of await stoppedImports()) {
    const at = { name: job.name, done: job.done, count: job.items.length };
    const answer = await openDialog({
      title: t('imports.stopped', at),
      actions: [
        { label: t('imports.later'), kind: 'quiet' },
        { label: t('imports.discard'), kind: 'quiet', value: 'discard' },
        { label: t('imports.continue'), kind: 'primary', value: 'continue' },
      ],
    });
    if (answer === 'discard') await forget(job);
    if (answer !== 'continue') continue;
    const over = continueImport(job);
    void over.then(() => tellImport(job));
    await showImport(job);
  }
}
