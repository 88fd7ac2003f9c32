// Rules for new names of rooms and floors: allowed characters, and names that look alike (UTS #39, RFC 8264). Not for
// finding rooms: names.ts says which spellings are the same name. Used by the embedded room server, and by the gateway
// for servers without such rules. Linear in the name.

import { OWN_ROOM } from './room-facts.ts';

/** The stored form: NFC, single spaces, trimmed. */
export function foldName(name: string): string {
  return name
    .normalize('NFC')
    .replace(/\p{Zs}+/gu, ' ')
    .replace(/^ | $/g, '');
}

/** invisible characters, those that affect others, and unassigned ones */
const HIDDEN =
  /[\p{Cc}\p{Cf}\p{Cs}\p{Co}\p{Cn}\p{Zl}\p{Zp}\p{Default_Ignorable_Code_Point}\p{Bidi_Control}\u2800\uFFFC\uFFFD]/u;
/** a mark without a letter, or the same mark twice */
const LOOSE_MARK = /(?:^|[\p{Z}\p{P}])\p{M}|(\p{Mn})\1/u;

// Joiners and variation selectors are allowed inside emoji (UTS #51) …
const EMOJI = String.raw`\p{Extended_Pictographic}(?:\uFE0F|\uFE0E|\p{Emoji_Modifier})?`;
const EMOJI_SEQUENCE = new RegExp(
  String.raw`\u{1F3F4}[\u{E0061}-\u{E007A}\u{E0030}-\u{E0039}]{2,6}\u{E007F}|` +
    String.raw`[0-9#*]\uFE0F?\u20E3|${EMOJI}(?:\u200D${EMOJI})*`,
  'gu',
);
// … and inside words of scripts with joining letters: next to an Indic virama (RFC 5892 appendix A.1), and a non-joiner
// between Arabic letters (RFC 5892 appendix A.2).
const VIRAMA = String.raw`[\u094D\u09CD\u0A4D\u0ACD\u0B4D\u0BCD\u0C4D\u0CCD\u0D4D\u0DCA\u1039\u17D2]`;
const JOINED = new RegExp(
  String.raw`(?<=\p{L}\p{M}?${VIRAMA})[\u200C\u200D]|(?<=\p{L})\u200D(?=${VIRAMA})|` +
    String.raw`(?<=\p{Script=Arabic}\p{M}?)\u200C(?=\p{Script=Arabic})`,
  'gu',
);

/** letters and digits with their marks; apostrophes and hyphens are boundaries */
const WORD = /[\p{L}\p{M}\p{N}\u200C\u200D]+/gu;
const LETTER = /\p{L}/u;
const OF_NO_SCRIPT = /[\p{Script_Extensions=Common}\p{Script_Extensions=Inherited}]/u;
const OTHER_SCRIPT = -1;
/** Latin and the scripts that mix with it in one word, then scripts that do not mix. */
const SCRIPTS: readonly RegExp[] = [
  /[\p{scx=Latin}\p{scx=Han}\p{scx=Hiragana}\p{scx=Katakana}\p{scx=Hangul}\p{scx=Bopomofo}]/u,
  /\p{Script_Extensions=Cyrillic}/u,
  /\p{Script_Extensions=Greek}/u,
  /\p{Script_Extensions=Armenian}/u,
  /\p{Script_Extensions=Georgian}/u,
  /\p{Script_Extensions=Hebrew}/u,
  /\p{Script_Extensions=Arabic}/u,
  /\p{Script_Extensions=Syriac}/u,
  /\p{Script_Extensions=Thaana}/u,
  /\p{Script_Extensions=Ethiopic}/u,
  /\p{Script_Extensions=Mongolian}/u,
  /\p{Script_Extensions=Devanagari}/u,
  /\p{Script_Extensions=Bengali}/u,
  /\p{Script_Extensions=Gurmukhi}/u,
  /\p{Script_Extensions=Gujarati}/u,
  /\p{Script_Extensions=Oriya}/u,
  /\p{Script_Extensions=Tamil}/u,
  /\p{Script_Extensions=Telugu}/u,
  /\p{Script_Extensions=Kannada}/u,
  /\p{Script_Extensions=Malayalam}/u,
  /\p{Script_Extensions=Sinhala}/u,
  /\p{Script_Extensions=Thai}/u,
  /\p{Script_Extensions=Lao}/u,
  /\p{Script_Extensions=Tibetan}/u,
  /\p{Script_Extensions=Myanmar}/u,
  /\p{Script_Extensions=Khmer}/u,
  /\p{Script_Extensions=Cherokee}/u,
  /\p{Script_Extensions=Coptic}/u,
  /\p{Script_Extensions=Lisu}/u,
  /\p{Script_Extensions=Canadian_Aboriginal}/u,
  /\p{Script_Extensions=Tifinagh}/u,
];

