// The sanitiser before a real browser: every hostile payload of the corpus, made safe, is put into a page by innerHTML
// and into a frame that may run scripts. Nothing may run, nothing may leave the page, and what the browser built of it
// may hold only what is on the allow-list.

import assert from 'node:assert/strict';
import { after, before, describe, it } from 'node:test';
import type { Browser } from 'playwright-core';
import { sanitise } from '../../src/html/sanitise.ts';
import { randomHtml } from '../html/html-random.ts';
import { ATTRIBUTES, ELEMENTS } from '../html/html-safety.ts';
import { VECTORS } from '../html/html-vectors.ts';
import { STYLED_PAGES } from '../html/style-vectors.ts';
import { EVENTUALLY_MS } from '../support/eventually.ts';
import { newSeed, randomFrom } from '../support/random.ts';
import { launchBrowser } from '../support/web-client.ts';

const PAGE = 'http://page.example/';
/** a picture that the test itself puts behind the payloads: when its error was heard, theirs had their time, too */
const LAST = 'http://page.example/last';
/** A browser drops the line feed behind `<pre>`, each time it reads its own writing again. */
const withoutFirstLineFeeds = (html: string): string => html.replace(/(<pre[^>]*>)\n+/g, '$1');

const RANDOM_DOCUMENTS = 3000;
const payloads = Object.values(VECTORS).flat();

/** what the page found in one place where a payload was put */
interface Found {
  /** how often a script ran, in the page or in a frame */
  ran: number;
  elements: string[];
  attributes: [element: string, name: string, value: string][];
  /** what the browser writes of each payload */
  written: string[];
  /** payloads that the browser reads otherwise when it reads its own writing again */
  changing: string[];
}

interface Visit extends Found {
  /** addresses asked for beside the page */
  requests: string[];
  dialogs: string[];
}

let browser: Browser;
before(async () => {
  browser = await launchBrowser();
});
after(() => browser.close());

/**
 * Opens a page in which `alert` counts, and puts each text into a place of its own; looks when `sign` holds in the
 * page.
 */
async function visit(texts: readonly string[], place: string, sign = 'true'): Promise<Visit> {
  const context = await browser.newContext();
  context.setDefaultTimeout(EVENTUALLY_MS);
  try {
    const page = await context.newPage();
    const requests: string[] = [];
    const dialogs: string[] = [];
    await context.route('**/*', (route) => {
      const url = route.request().url();
      if (url === PAGE)
        return route.fulfill({ contentType: 'text/html', body: '<!doctype html><title>t</title><body>' });
      if (url !== LAST) requests.push(url);
      return route.abort();
    });
    page.on('dialog', (dialog) => {
      dialogs.push(dialog.message());
      void dialog.dismiss();
    });
    await context.addInitScript('window.ran = 0; window.alert = () => void top.ran++; window.msgbox = window.alert;');
    await page.goto(PAGE);
    const found = await page.evaluate<Found>(`(${place})(${JSON.stringify(texts)}).then(${report(sign)})`);
    assert.equal(page.url(), PAGE, 'the page is still there');
    assert.equal(context.pages().length, 1, 'no other page was opened');
    return { ...found, requests, dialogs };
  } finally {
    await context.close();
  }
}

const byInnerHtml = `async (texts) => texts.map((text) => {
  const box = document.createElement('div');
  document.body.append(box);
  box.innerHTML = text;
  return box;
})`;

/** The sandbox lets everything happen: it is the sanitiser that has to prevent it. */
const bySrcdoc = `async (texts) => Promise.all(texts.map((text) => new Promise((resolve) => {
  const frame = document.createElement('iframe');
  frame.sandbox = 'allow-scripts allow-same-origin allow-forms allow-popups allow-modals allow-top-navigation';
  frame.onload = () => resolve(frame.contentDocument.body);
  frame.srcdoc = '<!doctype html><body>' + text;
  document.body.append(frame);
})))`;

