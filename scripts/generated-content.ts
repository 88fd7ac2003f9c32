// Subjects and bodies for a generated set, of the kinds and sizes that one meets, from a seed. Words follow Zipf's law,
// so that there are some in nearly every message and many in hardly any. The bodies are built as the demo's are.

import { alternative, attachment, calendar, card, multipart, note, plainText } from '../src/extra/demo/bodies.ts';
import { VIEW } from '../src/model.ts';
import type { Random } from '../test/support/random.ts';

export interface Content {
  /** 0 variable, 4 MIME, as ENT0 counts */
  format: number;
  subject: string;
  body: string;
}

const VOCABULARY = 50_000;
const SYLLABLES = 'ba de fi go hu ka le mi no pu ra se ti vo wa xe yi zo'.split(' ');
const WORDS = Array.from({ length: VOCABULARY }, (_, rank) => spell(rank + SYLLABLES.length));
/** a word of some two messages in five, and one that only the messages have that were told to */
export const COMMON_WORD = WORDS[9]!;
export const RARE_WORD = 'zephyrine';

/** `about`: a word that is put into the text. */
export function contentFor(view: number, random: Random, about = ''): Content {
  const subject = sentence(random, 2 + random(7));
  const words = sentence(random, 15 + random(90)) + (about && ` ${about}`);
  const uid = `${random(0x40000000).toString(36)}-${random(0x40000000).toString(36)}`;
  if (view === VIEW.calendar) return { format: 4, subject: '', body: event(uid, subject, words, random) };
  if (view === VIEW.tasks) {
    const body = calendar('VTODO', { UID: uid, SUMMARY: subject, DESCRIPTION: words, STATUS: 'NEEDS-ACTION' });
    return { format: 4, subject: '', body };
  }
  if (view === VIEW.addressBook) {
    const [name, family] = [sentence(random, 1), sentence(random, 1)];
    const properties = { UID: uid, FN: `${name} ${family}`, N: `${family};${name};;;`, NOTE: words };
    return { format: 4, subject: '', body: card({ ...properties, EMAIL: `${name}@example.org` }) };
  }
  if (view === VIEW.notes) return { format: 4, subject: '', body: note(uid, subject, words, '#FFFF00') };
  return { subject, ...letter(words, random) };
}

function letter(words: string, random: Random): Omit<Content, 'subject'> {
  const kind = random(20);
  if (kind < 2) return { format: 0, body: `${words}\n` };
  if (kind < 12) return { format: 4, body: plainText(words) };
  const both = alternative(words, `<html><body><p>${words.replaceAll(' ', ' &middot; ')}</p></body></html>`);
  if (kind < 18) return { format: 4, body: both };
  const bytes = Buffer.alloc(200 + random(3000));
  for (let i = 0; i < bytes.length; i++) bytes[i] = random(256);
  const file = attachment(`${WORDS[random(VOCABULARY)]}.bin`, 'application/octet-stream', bytes);
  return { format: 4, body: multipart('mixed', [both, file]) };
}

function event(uid: string, summary: string, description: string, random: Random): string {
  const start = new Date(Date.UTC(2025, random(24), 1 + random(28), random(24)));
  const stamp = (hours: number) =>
    new Date(start.getTime() + hours * 3_600_000).toISOString().replace(/[-:]|\.\d+/g, '');
  const times = { DTSTAMP: stamp(0), DTSTART: stamp(24), DTEND: stamp(25) };
  return calendar('VEVENT', { UID: uid, ...times, SUMMARY: summary, DESCRIPTION: description });
}

function sentence(random: Random, length: number): string {
  const words = Array.from({ length }, () => WORDS[Math.floor(VOCABULARY ** (random(1 << 20) / (1 << 20))) - 1]!);
  return words.join(' ');
}

/** 18 → 'deba': a number in base SYLLABLES.length */
function spell(number: number): string {
  const rest = Math.floor(number / SYLLABLES.length);
  return (rest > 0 ? spell(rest) : '') + SYLLABLES[number % SYLLABLES.length]!;
}
