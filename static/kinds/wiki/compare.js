// What changed between two versions of a page, line by line.

import { readVersionContent } from '../../api/groupware.js';
import { element, hiddenText } from '../../core/dom.js';
import { locale, t } from '../../core/i18n.js';
import { blockLines, diffLines } from '../../formats/diff.js';
import { choice, field } from '../../ui/form.js';
import { errorBox } from '../../ui/notices.js';

/** @import { PageVersion } from '../../api/interface.d.ts' */
/** @import { DiffLine } from '../../formats/diff.js' */

/** lines around a change that stay in sight */
const AROUND = 2;
/** short enough for both to be read beside each other */
const when = new Intl.DateTimeFormat(locale, { dateStyle: 'medium', timeStyle: 'short' });

/** @param {string} room @param {number} msgnum @param {PageVersion[]} versions the latest first */
export function comparison(room, msgnum, versions) {
  /** @type {[string, string][]} */
  const options = versions.map(({ version, time, from }) => [
    version,
    `${when.format(time * 1000)}, ${from || t('message.nobody')}`,
  ]);
  const from = choice('version-from', options, versions[1].version);
  const to = choice('version-to', options, versions[0].version);
  const shown = element('div', {
    class: 'diff',
    role: 'region',
    'aria-label': t('wiki.changes'),
    'aria-live': 'polite',
  });
  /** @type {Map<string, Promise<string>>} */
  const texts = new Map();
  const textOf = (/** @type {string} */ version) => {
    const text = texts.get(version) ?? readVersionContent(room, msgnum, version).then(linesIn);
    texts.set(version, text);
    return text;
  };
  const show = async () => {
    const wanted = [from.value, to.value];
    try {
      const [before, after] = await Promise.all(wanted.map(textOf));
      if (from.value === wanted[0] && to.value === wanted[1])
        shown.replaceChildren(...linesOf(diffLines(before, after)));
    } catch (problem) {
      texts.clear();
      shown.replaceChildren(errorBox(problem));
    }
  };
  for (const each of [from, to]) each.addEventListener('change', show);
  show();
  return element(
    'section',
    { class: 'stack', 'aria-label': t('wiki.compare') },
    element('h3', { class: 'section' }, t('wiki.compare')),
    element('div', { class: 'page-facts' }, field(t('wiki.from-version'), from), field(t('wiki.to-version'), to)),
    shown,
  );
}

/** @param {Blob} content */
const linesIn = async (content) =>
  /^text\/html\b/i.test(content.type) ? blockLines(await content.text()) : content.text();

/** @param {DiffLine[]} lines */
function linesOf(lines) {
  const near = new Set(
    lines.flatMap(({ kind }, i) =>
      kind === 'same' ? [] : Array.from({ length: 2 * AROUND + 1 }, (_, at) => i - AROUND + at),
    ),
  );
  if (near.size === 0) return [element('p', { class: 'muted' }, t('wiki.no-change'))];
  /** @type {HTMLElement[]} */
  const nodes = [];
  let isGap = false;
  lines.forEach(({ kind, text }, i) => {
    if (!near.has(i)) {
      if (!isGap) nodes.push(element('p', { class: 'muted', 'aria-hidden': 'true' }, '…'));
      isGap = true;
      return;
    }
    isGap = false;
    const words = text === '' ? '\u00a0' : text;
    if (kind === 'same') nodes.push(element('p', { dir: 'auto' }, words));
    else if (kind === 'added') nodes.push(element('ins', { dir: 'auto' }, hiddenText(`${t('wiki.added')} `), words));
    else nodes.push(element('del', { dir: 'auto' }, hiddenText(`${t('wiki.removed')} `), words));
  });
  return nodes;
}
