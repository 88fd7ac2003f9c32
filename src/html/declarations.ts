// The declarations of a style attribute or of a rule (CSS Syntax section 5), rebuilt from allowed properties and tokens
// that cannot load or run anything or leave the message's box: no functions but colours, no escapes, no negative
// lengths. The one picture that a style may load is one of the message itself.

import { MAX_STYLE_CHARACTERS } from '../limits/mime.ts';
import { readBackground } from './grounds.ts';

/** URL of a picture of the message itself; undefined for any other address */
export type PictureUrl = (address: string) => string | undefined;

export const noPicture: PictureUrl = () => undefined;

export interface Declaration {
  property: string;
  value: string;
  isImportant: boolean;
}

/** What is left of a style. */
export interface Style {
  declarations: Declaration[];
  /** a background was dropped */
  isLost: boolean;
}

const FREE = /(?:)/;
const COLOUR = /^(?!none$)(?:#[\da-f]+|[a-z]+|(?:rgb|hsl)a?\([^)]*\))$/i;
const SIDES = ['top', 'right', 'bottom', 'left'];

const free = (
  'color font font-family font-size font-stretch font-style font-variant font-weight text-align ' +
  'text-decoration text-indent text-transform letter-spacing word-spacing vertical-align line-height width height ' +
  'min-width max-width min-height max-height table-layout list-style list-style-type caption-side empty-cells clear ' +
  'box-sizing opacity direction visibility word-break word-wrap overflow-wrap hyphens flex flex-direction flex-wrap ' +
  'flex-flow flex-grow flex-shrink flex-basis justify-content align-items align-content align-self order gap row-gap ' +
  'column-gap object-fit margin padding border border-width border-style border-color border-radius border-collapse border-spacing'
).split(' ');

/** pattern for the whole value, which consists of safe tokens */
const PROPERTIES = new Map<string, RegExp>([
  ...[...free, ...SIDES.flatMap((side) => [`margin-${side}`, `padding-${side}`, `border-${side}`])].map(
    (property): [string, RegExp] => [property, FREE],
  ),
  ...SIDES.flatMap((side) =>
    ['width', 'style', 'color'].map((part): [string, RegExp] => [`border-${side}-${part}`, FREE]),
  ),
  ['background-color', COLOUR],
  ['background-repeat', FREE],
  ['background-size', FREE],
  [
    'display',
    /^(?:none|block|inline|inline-block|flow-root|list-item|(?:inline-)?(?:table|flex)|table-(?:cell|row|caption|column)|table-(?:row|header|footer|column)-group)$/i,
  ],
  ['overflow', /^(?:hidden|visible|auto)$/i],
  ['float', /^(?:left|right|none)$/i],
  ['white-space', /^(?:normal|nowrap|pre|pre-wrap|pre-line)$/i],
  // of ::before and ::after
  ['content', /^(?:none|normal|'[^']*')$/i],
]);

const BLANKS = String.raw`[\t\n\f ]`;
const HEX_COLOUR = String.raw`#[\da-f]{3,8}(?![\w-])`;
const COLOUR_FUNCTION = String.raw`(?:rgb|hsl)a?\([\d.,%/ ]*\)`;
const UNIT = '(?:px|pt|pc|em|rem|ex|ch|in|cm|mm|%)';
const NUMBER = String.raw`\+?(?:\d{1,6}(?:\.\d{1,9})?|\.\d{1,9})${UNIT}?(?![\w.%(-])`;
const IDENTIFIER = String.raw`-?[a-z_][\w-]*`;
const STRING = String.raw`(?:"([\w .,+\u00a1-\uffff-]*)"|'([\w .,+\u00a1-\uffff-]*)')`;
/** groups: blanks, !important, string in double quotes, string in single quotes; excludes functions */
const TOKEN = new RegExp(
  String.raw`(${BLANKS}+)|,|\/|(!${BLANKS}*important(?![\w-]))|${HEX_COLOUR}|${COLOUR_FUNCTION}|` +
    `${NUMBER}|${IDENTIFIER}|${STRING}`,
  'iy',
);

/** The normalized value, or undefined if it contains an unsafe token. */
function safeValue(source: string): Omit<Declaration, 'property'> | undefined {
  const pieces: string[] = [];
  let isImportant = false;
  TOKEN.lastIndex = 0;
  while (TOKEN.lastIndex < source.length) {
    const token = TOKEN.exec(source);
    if (!token) return undefined;
    const [whole, blanks, important, doubleQuoted, singleQuoted] = token;
    const string = doubleQuoted ?? singleQuoted;
    isImportant = important !== undefined || (isImportant && blanks !== undefined);
    if (blanks || important) pieces.push(' ');
    else pieces.push(string === undefined ? whole : `'${string}'`);
  }
  const value = pieces.join('').replace(/ {2,}/g, ' ').trim();
  return value === '' ? undefined : { value, isImportant };
}

export const styleText = (declarations: readonly Declaration[]): string =>
  declarations
    .map(({ property, value, isImportant }) => `${property}: ${value}${isImportant ? ' !important' : ''}`)
    .join('; ');

/** Characters that could end the string or the function are percent-encoded. */
const cssUrl = (url: string): string =>
  `url('${url.replace(/[^\w./:?&=%~#@!$*+,;-]/g, (character) => (character.codePointAt(0)! < 128 ? `%${character.codePointAt(0)!.toString(16).padStart(2, '0')}` : encodeURIComponent(character.toWellFormed())))}')`;

/** A background picture of the message. */
export const pictureDeclaration = (picture: string, isImportant = false): Declaration => ({
  property: 'background-image',
  value: cssUrl(picture),
  isImportant,
});

/** A `background` or `background-image` as declarations of its parts. */
function readGround(property: string, source: string, pictureUrl: PictureUrl, style: Style): void {
  const { colour: own, address, gradient, hasImage, repeat, isImportant } = readBackground(source);
  const add = (name: string, value: string): void =>
    void style.declarations.push({ property: name, value, isImportant });
  const picture = address === undefined ? undefined : pictureUrl(address);
  const word = property === 'background' ? own : undefined;
  const hasColour = style.declarations.some(({ property: name }) => name === 'background-color');
  const found = word ?? (hasColour || picture !== undefined ? undefined : gradient);
  const value = found === undefined ? undefined : safeValue(found)?.value;
  if (value !== undefined && COLOUR.test(value)) add('background-color', value);
  if (picture !== undefined) style.declarations.push(pictureDeclaration(picture, isImportant));
  if (picture !== undefined && repeat !== undefined && property === 'background') add('background-repeat', repeat);
  if (hasImage && picture === undefined) style.isLost = true;
  else if (/^[\t\n\f ]*none\b/i.test(source) && found === undefined) add(property, 'none');
}

/** The allowed declarations. */
export function readStyle(source: string, pictureUrl: PictureUrl): Style {
  const style: Style = { declarations: [], isLost: false };
  if (source === '' || source.length > MAX_STYLE_CHARACTERS) return style;
  const withoutComments = source.replace(/\/\*[\s\S]*?(?:\*\/|$)/g, ' ');
  // a ";" inside quotes or brackets is no separator
  for (const [declaration] of withoutComments.matchAll(/(?:[^;"'(]|"[^"]*"?|'[^']*'?|\([^)]*\)?)+/g)) {
    const colon = declaration.indexOf(':');
    const property = declaration.slice(0, Math.max(colon, 0)).trim().toLowerCase();
    const text = declaration.slice(colon + 1);
    if (property === 'background' || property === 'background-image') {
      readGround(property, text, pictureUrl, style);
      continue;
    }
    const pattern = PROPERTIES.get(property);
    const safe = pattern && safeValue(text);
    if (safe && pattern?.test(safe.value)) style.declarations.push({ property, ...safe });
    else if (property === 'background-color') style.isLost = true;
  }
  return style;
}

/** The allowed declarations of a style attribute, or undefined if there is none. */
export function safeStyle(source: string): string | undefined {
  return styleText(readStyle(source, noPicture).declarations) || undefined;
}
