// The text of a message, in a frame of its own: the gateway has made its HTML safe, and here it can run no script, load
// nothing from elsewhere (the page's policy holds inside) unless the reader asks for it, and lay nothing over the page.

import { OWN_ROOM } from '../../src/protocol/room-facts.ts';
import { pageAt } from '../api/groupware.js';
import { element, queryAll } from '../core/dom.js';
import { t } from '../core/i18n.js';
import { routeTo } from '../core/router.js';
import { otherHost } from '../formats/link-text.js';
import { parseMailto } from '../formats/mailto.js';
import { user } from '../model/session.js';

const STYLES = ['../s/css/tokens.css', '../s/css/message-text.css']
  .map((path) => `<link rel="stylesheet" href="${path}">`)
  .join('');
/** an empty page with the style of messages */
export const FRAME = `<!doctype html><meta charset="utf-8">${STYLES}<body>`;
/** room for a scroll bar below text that is wider than the frame */
const SCROLL_BAR = 18;
const COLOURED = '[bgcolor], [color], [data-style*="color"], [data-style*="background"]';
const COLOURED_RULES = /[;{ ](?:color|background(?:-color|-image)?): /;
/** a wider message than this allows is scrolled: smaller text could not be read */
const LEAST_ZOOM = 0.4;
/** a quotation that is shorter than this is as well read as unfolded */
const SHORT_QUOTE = 120;

/**
 * `onKey` hears the keys that are pressed inside. `hasRemote`: a page whose policy lets pictures in from anywhere.
 * `foldsQuotes`: what only repeats an earlier message opens on demand.
 * @param {string} html
 * @param {{ onKey?: (event: KeyboardEvent) => void, hasRemote?: boolean, foldsQuotes?: boolean }} [options]
 */
export function messageFrame(html, { onKey = () => {}, hasRemote = false, foldsQuotes = false } = {}) {
  const frame = element('iframe', {
    class: 'message-frame',
    title: t('message.text'),
    // links open elsewhere; the same origin, so that pictures in the message come with the session, and its height
    // shows
    sandbox: 'allow-same-origin allow-popups allow-popups-to-escape-sandbox',
    srcdoc: !hasRemote && FRAME,
    src: hasRemote && '../s/pictures-frame.html',
  });
  frame.addEventListener('load', () => fill(frame, html, onKey, foldsQuotes), { once: true });
  return frame;
}

/**
 * @param {HTMLIFrameElement} frame
 * @param {string} html
 * @param {(event: KeyboardEvent) => void} onKey
 * @param {boolean} foldsQuotes
 */
function fill(frame, html, onKey, foldsQuotes) {
  const page = frame.contentDocument;
  if (!page?.body) return;
  page.documentElement.lang = '';
  const { theme } = document.documentElement.dataset;
  if (theme) page.documentElement.dataset.theme = theme;
  page.body.dir = 'auto';
  // a message that brings colours of its own was made for white paper
  if (appendHtml(page.body, html)) page.documentElement.className = 'paper';
  for (const link of queryAll(page.body, 'a[href]:not([target])')) leadToPage(/** @type {HTMLAnchorElement} */ (link));
  for (const link of queryAll(page.body, 'a[href^="mailto:" i]')) leadToForm(/** @type {HTMLAnchorElement} */ (link));
  for (const link of queryAll(page.body, 'a[href^="#"]')) leadToPlace(page, /** @type {HTMLAnchorElement} */ (link));
  for (const link of queryAll(page.body, 'a[href]')) sayWhere(/** @type {HTMLAnchorElement} */ (link));
  if (foldsQuotes) foldQuotes(page);
  const fit = () => {
    const root = page.documentElement;
    page.body.style.zoom = '';
    const share = Math.floor((1000 * root.clientWidth) / root.scrollWidth) / 1000;
    if (share < 1) page.body.style.zoom = String(Math.max(share, LEAST_ZOOM));
    const isWide = root.scrollWidth > root.clientWidth;
    frame.style.blockSize = `${Math.ceil(root.getBoundingClientRect().height) + (isWide ? SCROLL_BAR : 0)}px`;
  };
  new ResizeObserver(fit).observe(page.documentElement);
  page.addEventListener('keydown', onKey);
}

/**
 * What the gateway has made safe, into a frame without scripts. Answers whether it has colours of its own.
 * @param {HTMLElement} place
 * @param {string} html
 */
export function appendHtml(place, html) {
  // what the gateway has made safe has no "<" in its rules; the page's policy refuses style elements
  const pieces = html.split(/<style>([^<]*)<\/style>/);
  const rules = pieces.filter((_, i) => i % 2 === 1).join('\n');
  const text = pieces.filter((_, i) => i % 2 === 0).join('');
  const source = new DOMParser().parseFromString(withoutStyles(text), 'text/html');
  const isColoured = source.body.querySelector(COLOURED) !== null || COLOURED_RULES.test(rules);
  if (rules !== '') adoptRules(place, rules);
  place.append(...source.body.childNodes);
  for (const node of queryAll(place, '[data-style]')) {
    node.style.cssText = node.dataset.style ?? '';
    node.removeAttribute('data-style');
  }
  for (const picture of queryAll(place, 'img[width][height]')) keepShape(/** @type {HTMLImageElement} */ (picture));
  return isColoured;
}

/** The rules of a message are for what stands below its own root. @param {HTMLElement} place @param {string} rules */
function adoptRules(place, rules) {
  const page = /** @type {Document} */ (place.getRootNode());
  const view = page.defaultView;
  if (!view) return;
  const sheet = new view.CSSStyleSheet();
  sheet.replaceSync(rules);
  page.adoptedStyleSheets.push(sheet);
}

/** A picture that becomes narrower than was asked for becomes lower by as much. @param {HTMLImageElement} picture */
function keepShape({ style, attributes }) {
  const [width, height] = ['width', 'height'].map((name) => Number(attributes.getNamedItem(name)?.value));
  if (!width || !height || style.width || style.height) return;
  style.aspectRatio = `${width} / ${height}`;
  style.height = 'auto';
}

/** Only where something else is said: a message that is all quotation is shown. @param {Document} page */
function foldQuotes(page) {
  const quotes = [...queryAll(page.body, 'blockquote')].filter(
    (quote) => !quote.parentElement?.closest('blockquote') && quote.textContent.length > SHORT_QUOTE,
  );
  const quoted = quotes.reduce((sum, quote) => sum + quote.textContent.trim().length, 0);
  if (page.body.textContent.trim().length <= quoted) return;
  for (const quote of quotes) {
    const fold = element('details', { class: 'quoted' }, element('summary', {}, t('message.quoted')));
    quote.replaceWith(fold);
    fold.append(quote);
  }
}

/**
 * A page of a wiki links to others by their address at the gateway: here they open beside the list, as any message
 * does.
 * @param {HTMLAnchorElement} link
 */
function leadToPage(link) {
  const page = pageAt(link.getAttribute('href') ?? '');
  if (!page) return;
  leadTo(link, routeTo(page.room, 'page', page.name));
}

/** A link whose text names another host than the one it leads to says so. @param {HTMLAnchorElement} link */
function sayWhere(link) {
  const host = otherHost(link.textContent, link.href);
  if (host !== undefined) link.after(element('span', { class: 'leads-to' }, ` (${t('message.leads-to', { host })})`));
}

/** A place in the same message. @param {Document} page @param {HTMLAnchorElement} link */
function leadToPlace(page, link) {
  link.addEventListener('click', (event) => {
    event.preventDefault();
    const name = link.getAttribute('href')?.slice(1) ?? '';
    page.getElementById(name)?.scrollIntoView();
  });
}

/** Mail is written here, for whoever has a mailbox. @param {HTMLAnchorElement} link */
function leadToForm(link) {
  const address = link.getAttribute('href') ?? '';
  if (user.get() && parseMailto(address)) leadTo(link, routeTo(OWN_ROOM.mail, 'new', address));
}

/** @param {HTMLAnchorElement} link @param {string} route */
function leadTo(link, route) {
  link.href = new URL(route, location.href).href;
  link.target = '_blank'; // for a click that asks for a window of its own
  link.addEventListener('click', (event) => {
    if (event.ctrlKey || event.metaKey || event.shiftKey) return;
    event.preventDefault();
    location.hash = route;
  });
}

/**
 * The page's policy refuses style attributes; what the gateway has let through is set one by one instead. In its HTML
 * a double quote stands around attribute values only.
 * @param {string} html
 */
function withoutStyles(html) {
  return html.replaceAll(' style="', ' data-style="');
}
