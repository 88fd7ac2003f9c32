// Colours that belong together: what is left of a background, and whether text can still be read on it. A background
// picture is not loaded, so light text that was written for it has to lose its colour, too.

/** What an element stands on. Luminances are relative (WCAG 2); undefined: an unknown colour. */
export interface Ground {
  light: number | undefined;
  /** of the text */
  ink: number | undefined;
  /** a background of this element or of one around it could not be kept */
  isLost: boolean;
}

/** An element's own colours. */
export interface Colours {
  background?: string | undefined;
  text?: string | undefined;
  isLost: boolean;
}

/** the least contrast of large text (WCAG 2.2, 1.4.3) */
const READABLE = 3;
/** names whose contrast to white or black matters most; others are unknown */
const NAMED: Readonly<Record<string, string>> = Object.fromEntries(
  (
    'white:fff black:000 snow:fffafa ivory:fffff0 azure:f0ffff mintcream:f5fffa ghostwhite:f8f8ff whitesmoke:f5f5f5 ' +
    'floralwhite:fffaf0 aliceblue:f0f8ff honeydew:f0fff0 seashell:fff5ee oldlace:fdf5e6 linen:faf0e6 cornsilk:fff8dc ' +
    'beige:f5f5dc lavender:e6e6fa lavenderblush:fff0f5 lightyellow:ffffe0 lightcyan:e0ffff antiquewhite:faebd7 ' +
    'papayawhip:ffefd5 blanchedalmond:ffebcd mistyrose:ffe4e1 gainsboro:dcdcdc lightgray:d3d3d3 lightgrey:d3d3d3 ' +
    'silver:c0c0c0 darkgray:a9a9a9 darkgrey:a9a9a9 yellow:ff0 gold:ffd700 cyan:0ff aqua:0ff lime:0f0 pink:ffc0cb ' +
    'lightblue:add8e6 lightgreen:90ee90 orange:ffa500 gray:808080 grey:808080 dimgray:696969 dimgrey:696969 ' +
    'navy:000080 darkblue:00008b mediumblue:0000cd blue:00f midnightblue:191970 darkgreen:006400 green:008000 ' +
    'teal:008080 maroon:800000 darkred:8b0000 red:f00 purple:800080 indigo:4b0082 darkslategray:2f4f4f'
  )
    .split(' ')
    .map((pair) => pair.split(':') as [string, string]),
);

const PAPER_LIGHT = 1;

/** How a message begins: black on white. */
export const paper = (isLost: boolean): Ground => ({ light: PAPER_LIGHT, ink: 0, isLost });

/** red, green and blue of 0 to 1, and opacity */
type Rgba = [red: number, green: number, blue: number, alpha: number];

function hexColour(digits: string): Rgba | undefined {
  const size = digits.length <= 4 ? 1 : 2;
  if (![3, 4, 6, 8].includes(digits.length)) return undefined;
  const at = (index: number): number => {
    const pair = digits.slice(index * size, (index + 1) * size);
    return pair === '' ? 1 : Number.parseInt(size === 1 ? pair + pair : pair, 16) / 255;
  };
  return [at(0), at(1), at(2), at(3)];
}

const share = (text: string, whole: number): number =>
  Math.min(1, Number.parseFloat(text) / (text.endsWith('%') ? 100 : whole));

function fromHsl(hue: number, saturation: number, light: number): [number, number, number] {
  const at = (n: number): number => {
    const k = (n + hue / 30) % 12;
    return light - saturation * Math.min(light, 1 - light) * Math.max(-1, Math.min(k - 3, 9 - k, 1));
  };
  return [at(0), at(8), at(4)];
}

