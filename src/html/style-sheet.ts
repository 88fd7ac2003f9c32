// The style elements of a message: which rules stay, as what they are written, and which colours they give an element.
// Each rule applies below the message's root alone, an element whose class is a hash of the rules.

import { hash } from 'node:crypto';
import { MAX_SELECTORS, MAX_SHEET_CHARACTERS } from '../limits/mime.ts';
import { styleRules } from './css-tokens.ts';
import { type Declaration, type PictureUrl, readStyle, type Style, styleText } from './declarations.ts';
import { type Colours, isReadableOnPaper } from './grounds.ts';
import { safeMedia } from './media.ts';
import { type Box, matches, readSelectors, type StyleSelector } from './selectors.ts';

/** A style element. */
export interface StyleElement {
  attributes: ReadonlyMap<string, string>;
  css: string;
}

interface Rule {
  selectors: StyleSelector[];
  media: readonly string[];
  style: Style;
}

/** What a rule says of colours. */
interface ColourRule {
  selector: StyleSelector;
  /** class of the root */
  root: string;
  order: number;
  /** applies only now and then */
  isVague: boolean;
  colours: OwnColours;
}

/** Selectors by what their last compound asks for. */
interface Bucket {
  count: number;
  rules: ColourRule[];
}

const ROOT_PREFIX = 'm-mail-';
/** a style element that was written here */
const OWN_SHEET = /^(?:@media [^{}]*\{)*\.(m-mail-[\da-f]{12})(?![\w-])/;
/** not known here; of no luminance */
const UNKNOWN = 'unknown';
const [INLINE, IMPORTANT] = [2 ** 45, 2 ** 46];
const ORDERS = 2 ** 20;

/** What a style says of colours; of several declarations the one that counts. */
interface OwnColours {
  text: Declaration | undefined;
  background: Declaration | undefined;
  isLost: boolean;
}

function ownColours({ declarations, isLost }: Style): OwnColours {
  const last = (names: readonly string[]): Declaration | undefined => {
    const found = declarations.filter(({ property }) => names.includes(property));
    return found.findLast(({ isImportant }) => isImportant) ?? found.at(-1);
  };
  return { text: last(['color']), background: last(['background-color', 'background']), isLost };
}

const isColour = ({ property }: Declaration): boolean => property === 'color' || property.startsWith('background');
/** Means the message as a whole: `html` or `body`. */
const isOfAll = ({ compounds: [first, ...more] }: StyleSelector): boolean =>
  first === undefined || (more.length === 0 && first.combinator === '>' && first.tag === 'div');

/** A picture of the message itself. */
const withoutHost = (url: string | undefined): string | undefined =>
  url !== undefined && /^https?:/i.test(url) ? undefined : url;

const isConditional = ({ media }: Pick<Rule, 'media'>): boolean => media.some((condition) => condition !== 'screen');
const isVagueRule = (rule: Omit<Rule, 'style'>): boolean =>
  isConditional(rule) || rule.selectors.some(({ isVague, isApart }) => isVague || isApart);

function readRules({ css, attributes }: StyleElement, pictureUrl: PictureUrl, root?: string): Rule[] {
  const around = safeMedia(attributes.get('media') ?? '');
  if (around === undefined) return [];
  const rules: Rule[] = [];
  for (const { media, prelude, declarations } of styleRules(css)) {
    const selectors = readSelectors(prelude, root);
    const rule = { selectors, media: [around, ...media].filter((condition) => condition !== '') };
    // a sender elsewhere would learn that somebody points at a link, or how wide the screen is
    const picture: PictureUrl = isVagueRule(rule) ? (address) => withoutHost(pictureUrl(address)) : pictureUrl;
    const style = selectors.length === 0 ? undefined : readStyle(declarations, picture);
    // a message is not hidden from its reader as a whole
    if (style && selectors.some(isOfAll))
      style.declarations = style.declarations.filter(
        ({ property }) => !/^(?:display|visibility|opacity)$/.test(property),
      );
    if (style && (style.isLost || style.declarations.length > 0)) rules.push({ ...rule, style });
  }
  return rules;
}

/** Without the colours that belong to a background which is lost where nobody can tell what stands there instead. */
function keepReadable(rules: readonly Rule[]): boolean {
  const vague = rules.filter(isVagueRule);
  const hasLost = vague.some(({ style }) => style.isLost);
  for (const { style } of hasLost ? vague : []) {
    style.declarations = style.declarations.filter((declaration) =>
      style.isLost ? !isColour(declaration) : declaration.property !== 'color' || isReadableOnPaper(declaration.value),
    );
  }
  return hasLost;
}

function writeRules(rules: readonly Rule[], root: string): string {
  let css = '';
  let open: readonly string[] = [];
  const moveTo = (media: readonly string[]): void => {
    let same = 0;
    while (same < open.length && open[same] === media[same]) same++;
    css +=
      '}'.repeat(open.length - same) +
      media
        .slice(same)
        .map((condition) => `@media ${condition}{`)
        .join('');
    open = media;
  };
  for (const { selectors, media, style } of rules) {
    if (style.declarations.length === 0) continue;
    moveTo(media);
    css += `${selectors.map(({ text }) => `.${root}${text}`).join(',')}{${styleText(style.declarations)}}`;
  }
  moveTo([]);
  return css;
}

const rootOf = (rules: readonly Rule[]): string =>
  ROOT_PREFIX + hash('sha256', writeRules(rules, ROOT_PREFIX)).slice(0, 12);

export class StyleSheet {
  /** class of the root that the message needs; undefined: none */
  readonly root: string | undefined;
  /** rules below it */
  readonly css: string;
  /** by number of the style element: the same text, where it was written here and has a root in the message already */
  readonly written: readonly (string | undefined)[];
  /** a background is lost, and not known where */
  readonly isLost: boolean;
  /** the steps were used up */
  isExhausted = false;
  readonly #buckets = new Map<string, Bucket>();
  #steps: number;
  #order = 0;

  constructor(elements: readonly StyleElement[], pictureUrl: PictureUrl, steps: number) {
    this.#steps = steps;
    const rules: Rule[] = [];
    const written: [Rule[], string][] = [];
    this.written = elements.map((element) => {
      const claimed = OWN_SHEET.exec(element.css)?.[1];
      const own = claimed === undefined ? [] : readRules(element, pictureUrl, claimed);
      const isOwn =
        claimed !== undefined &&
        element.attributes.size === 0 &&
        rootOf(own) === claimed &&
        writeRules(own, claimed) === element.css;
      if (isOwn) written.push([own, claimed]);
      else rules.push(...readRules(element, pictureUrl));
      return isOwn ? element.css : undefined;
    });
    this.isLost = keepReadable(rules);
    const css = writeRules(rules, ROOT_PREFIX);
    this.root = css === '' ? undefined : rootOf(rules);
    this.css = this.root === undefined ? '' : writeRules(rules, this.root);
    if (this.root !== undefined) written.unshift([rules, this.root]);
    for (const [list, root] of written) for (const rule of list) this.#index(rule, root);
  }

  get selectorCount(): number {
    return this.#order;
  }

  #index(rule: Rule, root: string): void {
    const isRuleVague = isConditional(rule);
    const colours = ownColours(rule.style);
    const hasColour = colours.isLost || colours.text !== undefined || colours.background !== undefined;
    for (const selector of rule.selectors) {
      const last = selector.compounds.at(-1);
      const name = last ? (last.ids[0] ?? last.classes[0]) : root;
      const kind = last?.ids.length ? '#' : '.';
      const key = name === undefined ? last!.tag || '*' : kind + name;
      const bucket = this.#buckets.getOrInsertComputed(key, () => ({ count: 0, rules: [] }));
      bucket.count++;
      const order = this.#order++;
      const isVague = isRuleVague || selector.isVague;
      if (hasColour && !selector.isApart) bucket.rules.push({ selector, root, order, isVague, colours });
    }
  }

  readonly #step = (cost: number): boolean => {
    this.#steps -= cost;
    this.isExhausted ||= this.#steps < 0;
    return !this.isExhausted;
  };

  /**
   * The colours of an element by its attributes, the rules and its own style; and which of them are not by attributes.
   */
  coloursOf(box: Box, hints: Colours, own: Style): { colours: Colours; isGroundRuled: boolean; isTextRuled: boolean } {
    const colours: Colours = { ...hints, isLost: hints.isLost || own.isLost };
    const ranks = { background: -1, text: -1 };
    const apply = (found: OwnColours, weight: number, isVague = false): void => {
      for (const name of ['background', 'text'] as const) {
        const declaration = found[name];
        if (!declaration) continue;
        const rank = weight + (declaration.isImportant ? IMPORTANT : 0);
        if (rank < ranks[name]) continue;
        ranks[name] = rank;
        // "background: none"
        const value = declaration.property === 'background' ? 'transparent' : declaration.value;
        colours[name] = isVague ? UNKNOWN : value;
      }
    };
    const keys = ['*', box.tag, ...box.classes.map((name) => `.${name}`), `#${box.id}`];
    for (const bucket of keys.flatMap((key) => this.#buckets.get(key) ?? [])) {
      if (!this.#step(bucket.count)) break;
      for (const { selector, root, order, isVague, colours: found } of bucket.rules) {
        if (!matches(selector.compounds, box, root, this.#step)) continue;
        colours.isLost ||= found.isLost;
        apply(found, selector.specificity * ORDERS + order, isVague);
      }
    }
    const isTextRuled = ranks.text >= 0;
    apply(ownColours(own), INLINE);
    return { colours, isGroundRuled: ranks.background >= 0, isTextRuled };
  }
}

/** undefined: nothing is left of the elements, or they exceed a bound. */
export function readStyleSheet(
  elements: readonly StyleElement[],
  pictureUrl: PictureUrl,
  steps: number,
): StyleSheet | undefined {
  if (elements.length === 0) return undefined;
  if (elements.reduce((sum, { css }) => sum + css.length, 0) > MAX_SHEET_CHARACTERS) return undefined;
  const isCss = ({ attributes }: StyleElement): boolean =>
    /^(?:text\/css)?$/i.test((attributes.get('type') ?? '').trim());
  const sheet = new StyleSheet(
    elements.map((element) => (isCss(element) ? element : { ...element, css: '' })),
    pictureUrl,
    steps,
  );
  return sheet.selectorCount === 0 || sheet.selectorCount > MAX_SELECTORS ? undefined : sheet;
}