/** what the hostile rules do when they are not made safe */
const WILD = '.OUTSIDE{color:red;position:fixed;inset:0;background:url(http://evil.example/wild)}';
/** a page of buttons, fields and links, with the names that the hostile rules mean */
const AROUND = `<!doctype html><html lang="en"><title>t</title><body class="OUTSIDE x"><header id="OUTSIDE" class="OUTSIDE">
  <button class="OUTSIDE" value="a">Delete</button><input value="abc" class="x"><a href="/svc/secret" class="a">link</a>
  <p class="m-x m-OUTSIDE" id="m-OUTSIDE">text</p><table><tr><td class="w">cell</table></header><main></main>
  <footer class="OUTSIDE"><b>end</b></footer>`;

interface Around {
  /** the styles of all elements that are not of a message, and what lies in the middle of each */
  around: unknown[];
  /** colours of the first paragraphs of the messages */
  inside: string[];
  requests: string[];
}

/** Puts messages into the page, in a box of its own, as a program does that shows them. */
async function lookAround(texts: readonly string[]): Promise<Around> {
  const context = await browser.newContext();
  context.setDefaultTimeout(EVENTUALLY_MS);
  try {
    const page = await context.newPage();
    const requests: string[] = [];
    await context.route('**/*', (route) => {
      const url = route.request().url();
      if (url === PAGE) return route.fulfill({ contentType: 'text/html', body: AROUND });
      requests.push(url);
      return route.abort();
    });
    await page.goto(PAGE);
    const seen = await page.evaluate<Omit<Around, 'requests'>>(`(async (texts) => {
      const main = document.querySelector('main');
      for (const text of texts) main.appendChild(document.createElement('div')).innerHTML = text;
      main.style.cssText = 'display: block; height: 200px; overflow: hidden';
      document.querySelector('button').focus();
      await new Promise((resolve) => setTimeout(resolve, 200));
      const around = [document.documentElement, ...document.querySelectorAll('body, header, header *, main, footer, footer *')];
      return {
        around: around.map((node) => {
          const { left, top, width, height } = node.getBoundingClientRect();
          const found = document.elementFromPoint(left + width / 2, top + height / 2);
          const own = ['', '::before', '::after'].map((pseudo) => {
            const style = getComputedStyle(node, pseudo);
            return Array.from(style, (name) => name + ':' + style.getPropertyValue(name)).join(';');
          });
          const isLarge = node.contains(main);
          return [node.localName, left, top, width, height, isLarge || node === main || found?.localName, ...own];
        }),
        inside: [...main.children].map((box) => getComputedStyle(box.querySelector('p') ?? box).color),
      };
    })(${JSON.stringify(texts)})`);
    return { ...seen, requests };
  } finally {
    await context.close();
  }
}

const report = (sign: string) => `async (boxes) => {
  const pause = (ms) => new Promise((resolve) => setTimeout(resolve, ms));
  await pause(0);
  await new Promise((resolve) => Object.assign(new Image(), { src: '${LAST}', onerror: resolve }));
  for (const end = performance.now() + ${EVENTUALLY_MS}; !(${sign}) && performance.now() < end;) await pause(20);
  await pause(100);
  const elements = new Set(), attributes = new Map(), changing = [], written = [];
  for (const box of boxes) {
    for (const node of box.querySelectorAll('*')) {
      const isHtml = node.namespaceURI === 'http://www.w3.org/1999/xhtml';
      elements.add(isHtml ? node.localName : node.namespaceURI + ' ' + node.localName);
      for (const { name, value } of node.attributes) {
        const attribute = [node.localName, name, value];
        attributes.set(attribute.join('\\0'), attribute);
      }
    }
    const once = box.innerHTML;
    written.push(once);
    const again = document.implementation.createHTMLDocument('').body;
    again.innerHTML = once;
    const steady = (html) => html.replace(/(<pre[^>]*>)\\n+/g, '$1');
    if (steady(again.innerHTML) !== steady(once)) changing.push(once);
  }
  return { ran: window.ran, elements: [...elements], attributes: [...attributes.values()], changing, written };
}`;

function checkVisit({ ran, requests, dialogs, elements, attributes, changing }: Visit): void {
  assert.deepEqual({ ran, requests, dialogs, changing }, { ran: 0, requests: [], dialogs: [], changing: [] });
  const foreign = elements.filter((name) => !ELEMENTS.has(name));
  assert.deepEqual(foreign, []);
  for (const [element, name, value] of attributes) {
    if (name === 'style') assert.doesNotMatch(value, /url|expression|@|\\|<|position|behavior|binding/i, element);
    else assert.match(value, ATTRIBUTES[name] ?? /^attribute not on the list$/, `${element} ${name}`);
  }
}