/** Why a folded name is confusing, or undefined. */
export function nameFault(name: string): string | undefined {
  const plain = name.replace(EMOJI_SEQUENCE, '').replace(JOINED, '');
  if (HIDDEN.test(plain))
    return 'A name cannot contain invisible characters, or ones that change the writing direction.';
  if (LOOSE_MARK.test(plain.normalize('NFD')))
    return 'A combining mark in a name must follow a letter and cannot be repeated.';
  if ((name.match(WORD) ?? []).some(isMixed)) return 'A word of a name cannot mix letters of different alphabets.';
  return undefined;
}

function isMixed(word: string): boolean {
  let possible: Set<number> | undefined;
  for (const letter of word) {
    if (!LETTER.test(letter) || OF_NO_SCRIPT.test(letter)) continue;
    const of = scriptsOf(letter);
    possible = possible ? possible.intersection(of) : of;
    if (possible.size === 0) return true;
  }
  return false;
}

/** A letter may belong to several scripts. Letters of unlisted scripts mix with no listed script. */
function scriptsOf(letter: string): Set<number> {
  const found = SCRIPTS.flatMap((pattern, i) => (pattern.test(letter) ? [i] : []));
  return new Set(found.length > 0 ? found : [OTHER_SCRIPT]);
}

/** Names that look alike have the same key; areAlike decides. */
export function lookKey(name: string): string {
  return skeleton(name, 'l', 'l').replaceAll('i', 'l');
}

/** The same for an account, whose name is compared by letters and digits. */
export function userLookKey(name: string): string {
  return lookKey(name.replace(NOT_COMPARED, ''));
}

export function areUsersAlike(name: string, other: string): boolean {
  return areAlike(name.replace(NOT_COMPARED, ''), other.replace(NOT_COMPARED, ''));
}

const NOT_COMPARED = /[^A-Za-z0-9]+/g;

/** how a Latin capital I without accent and the digit 1 are read */
const READINGS = [
  ['i', 'i'],
  ['i', 'l'],
  ['l', 'l'],
] as const;

/**
 * Whether two names look alike: equal except for case and look-alike letters. I and 1 look like l, but Mail does not
 * look like Mall. Accents count.
 */
export function areAlike(name: string, other: string): boolean {
  return READINGS.some(([capitalI, one]) => skeleton(name, capitalI, one) === skeleton(other, capitalI, one));
}

function skeleton(name: string, capitalI: 'i' | 'l', one: 'i' | 'l'): string {
  let letters = '';
  const shown = foldName(name)
    .normalize('NFKD')
    .replace(/\p{Default_Ignorable_Code_Point}/gu, '')
    .replace(/I(?!\p{M})/gu, capitalI)
    .toLowerCase();
  for (const letter of shown) letters += LOOK_ALIKES.get(letter) ?? letter;
  letters = letters.replaceAll('1', one);
  for (const [pair, letter] of PAIRS) letters = letters.replaceAll(pair, letter);
  return foldName(letters);
}

/** Rooms on every server, or of every user: no other room may look like one of them. */
export const WELL_KNOWN_ROOMS: readonly string[] = [
  ...['Lobby', 'Aide', 'Trashcan', 'Global Address Book'],
  ...Object.values(OWN_ROOM),
];

