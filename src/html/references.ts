// Character references (HTML section 13.2.5.72 and the following, table in HTML section 13.5): all numeric ones, and
// the named ones used in mail. Unknown references stay literal text.

import { changePieces } from './escape.ts';

/** U+00A0 to U+00FF in order; like those below, they are also valid without semicolon */
const LATIN1_NAMES = `
  nbsp iexcl cent pound curren yen brvbar sect uml copy ordf laquo not shy reg macr deg plusmn sup2 sup3 acute
  micro para middot cedil sup1 ordm raquo frac14 frac12 frac34 iquest Agrave Aacute Acirc Atilde Auml Aring
  AElig Ccedil Egrave Eacute Ecirc Euml Igrave Iacute Icirc Iuml ETH Ntilde Ograve Oacute Ocirc Otilde Ouml
  times Oslash Ugrave Uacute Ucirc Uuml Yacute THORN szlig agrave aacute acirc atilde auml aring aelig ccedil
  egrave eacute ecirc euml igrave iacute icirc iuml eth ntilde ograve oacute ocirc otilde ouml divide oslash
  ugrave uacute ucirc uuml yacute thorn yuml
`;

const OTHER_LEGACY_NAMES = 'AMP:26 amp:26 LT:3c lt:3c GT:3e gt:3e QUOT:22 quot:22 COPY:a9 REG:ae';

const NAMES = `
  Alpha:391 Beta:392 Chi:3a7 Dagger:2021 Delta:394 Epsilon:395 Eta:397 Gamma:393 Iota:399 Kappa:39a Lambda:39b
  Mu:39c Nu:39d OElig:152 Omega:3a9 Omicron:39f Phi:3a6 Pi:3a0 Prime:2033 Psi:3a8 Rho:3a1 Scaron:160 Sigma:3a3
  Tau:3a4 Theta:398 Upsilon:3a5 Xi:39e Yuml:178 Zeta:396 alefsym:2135 alpha:3b1 and:2227 ang:2220 asymp:2248
  bdquo:201e beta:3b2 bull:2022 cap:2229 chi:3c7 circ:2c6 clubs:2663 cong:2245 crarr:21b5 cup:222a dArr:21d3
  dagger:2020 darr:2193 delta:3b4 diams:2666 empty:2205 emsp:2003 ensp:2002 epsilon:3b5 equiv:2261 eta:3b7
  euro:20ac exist:2203 fnof:192 forall:2200 frasl:2044 gamma:3b3 ge:2265 hArr:21d4 harr:2194 hearts:2665
  hellip:2026 image:2111 infin:221e int:222b iota:3b9 isin:2208 kappa:3ba lArr:21d0 lambda:3bb lang:27e8
  larr:2190 lceil:2308 ldquo:201c le:2264 lfloor:230a lowast:2217 loz:25ca lrm:200e lsaquo:2039 lsquo:2018
  mdash:2014 minus:2212 mu:3bc nabla:2207 ndash:2013 ne:2260 ni:220b notin:2209 nsub:2284 nu:3bd oelig:153
  oline:203e omega:3c9 omicron:3bf oplus:2295 or:2228 otimes:2297 part:2202 permil:2030 perp:22a5 phi:3c6 pi:3c0
  piv:3d6 prime:2032 prod:220f prop:221d psi:3c8 rArr:21d2 radic:221a rang:27e9 rarr:2192 rceil:2309 rdquo:201d
  real:211c rfloor:230b rho:3c1 rlm:200f rsaquo:203a rsquo:2019 sbquo:201a scaron:161 sdot:22c5 sigma:3c3
  sigmaf:3c2 sim:223c spades:2660 sub:2282 sube:2286 sum:2211 sup:2283 supe:2287 tau:3c4 there4:2234 theta:3b8
  thetasym:3d1 thinsp:2009 tilde:2dc trade:2122 uArr:21d1 uarr:2191 upsih:3d2 upsilon:3c5 weierp:2118 xi:3be
  zeta:3b6 zwj:200d zwnj:200c apos:27 Tab:9 NewLine:a excl:21 num:23 dollar:24 percnt:25 lpar:28 rpar:29 ast:2a
  midast:2a plus:2b comma:2c period:2e sol:2f colon:3a semi:3b equals:3d quest:3f commat:40 lsqb:5b lbrack:5b
  bsol:5c rsqb:5d rbrack:5d Hat:5e lowbar:5f UnderBar:5f grave:60 lcub:7b lbrace:7b verbar:7c vert:7c
  VerticalLine:7c rcub:7d rbrace:7d NonBreakingSpace:a0 hyphen:2010 dash:2010 horbar:2015 numsp:2007 puncsp:2008
  hairsp:200a emsp13:2004 emsp14:2005 ThinSpace:2009 MediumSpace:205f NoBreak:2060 ZeroWidthSpace:200b
  check:2713 checkmark:2713 cross:2717 star:2606 starf:2605 bigstar:2605 phone:260e female:2640 male:2642
  flat:266d natural:266e sharp:266f copysr:2117 rightarrow:2192 leftarrow:2190 uparrow:2191 downarrow:2193
  Rightarrow:21d2 Leftarrow:21d0 leftrightarrow:2194 half:bd frac13:2153 frac23:2154 frac15:2155 frac25:2156
  frac35:2157 frac45:2158 frac16:2159 frac56:215a frac18:215b frac38:215c frac58:215d frac78:215e numero:2116
  inodot:131 imath:131 Abreve:102 abreve:103 Amacr:100 amacr:101 Emacr:112 emacr:113 Imacr:12a imacr:12b
  Omacr:14c omacr:14d Umacr:16a umacr:16b Ccaron:10c ccaron:10d Dcaron:10e dcaron:10f Ecaron:11a ecaron:11b
  Lcaron:13d lcaron:13e Ncaron:147 ncaron:148 Rcaron:158 rcaron:159 Tcaron:164 tcaron:165 Zcaron:17d zcaron:17e
  Zacute:179 zacute:17a Zdot:17b zdot:17c Lstrok:141 lstrok:142 Lacute:139 lacute:13a Racute:154 racute:155
  Aogon:104 aogon:105 Eogon:118 eogon:119 Iogon:12e iogon:12f Uogon:172 uogon:173 Sacute:15a sacute:15b
  Nacute:143 nacute:144 Cacute:106 cacute:107 Odblac:150 odblac:151 Udblac:170 udblac:171 Uring:16e uring:16f
  Gbreve:11e gbreve:11f Ubreve:16c ubreve:16d Scedil:15e scedil:15f Tcedil:162 tcedil:163 Idot:130 Edot:116
  edot:117 Dstrok:110 dstrok:111 Ccirc:108 ccirc:109 Gcirc:11c gcirc:11d Hcirc:124 hcirc:125 Jcirc:134 jcirc:135
  Scirc:15c scirc:15d Ycirc:176 ycirc:177 Wcirc:174 wcirc:175 bullet:2022 hybull:2043 caret:2041 squ:25a1
  square:25a1 blacksquare:25aa squf:25aa utri:25b5 dtri:25bf ltri:25c3 rtri:25b9 utrif:25b4 dtrif:25be
  ltrif:25c2 rtrif:25b8 triangle:25b5 mldr:2026 nldr:2025 rsquor:2019 rdquor:201d lsquor:201a ldquor:201e
  langle:27e8 rangle:27e9 fflig:fb00 filig:fb01 fllig:fb02 ffilig:fb03 OpenCurlyQuote:2018 CloseCurlyQuote:2019
  OpenCurlyDoubleQuote:201c CloseCurlyDoubleQuote:201d therefore:2234 because:2235 leq:2264 geq:2265 approx:2248
  thickapprox:2248 PlusMinus:b1 Sum:2211 Sqrt:221a Dot:a8 telrec:2315 target:2316 incare:2105 ell:2113
  planck:210f angst:c5 ohm:3a9 mho:2127 bigcirc:25ef cir:25cb lozf:29eb malt:2720 sext:2736 centerdot:b7
  CenterDot:b7 thetav:3d1 straightphi:3d5 epsi:3b5 epsiv:3f5 strns:af block:2588 blk14:2591 blk12:2592
  blk34:2593 uhblk:2580 lhblk:2584 boxh:2500 boxv:2502
`;

