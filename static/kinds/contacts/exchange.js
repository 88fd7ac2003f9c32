// Contacts from a file, and into one.

import { readObjects } from '../../api/objects.js';
import { Problem } from '../../api/request.js';
import { element } from '../../core/dom.js';
import { t } from '../../core/i18n.js';
import { announce, tellProblem } from '../../ui/notices.js';
import { cardsIn } from './cards-file.js';

/** @typedef {import('./cards-file.js').Card} Card */

/** requests at once */
const AT_ONCE = 4;
/** larger files are none that a program has written for people */
const MOST_BYTES = 50_000_000;

/**
 * Answers how many came, were there already, and were refused. Throws Problem for what is no file of contacts.
 * @param {Blob} file @param {(card: Card) => Promise<unknown>} add @param {(done: number, count: number) => void} told
 */
export async function importCards(file, add, told) {
  const cards = file.size > MOST_BYTES ? [] : cardsIn(await file.text());
  if (cards.length === 0) throw new Problem(0, t('contacts.no-cards'), t('contacts.no-cards'));
  const counts = { added: 0, known: 0, refused: 0 };
  let next = 0;
  const work = async () => {
    while (next < cards.length) {
      const card = cards[next++];
      try {
        await add(card);
        counts.added++;
      } catch (problem) {
        if (!(problem instanceof Problem)) throw problem;
        // without a connection the others would not come either
        if (problem.status === 0 || problem.status === 401) throw problem;
        counts[problem.status === 412 || problem.status === 409 ? 'known' : 'refused']++;
      }
      told(counts.added + counts.known + counts.refused, cards.length);
    }
  };
  await Promise.all(Array.from({ length: AT_ONCE }, work));
  return counts;
}

/** Asks for a file. @param {(file: File) => unknown} chosen */
export function chooseFile(chosen) {
  const input = element('input', { type: 'file', accept: '.vcf,.vcard,text/vcard,text/x-vcard' });
  input.addEventListener('change', () => input.files?.[0] && chosen(input.files[0]));
  input.click();
}

/** All contacts of the room as one file. @param {string} room */
export const exportRoom = (room) =>
  tellProblem(async () => {
    const found = await readObjects(room, 'contacts', { isWhole: true });
    save(`${room}.vcf`, found.map(({ text }) => text).join(''));
    announce(t('contacts.exported', { count: found.length }));
  });

/** @param {string} name @param {string} text */
export function save(name, text) {
  const address = URL.createObjectURL(new Blob([text], { type: 'text/vcard' }));
  element('a', { href: address, download: name.replaceAll(/[/\\:]/g, '-') }).click();
  setTimeout(() => URL.revokeObjectURL(address), 60_000);
}
