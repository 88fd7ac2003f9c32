// The text of a message, in a frame of its own: the gateway has made its HTML safe, and here it can run no script, load
// nothing from elsewhere (the page's policy holds inside) unless the reader asks for it, and lay nothing over the page.

import { element, queryAll } from '../core/dom.js';
import { routeOfPage } from '../core/router.js';

const STYLES = ['colours', 'message-text']
  .map((name) => `<link rel="stylesheet" href="../s/css/${name}.css">`)
  .join('');
const FRAME = `<!doctype html><meta charset="utf-8">${STYLES}<body>`;
/** room for a scroll bar below text that is wider than the frame */
const SCROLL_BAR = 18;
const COLOURED = '[bgcolor], [color], [data-style*="color"], [data-style*="background"]';

/**
 * `onKey` hears the keys that are pressed inside. `hasRemote`: a page whose policy lets pictures in from anywhere.
 * @param {string} html
 * @param {(event: KeyboardEvent) => void} onKey
 * @param {boolean} [hasRemote]
 */
export function messageFrame(html, onKey, hasRemote = false) {
  const frame = element('iframe', {
    class: 'message-frame',
    title: 'Text of the message',
    // links open elsewhere; the same origin, so that pictures in the message come with the session, and its height
    // shows
    sandbox: 'allow-same-origin allow-popups allow-popups-to-escape-sandbox',
    srcdoc: !hasRemote && FRAME,
    src: hasRemote && '../s/pictures-frame.html',
  });
  frame.addEventListener('load', () => fill(frame, html, onKey), { once: true });
  return frame;
}

/**
 * @param {HTMLIFrameElement} frame
 * @param {string} html
 * @param {(event: KeyboardEvent) => void} onKey
 */
function fill(frame, html, onKey) {
  const page = frame.contentDocument;
  if (!page?.body) return;
  const source = new DOMParser().parseFromString(withoutStyles(html), 'text/html');
  page.documentElement.lang = '';
  page.body.dir = 'auto';
  // a message that brings colours of its own was made for white paper
  if (source.body.querySelector(COLOURED)) page.documentElement.className = 'paper';
  page.body.append(...source.body.childNodes);
  for (const node of queryAll(page.body, '[data-style]')) {
    node.style.cssText = node.dataset.style ?? '';
    node.removeAttribute('data-style');
  }
  for (const link of queryAll(page.body, 'a[href]:not([target])')) leadToPage(/** @type {HTMLAnchorElement} */ (link));
  const fit = () => {
    const root = page.documentElement;
    const isWide = root.scrollWidth > root.clientWidth;
    frame.style.height = `${Math.ceil(root.getBoundingClientRect().height) + (isWide ? SCROLL_BAR : 0)}px`;
  };
  new ResizeObserver(fit).observe(page.documentElement);
  page.addEventListener('keydown', onKey);
}

/**
 * A page of a wiki links to others by their address at the gateway: here they open beside the list, as any message
 * does.
 * @param {HTMLAnchorElement} link
 */
function leadToPage(link) {
  const route = routeOfPage(link.getAttribute('href') ?? '');
  if (!route) return;
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
