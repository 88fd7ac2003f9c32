// Contacts from a file, and into one.

import { decodeObjectFile } from '../../../src/mime/objects/card-file.ts';
import { readObjects } from '../../api/objects.js';
import { Problem } from '../../api/request.js';
import { element } from '../../core/dom.js';
import { t } from '../../core/i18n.js';
import { readContacts } from '../../formats/contacts.js';
import { beginImport } from '../../model/imports.js';
import { announce, tellProblem } from '../../ui/notices.js';
import { showImport, tellImport } from '../list/importing.js';
import { cardsIn } from './cards-file.js';

const TYPE = 'text/vcard; charset=utf-8';
/** larger files are none that a program has written for people */
const MOST_BYTES = 50_000_000;

/**
 * Brings the contacts of a file in, whatever else is done meanwhile. Throws Problem for what is no file of contacts.
 * @param {File} file @param {string} room @param {() => unknown} over
 */
export async function importCards(file, room, over) {
  const cards = file.size > MOST_BYTES ? [] : cardsIn(decodeObjectFile(new Uint8Array(await file.arrayBuffer())));
  if (cards.length === 0) throw new Problem(0, t('contacts.no-cards'), t('contacts.no-cards'));
  const items = cards.map((card) => ({ ...card, title: readContacts(card.text)[0]?.name || card.uid }));
  const { job, over: done } = beginImport({ name: file.name, room, type: TYPE, items });
  void done.then(() => {
    tellImport(job);
    over();
  });
  await showImport(job);
  // also what was undone
  over();
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
