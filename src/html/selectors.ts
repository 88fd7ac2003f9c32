// Selectors (Selectors 4) of a message's rules: read, renamed and written again below the message's root, and matched
// with the elements that are open while the message is written.

import { MAX_SELECTOR_CONDITIONS } from '../limits/mime.ts';
import { attributeValue, ELEMENT_NAMES, placeName } from './attributes.ts';
import type { CssToken } from './css-tokens.ts';

/** An element of the message, as far as selectors ask. */
export interface Box {
  /** as it is written: a body is a div */
  tag: string;
  id: string | undefined;
  classes: readonly string[];
  isLink: boolean;
  parent: Box | undefined;
}

/** Conditions on one element. */
interface Compound {
  /** what stands between it and the compound before it */
  combinator: ' ' | '>' | '+';
  /** '' or '*' for any */
  tag: string;
  ids: string[];
  classes: string[];
  isLink: boolean;
  /** as it is written */
  text: string;
}

export interface StyleSelector {
  /** as it is written behind the class of the root, the combinator included */
  text: string;
  /** those below the root; none: the root itself */
  compounds: Compound[];
  /** ids, classes and types (Selectors 4) in one number */
  specificity: number;
  /** matches less than is known here */
  isVague: boolean;
  /** does not concern the element as it is shown at first, but when somebody points at it, or what stands before it */
  isApart: boolean;
}

const TAGS = new Set(ELEMENT_NAMES);
const POSITION = /^(?:first|last|only)-(?:child|of-type)$/;
const COUNTED = /^nth-(?:last-)?(?:child|of-type)$/;
/** `even`, `3`, `2n+1` */
const COUNT = /^(?:odd|even|[+-]?\d{0,3}n(?:[+-]\d{1,3})?|[+-]?\d{1,3})$/i;
const APART = /^(?:hover|active|focus|before|after)$/;
/** attributes that hold nothing but what the message says */
const ATTRIBUTE =
  /^(?:class|id|name|align|valign|width|height|bgcolor|border|cellpadding|cellspacing|color|face|size|dir|lang|title|alt|type|start|nowrap|hidden)$/;
