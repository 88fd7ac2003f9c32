// Characters that look like others: which letter or mark stands for each when names are compared. Written after the
// idea of UTS #39 (confusable skeletons), for what a list of names shows: capitals and small letters of Latin,
// Cyrillic, Greek, Armenian, Cherokee, Lisu, Coptic and some other scripts, digits, dashes, quotes. Pure.

/**
 * `target: characters that look like it`. Applied behind NFKD, which takes care of fullwidth, mathematical, circled and
 * other variants, and behind lower case: capitals decide where the two cases of a letter look like different ones (the
 * Cyrillic letter ve is here for its capital, which looks like B).
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