function rgba(colour: string): Rgba | undefined {
  const name = colour.toLowerCase();
  if (Object.hasOwn(NAMED, name)) return hexColour(NAMED[name]!);
  if (/^#?[\da-f]{3,8}$/.test(name)) return hexColour(name.replace('#', ''));
  const kind = /^(rgb|hsl)a?\(/.exec(name)?.[1];
  const parts = name.match(/[\d.]+%?/g);
  if (kind === undefined || parts === null || parts.length < 3) return undefined;
  const [first, second, third, alpha = '1'] = parts as [string, string, string, string?];
  const channels: [number, number, number] =
    kind === 'rgb'
      ? [share(first, 255), share(second, 255), share(third, 255)]
      : fromHsl(Number.parseFloat(first), share(second, 100), share(third, 100));
  return [...channels, share(alpha, 1)];
}

const linear = (channel: number): number => (channel <= 0.04045 ? channel / 12.92 : ((channel + 0.055) / 1.055) ** 2.4);

/** Relative luminance of a colour on a ground. */
function luminance(colour: string, ground: number | undefined): number | undefined {
  if (/^transparent$/i.test(colour)) return ground;
  const found = rgba(colour);
  if (!found) return undefined;
  const [red, green, blue, alpha] = found;
  const own = 0.2126 * linear(red) + 0.7152 * linear(green) + 0.0722 * linear(blue);
  if (alpha === 1) return own;
  return ground === undefined ? undefined : own * alpha + ground * (1 - alpha);
}

function isReadable(ink: number | undefined, light: number | undefined): boolean {
  if (ink === undefined || light === undefined) return true;
  return (Math.max(ink, light) + 0.05) / (Math.min(ink, light) + 0.05) >= READABLE;
}

export const isReadableOnPaper = (colour: string): boolean => isReadable(luminance(colour, PAPER_LIGHT), PAPER_LIGHT);

/** What an element stands on, and the colour that its text gets instead of its own; '' for that of its parent. */
export function groundOf(parent: Ground, own: Colours): { ground: Ground; instead: string | undefined } {
  const light = own.background === undefined ? parent.light : luminance(own.background, parent.light);
  const ink = own.text === undefined || own.text === 'inherit' ? parent.ink : luminance(own.text, light);
  const isLost = own.isLost || parent.isLost;
  if (!isLost || isReadable(ink, light)) return { ground: { light, ink, isLost }, instead: undefined };
  if (own.text !== undefined && isReadable(parent.ink, light))
    return { ground: { light, ink: parent.ink, isLost }, instead: '' };
  const isDark = !isReadable(0, light);
  return { ground: { light, ink: isDark ? 1 : 0, isLost }, instead: isDark ? 'white' : 'black' };
}

const FUNCTION = /^([a-z-]+)\(/i;
const IMAGE = /^(?:url|src|image|image-set|-webkit-image-set|cross-fade|element|paint|var|env|.*gradient)$/i;
/** a function with what is in its brackets, one level deep; a string; a separator; a word */
const PIECE = /[a-z-]*\((?:[^()"']|"[^"]*"|'[^']*'|\([^()]*\))*\)?|"[^"]*"?|'[^']*'?|[^\s,/()"'!]+/gi;
const COLOUR_PIECE = /#[\da-f]{3,8}\b|(?:rgb|hsl)a?\([\d.,%/ ]*\)|(?<![\w-])[a-z]{3,20}(?![\w(-])/gi;
const KEYWORD =
  /^(?:none|repeat|repeat-x|repeat-y|no-repeat|space|round|scroll|fixed|local|top|right|bottom|left|center|border-box|padding-box|content-box|text|auto|cover|contain|initial|inherit|unset|revert|important|to|at|circle|ellipse|closest-side|farthest-side|closest-corner|farthest-corner|from|in|url|deg|turn)$/i;

/** What a `background` or `background-image` says. */
export interface Background {
  colour: string | undefined;
  /** the address in the first url() */
  address: string | undefined;
  /** the first colour of a gradient, which stands for it */
  gradient: string | undefined;
  hasImage: boolean;
  repeat: string | undefined;
  isImportant: boolean;
}

/** Reads the value token by token; the colour may stand anywhere. */
export function readBackground(value: string): Background {
  const found: Background = {
    colour: undefined,
    address: undefined,
    gradient: undefined,
    hasImage: false,
    repeat: undefined,
    isImportant: /!\s*important\s*$/i.test(value.slice(-30)),
  };
  for (const [piece] of value.matchAll(PIECE)) {
    const name = FUNCTION.exec(piece)?.[1];
    if (name !== undefined && IMAGE.test(name)) {
      found.hasImage = true;
      const inside = piece.slice(name.length + 1).replace(/\)$/, '');
      if (/^url$/i.test(name)) found.address ??= inside.trim().replace(/^"(.*)"$|^'(.*)'$/s, '$1$2');
      else if (/gradient$/i.test(name)) {
        found.gradient ??= inside
          .match(COLOUR_PIECE)
          ?.find((word) => !KEYWORD.test(word) && !/^transparent$/i.test(word));
      }
    } else if (/^(?:no-repeat|repeat-[xy]|repeat)$/i.test(piece)) found.repeat ??= piece.toLowerCase();
    else if (/^(?:#[\da-f]{3,8}|[a-z]{3,30}|(?:rgb|hsl)a?\([\d.,%/ ]*\))$/i.test(piece) && !KEYWORD.test(piece))
      found.colour = piece;
  }
  return found;
}