/** meaning of 0x80 to 0x9F as numeric references: windows-1252, whose five gaps map to themselves */
const WINDOWS_1252 =
  '\u20ac\u0081\u201a\u0192\u201e\u2026\u2020\u2021\u02c6\u2030\u0160\u2039\u0152\u008d\u017d\u008f' +
  '\u0090\u2018\u2019\u201c\u201d\u2022\u2013\u2014\u02dc\u2122\u0161\u203a\u0153\u009d\u017e\u0178';

const REPLACEMENT = '\ufffd';
const LONGEST_LEGACY_NAME = 6;

const words = (list: string): string[] => list.trim().split(/\s+/);
const pairs = (list: string): [string, string][] =>
  words(list).map((word) => {
    const [name, hex] = word.split(':');
    return [name!, String.fromCodePoint(Number.parseInt(hex!, 16))];
  });

const legacy = new Map<string, string>([
  ...words(LATIN1_NAMES).map((name, index): [string, string] => [name, String.fromCharCode(0xa0 + index)]),
  ...pairs(OTHER_LEGACY_NAMES),
]);
const named = new Map<string, string>([...legacy, ...pairs(NAMES)]);

const REFERENCE = /&(?:#(?:[xX]([0-9a-fA-F]+)|([0-9]+));?|([A-Za-z][A-Za-z0-9]*)(;?))/g;

function numeric(digits: string, radix: number): string {
  const code = Number.parseInt(digits, radix);
  if (code === 0 || code > 0x10ffff || (code >= 0xd800 && code <= 0xdfff)) return REPLACEMENT;
  if (code >= 0x80 && code <= 0x9f) return WINDOWS_1252[code - 0x80]!;
  return String.fromCodePoint(code);
}

/**
 * Decodes a whole run of text or a whole attribute value. In attributes, a reference without semicolon does not count
 * before `=`, a letter or a digit: `?a=1&copy=2` stays.
 */
export function decodeReferences(text: string, isAttribute: boolean): string {
  if (!text.includes('&')) return text;
  // splits at ampersands, so that no reference is split
  return changePieces(text, (piece) => decodePiece(piece, isAttribute), '&');
}

function decodePiece(text: string, isAttribute: boolean): string {
  return text.replace(REFERENCE, (whole, hex, decimal, name, semicolon, offset: number) => {
    if (hex !== undefined) return numeric(hex, 16);
    if (decimal !== undefined) return numeric(decimal, 10);
    if (semicolon) {
      const exact = named.get(name);
      if (exact !== undefined) return exact;
    }
    for (let length = Math.min(LONGEST_LEGACY_NAME, name.length); length >= 2; length--) {
      const character = legacy.get(name.slice(0, length));
      if (character === undefined) continue;
      const rest = name.slice(length) + semicolon;
      if (isAttribute && (length < name.length || text[offset + whole.length] === '=')) return whole;
      return character + rest;
    }
    return whole;
  });
}