/** addresses of pictures and pages of a wiki name the room */
const OUTSIDE = /^(?:https?|mailto|tel|sms):/i;
const PLAIN_NAME = /^[\w\u00a1-\uffff-]+$/;
const PLAIN_VALUE = /^[\w .,:;/%#\u00a1-\uffff-]{1,100}$/;
const [ID, CLASS, TYPE] = [2 ** 16, 2 ** 8, 1];
/** of what is more specific, only the order counts */
export const MOST_SPECIFIC = 2 ** 24 - 1;

/** `invalid`: the whole rule is dropped, as in browsers; `unmatched`: it alone, for it can match nothing here */
type Fault = 'invalid' | 'unmatched';

const isSign = (token: CssToken | undefined, value: string): boolean => token?.kind === 'sign' && token.value === value;

/** The tokens up to a closing bracket, without blanks. */
function inBrackets(tokens: readonly CssToken[], start: number, closer: string): CssToken[] {
  let end = start;
  while (end < tokens.length && !isSign(tokens[end], closer)) end++;
  return tokens.slice(start, end);
}

const isBlank = ({ kind }: CssToken): boolean => kind === 'blank';

function readAttribute(tokens: readonly CssToken[], compound: Compound): Fault | undefined {
  const [first, ...rest] = tokens.filter((token) => !isBlank(token));
  if (first?.kind !== 'word') return 'invalid';
  const name = first.value.toLowerCase();
  const isAddress = name === 'href';
  if (!isAddress && !ATTRIBUTE.test(name)) return 'unmatched';
  if (rest.length === 0) {
    compound.text += `[${name}]`;
    return undefined;
  }
  const valueAt = rest.findIndex(({ kind }) => kind !== 'sign');
  const operator = rest
    .slice(0, Math.max(valueAt, 0))
    .map(({ value }) => value)
    .join('');
  const [word, flag] = rest.slice(Math.max(valueAt, 0));
  if (!/^[~|^$*]?=$/.test(operator) || !word || !/^(?:word|string)$/.test(word.kind)) return 'invalid';
  const value = writtenValue(name, operator, word.value);
  if (value === undefined || !PLAIN_VALUE.test(value)) return 'unmatched';
  if (isAddress && !(OUTSIDE.test(value) && /^\^?=$/.test(operator))) return 'unmatched';
  compound.text += `[${name}${operator}'${value}'${flag?.value.toLowerCase() === 'i' ? ' i' : ''}]`;
  return undefined;
}

/** The value as the attribute is written. */
function writtenValue(name: string, operator: string, value: string): string | undefined {
  if (name === 'class' || name === 'id' || name === 'name')
    return /^[$*]/.test(operator) ? value : attributeValue(name, value);
  return operator === '=' ? (attributeValue(name, value) ?? value) : value;
}

function readPseudo(tokens: readonly CssToken[], start: number, selector: StyleSelector, compound: Compound) {
  const isElement = isSign(tokens[start], ':');
  const at = isElement ? start + 1 : start;
  const token = tokens[at];
  const name = token?.value.toLowerCase() ?? '';
  if (token?.kind === 'function') {
    const inside = inBrackets(tokens, at + 1, ')');
    const count = inside
      .filter((each) => !isBlank(each))
      .map(({ value }) => value)
      .join('');
    const next = at + 2 + inside.length;
    if (name.startsWith('-')) return { next, fault: 'invalid' as const };
    if (!COUNTED.test(name) || !COUNT.test(count)) return { next, fault: 'unmatched' as const };
    compound.text += `:${name}(${count.toLowerCase()})`;
    selector.isVague = true;
    return { next };
  }
  const next = at + 1;
  if (token?.kind !== 'word' || (name.startsWith('-') && !isElement)) return { next, fault: 'invalid' as const };
  if (name === 'root') compound.tag = 'html';
  else if (name === 'link' || name === 'any-link') {
    compound.isLink = true;
    compound.text += ':any-link';
  } else if (APART.test(name)) {
    selector.isApart = true;
    compound.text += `${name === 'before' || name === 'after' ? '::' : ':'}${name}`;
  } else if (POSITION.test(name)) {
    selector.isVague = true;
    compound.text += `:${name}`;
  } else return { next, fault: 'unmatched' as const };
  return { next };
}

/** Reads one of a list of selectors. */
function readSelector(tokens: readonly CssToken[], root: string | undefined): StyleSelector | Fault {
  const selector: StyleSelector = { text: '', compounds: [], specificity: CLASS, isVague: false, isApart: false };
  const { compounds } = selector;
  let combinator: Compound['combinator'] | undefined = ' ';
  let count = 0;
  const most = MAX_SELECTOR_CONDITIONS + (root === undefined ? 0 : 1);
  let fault: Fault | undefined;
  for (let at = 0; at < tokens.length; ) {
    const token = tokens[at++]!;
    const { kind, value } = token;
    if (kind === 'blank') {
      combinator ??= ' ';
      continue;
    }
    if (kind === 'sign' && /^[>+~]$/.test(value)) {
      if (compounds.length === 0 || (combinator !== undefined && combinator !== ' ')) return 'invalid';
      // each element would be compared with all those before it
      if (value === '~') fault ??= 'unmatched';
      combinator = value === '+' ? '+' : '>';
      if (value === '+') selector.isVague = true;
      continue;
    }
    if (combinator !== undefined)
      compounds.push({ combinator, tag: '', ids: [], classes: [], isLink: false, text: '' });
    if (++count > most) return 'unmatched';
    const isFirst = combinator !== undefined;
    combinator = undefined;
    const compound = compounds.at(-1)!;
    let found: Fault | undefined;
    if ((kind === 'word' || isSign(token, '*')) && isFirst) {
      compound.tag = value.toLowerCase();
      compound.text = compound.tag;
      if (kind === 'word') selector.specificity += TYPE;
      if (kind === 'word' && compound.tag !== 'html' && !TAGS.has(compound.tag)) found = 'unmatched';
    } else if (kind === 'hash') {
      const id = placeName(value);
      if (id === undefined || !PLAIN_NAME.test(id)) found = 'unmatched';
      compound.ids.push(id ?? '');
      compound.text += `#${id}`;
      selector.specificity += ID;
    } else if (isSign(token, '.')) {
      const name = tokens[at++];
      if (name?.kind !== 'word') return 'invalid';
      const written = placeName(name.value);
      if (written === undefined) found = 'unmatched';
      compound.classes.push(written ?? '');
      compound.text += PLAIN_NAME.test(written ?? '') ? `.${written}` : `[class~='${written}']`;
      selector.specificity += CLASS;
    } else if (isSign(token, '[')) {
      const inside = inBrackets(tokens, at, ']');
      at += inside.length + 1;
      found = readAttribute(inside, compound);
      selector.isVague = true;
      selector.specificity += CLASS;
    } else if (isSign(token, ':')) {
      const read = readPseudo(tokens, at, selector, compound);
      at = read.next;
      found = read.fault;
      selector.specificity += CLASS;
    } else found = isSign(token, '|') || isSign(token, '&') ? 'unmatched' : 'invalid';
    if (found === 'invalid') return found;
    fault ??= found;
  }
  if (compounds.length === 0 || combinator === '>' || combinator === '+') return 'invalid';
  return fault ?? belowRoot(selector, root);
}

/** With `html` and `body` as what they are written as. */
function belowRoot(selector: StyleSelector, root: string | undefined): StyleSelector | Fault {
  const { compounds } = selector;
  const [first] = compounds;
  if (first!.tag === 'html' ? /^(?:html)?$/.test(first!.text) : root !== undefined && first!.text === `.${root}`)
    compounds.shift();
  if (compounds[0]?.combinator === '+') return 'unmatched';
  for (const [index, compound] of compounds.entries()) {
    const isBody = compound.tag === 'body';
    if (compound.tag === 'html' || (isBody && index > 0)) return 'unmatched';
    if (!isBody) continue;
    Object.assign(compound, { combinator: '>', tag: 'div', text: compound.text.replace('body', 'div') });
  }
  selector.text = compounds.map(({ combinator, text }) => combinator + text).join('');
  selector.specificity = Math.min(selector.specificity, MOST_SPECIFIC);
  return selector;
}

/** The selectors that can match something; none if one is invalid. `root`: the class that stands before them already. */
export function readSelectors(tokens: readonly CssToken[], root: string | undefined): StyleSelector[] {
  const lists: CssToken[][] = [[]];
  let depth = 0;
  for (const token of tokens) {
    if (token.kind === 'function' || isSign(token, '(') || isSign(token, '[')) depth++;
    else if (isSign(token, ')') || isSign(token, ']')) depth--;
    if (depth === 0 && isSign(token, ',')) lists.push([]);
    else lists.at(-1)!.push(token);
  }
  const found = lists.map((list) => readSelector(list, root));
  return found.includes('invalid') ? [] : found.filter((each) => typeof each === 'object');
}

function fits({ tag, ids, classes, isLink }: Compound, box: Box): boolean {
  return (
    (tag === '' || tag === '*' || tag === box.tag) &&
    (!isLink || box.isLink) &&
    ids.every((id) => id === box.id) &&
    classes.every((name) => box.classes.includes(name))
  );
}

/**
 * Whether the compounds up to `last` match, below an element of the class `root`. `step` is asked before each
 * comparison whether there may be one.
 */
export function matches(
  compounds: readonly Compound[],
  box: Box,
  root: string,
  step: (cost: number) => boolean,
  last = compounds.length - 1,
): boolean {
  const compound = compounds[last];
  if (!step(1 + (compound?.classes.length ?? 0))) return false;
  if (!compound) return box.classes.includes(root);
  if (!fits(compound, box)) return false;
  // siblings are not kept
  if (compound.combinator === '+') return true;
  for (let outer = box.parent; outer; outer = outer.parent) {
    if (matches(compounds, outer, root, step, last - 1)) return true;
    if (compound.combinator === '>') return false;
  }
  return false;
}