/**
 * `target: characters that look like it`. Applied after NFKD, which handles fullwidth, mathematical and circled
 * variants, and after lower-casing. Where the cases of a letter look different, the capital decides (Cyrillic ve looks
 * like B).
 */
const GROUPS: readonly string[] = [
  // Latin letters: Latin variants and small capitals, Cyrillic, Greek, Armenian, Cherokee, Lisu, Coptic, others
  'a: ɑᴀа α ꭺ ꓮ ⲁ',
  'b: ʙɓвь β ᏼꮟᏏ ꓐ ⲃ',
  'c: ᴄɕс ꮯ ꓚ ⲥ',
  'd: ᴅɖԁ ꭰꮷ ꓓ ժ',
  'e: ᴇɛеҽ ε ꭼ ꓰ ⲉ',
  'f: ꜰϝ ꓝ ք',
  'g: ɡɢԍ ց ꮐ ꓖ գ',
  'h: ʜһн η հ ꮋꮒ ꓧ ⲏ',
  'i: ıɩɪіι ꭵ',
  'j: ȷᴊјϳ յ ꭻ ꓙ',
  'k: ᴋкκ ꮶ ꓗ ⲕ',
  'l: ʟⳑ ꮮ ꓡ լ',
  'm: ᴍмμ ꮇ ꓟ ⲙ',
  'n: ɴν ոռ ꓠ ⲛ',
  'o: ᴏоοσօ ꓳ ⲟ ⵔ 𐐬 ס ه ہ ە ھ ഠ ଠ ဝ',
  'p: ᴘрρ ꮲ ꓑ ⲣ',
  'q: ԛ զ',
  'r: ʀгᴦ ꭱꮢ ꓣ',
  's: ꜱѕ տ ꮪꮥ ꓢ 𐑈',
  't: ᴛтτ ꭲ ꓔ ⲧ',
  'u: ᴜυ ս ꓴ',
  'v: ᴠѵ ꮩ ꓦ ⴸ',
  'w: ᴡԝѡω ա ꮃꮤ ꓪ ⲱ',
  'x: хχ ꓫ ⲭ ⵝ',
  'y: ʏуүγ ꮍꭹ ꓬ',
  'z: ᴢζ ꮓ ꓜ',
  // bars; the digit stands for what looks like it, and is read as i and as l by name-rules.ts
  'l: ∣❘ǀƖӏו ן ا ׀ ⵏ ꓲ ⲓ',
  '1: |١۱',
  // digits of other scripts look like letters as much as like ours
  'o: 0٥۵०০੦૦୦௦౦೦൦๐໐၀០᠐',
  '3: зʒӡ ვ',
  '4: ꮞ',
  '6: б ꮾ',
  '8: ȣ ৪ ੪',
  // Han and Katakana
  '口: ロ',
  '二: ニ',
  '力: カ',
  '工: エ',
  '卜: ト',
  '八: ハ',
  '夕: タ',
  '千: チ',
  '一: ー',
  // Arabic letters that differ at their end only
  'ي: ىیۍې',
  'ك: کڪ',
  // dashes, quotes, points
  '-: ‐‒–—―−⁃־᠆⸺⸻',
  "': ‘’‛ʼʹʻʽˈ′`׳՚",
  '": “”„‟״〃',
  '/: ⁄∕╱ノ丿⧸',
  '.: 。٠۰',
  '·: •‧∙⋅・ᐧ',
  ',: ‚٫،、',
  ':: ∶։׃꞉ː',
  '!: ǃ',
  '*: ∗⁎٭',
  '~: ∼〜',
  '_: ˍ',
];

/** longer ones that look like one letter */
export const PAIRS: readonly [pair: string, letter: string][] = [
  ['rn', 'm'],
  ['vv', 'w'],
];

/** one character → the one that stands for it; others stand for themselves */
export const LOOK_ALIKES: ReadonlyMap<string, string> = new Map(
  GROUPS.flatMap((group) => {
    const target = group.charAt(0);
    const others = [...group.slice(2).replaceAll(' ', '')];
    return others.flatMap((each) => [[each, target] as const, [each.toLowerCase(), target] as const]);
  }),
);