describe('hostile HTML in a browser', () => {
  it('does its work when it is not made safe: what is measured here can be seen', async () => {
    for (const place of [byInnerHtml, bySrcdoc]) {
      // an error handler runs once its image has failed to load
      const { ran, requests, elements, attributes } = await visit(
        VECTORS.handlers!.slice(0, 6),
        place,
        'window.ran > 0',
      );
      assert.ok(ran > 0, 'a script ran');
      assert.ok(requests.length > 0, 'something was asked for');
      assert.ok(attributes.some(([, name]) => name === 'onerror'));
      assert.ok(elements.includes('img'));
    }
  });

  const safe = payloads.map((payload) => sanitise(payload, { remote: false }).html);
  for (const [name, place] of Object.entries({ 'by innerHTML': byInnerHtml, 'in a frame': bySrcdoc })) {
    it(`does nothing when it has been made safe: ${payloads.length} payloads ${name}`, async () => {
      checkVisit(await visit(safe, place));
    });

    it(`does nothing ${name} when all of it stands in one document`, async () => {
      checkVisit(await visit([safe.join('\n'), sanitise(payloads.join('\n'), { remote: false }).html], place));
    });
  }

  it('does nothing as random HTML, and stays as it is when what the browser wrote is made safe again', async () => {
    const seed = newSeed();
    const random = randomFrom(seed);
    const sources = Array.from({ length: RANDOM_DOCUMENTS }, () => randomHtml(random, 1 + random(60)));
    const first = await visit(
      sources.map((source) => sanitise(source, { remote: false }).html),
      byInnerHtml,
    );
    checkVisit(first);
    const again = await visit(
      first.written.map((html) => sanitise(html, { remote: false }).html),
      byInnerHtml,
    );
    checkVisit(again);
    for (const [index, source] of sources.entries()) {
      const words = `TEST_SEED=${seed}, document ${index}: ${JSON.stringify(source)}`;
      assert.equal(withoutFirstLineFeeds(again.written[index]!), withoutFirstLineFeeds(first.written[index]!), words);
    }
  });

  it('cannot change, cover or read what stands around it by its rules, or load anything by them', async () => {
    const plain = await lookAround([]);
    const wild = await lookAround([`<style>${WILD}</style><p class=OUTSIDE>x`]);
    assert.notDeepEqual(wild.around, plain.around, 'what is measured here can be seen');
    assert.ok(wild.requests.length > 0, 'what is asked for is heard');
    const pages = STYLED_PAGES.map((page) => sanitise(page, { remote: true }).html.replaceAll(/<img[^>]*>/g, ''));
    for (const texts of [pages, [pages.join('')], [sanitise(STYLED_PAGES.join(''), { remote: false }).html]]) {
      const { around, requests } = await lookAround(texts);
      assert.deepEqual(around, plain.around);
      assert.deepEqual(requests, []);
    }
  });

  it('applies the rules of a message to it alone, and not to another one that is shown beside it', async () => {
    const texts = ['red', 'blue'].map(
      (colour) =>
        sanitise(`<style>p,.a{color:${colour}}</style><p>x<b class=a>y`, {
          remote: false,
        }).html,
    );
    const { inside } = await lookAround([...texts, sanitise('<p>x', { remote: false }).html]);
    assert.deepEqual(inside, ['rgb(255, 0, 0)', 'rgb(0, 0, 255)', 'rgb(0, 0, 0)']);
  });

  it('asks only for images over http and https when remote images are wanted', async () => {
    const wanted = payloads.map((payload) => sanitise(payload, { remote: true }).html);
    const { ran, requests, dialogs, elements } = await visit(wanted, byInnerHtml);
    assert.deepEqual({ ran, dialogs }, { ran: 0, dialogs: [] });
    assert.deepEqual(
      elements.filter((name) => !ELEMENTS.has(name)),
      [],
    );
    const sources = new Set(
      wanted.flatMap((html) =>
        [...html.matchAll(/<img src="(https?:[^"]*)"/g)].map(([, src]) => src!.replaceAll('&amp;', '&')),
      ),
    );
    for (const url of requests) assert.ok(sources.has(url), url);
  });
});
