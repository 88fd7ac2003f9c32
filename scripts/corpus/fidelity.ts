// A page that shows the HTML mails of a folder side by side, as they were sent and as the web client shows them, both in
// Chromium and equally wide, with the share of the words that are there, and of those the share that has the same
// alignment and the same colours. What a mail does not set is the client's own: its colours of text and links count as
// the same as those of the browser.

import { writeFileSync } from 'node:fs';
import type { Frame, Page } from 'playwright-core';
import { escapeHtml } from '../../src/html/escape.ts';
import { contentOf, contentParts } from '../../src/mime/part.ts';
import { chosenParts, decodedPartText } from '../../src/mime/readable.ts';
import { walk } from '../../src/mime/walk.ts';
import { launchBrowser } from '../../test/support/web-client.ts';
import { type CorpusMail, withMails } from './delivery.ts';

interface Word {
  text: string;
  align: string;
  /** of text and ground; '' where the mail sets none */
  colours: string;
}

export interface Shares {
  words: number;
  alignments: number;
  colours: number;
}

interface Compared extends Shares {
  file: string;
  /** PNG, in base64 */
  pictures: [raw: string, ours: string];
}

const VIEWPORT = { width: 1280, height: 900 };
/** of a picture; newsletters are longer */
const MOST_HEIGHT = 3000;
/** words further on that are searched for one that is missing here */
const AHEAD = 60;
const READY_MS = 30_000;

/** What a reader sees of a document, word by word. Runs in the page; `link` and `paper` are colours that nobody set. */
const WORDS = `(page, link, paper) => {
  const view = page.defaultView;
  const plain = view.getComputedStyle(page.documentElement).color;
  const isNone = (ground) => [paper, 'rgba(0, 0, 0, 0)', 'rgb(255, 255, 255)'].includes(ground);
  const words = [];
  const texts = page.createTreeWalker(page.body, 4);
  for (let text = texts.nextNode(); text; text = texts.nextNode()) {
    const box = text.parentElement;
    const range = page.createRange();
    range.selectNodeContents(text);
    const { width, height } = range.getBoundingClientRect();
    if (!text.data.trim() || width * height < 2) continue;
    if (!box.checkVisibility({ opacityProperty: true, visibilityProperty: true })) continue;
    const { color, textAlign, direction } = view.getComputedStyle(box);
    let ground = 'rgba(0, 0, 0, 0)';
    let isHidden = false;
    for (let outer = box; outer; outer = outer.parentElement) {
      const { backgroundColor, overflow, maxHeight } = view.getComputedStyle(outer);
      if (isNone(ground)) ground = backgroundColor;
      isHidden ||= overflow !== 'visible' && (maxHeight === '0px' || outer.clientHeight < 2) && outer !== page.body;
    }
    if (isHidden) continue;
    const start = direction === 'rtl' ? 'right' : 'left';
    const align = { start, end: start === 'left' ? 'right' : 'left' }[textAlign] ?? textAlign.replace('-webkit-', '');
    const isPlain = [plain, 'rgb(0, 0, 0)'].includes(color) || (color === link && box.closest('a'));
    const own = [isPlain ? '' : color, isNone(ground) ? '' : ground];
    for (const word of text.data.trim().split(/\\s+/))
      words.push({ text: word, align, colours: own.join(' on ') });
  }
  return words;
}`;

/** The HTML that a mail was sent with, its own pictures in it; undefined: it has none. */
function sentHtml(source: Buffer): string | undefined {
  const lines = Buffer.from(source.toString('latin1').replaceAll('\r\n', '\n'), 'latin1');
  const root = walk(lines);
  const part = chosenParts(root, false).find(({ type }) => type === 'text/html');
  if (!part) return undefined;
  let html = decodedPartText(lines, part);
  for (const { contentId, type, ...picture } of contentParts(root)) {
    if (contentId === '' || !type.startsWith('image/')) continue;
    const content = contentOf(lines, { contentId, type, ...picture });
    html = html.replaceAll(`cid:${contentId}`, `data:${type};base64,${content.toString('base64')}`);
  }
  return html;
}

/** Shows what was sent in a frame without scripts, in a page without a network. */
async function showSent(page: Page, html: string, width: number): Promise<{ words: Word[]; picture: string }> {
  await page.setContent(
    `<!doctype html><body style="margin:0"><iframe sandbox="allow-same-origin" srcdoc="${escapeHtml(html)}" ` +
      `style="border:0;width:${width}px;height:600px"></iframe>`,
  );
  const shown = page.locator('iframe');
  const height = await page.evaluate<number>(
    'document.querySelector("iframe").contentDocument.documentElement.scrollHeight',
  );
  await page.setViewportSize({ width: VIEWPORT.width, height: Math.min(height, MOST_HEIGHT) + 20 });
  await page.evaluate(`document.querySelector("iframe").style.height = "${Math.min(height, MOST_HEIGHT)}px"`);
  const words = await page.evaluate<Word[]>(
    `(${WORDS})(document.querySelector("iframe").contentDocument, "rgb(0, 0, 238)")`,
  );
  return { words, picture: (await shown.screenshot()).toString('base64') };
}

/** Shows it in the web client, whose frame it is. */
async function showOurs(
  page: Page,
  client: string,
  number: string,
): Promise<{ words: Word[]; picture: string; width: number }> {
  await page.setViewportSize(VIEWPORT);
  // once it is there, this is only another place in it
  await page.goto(`${client}#/r/Lobby/${number}`);
  const shown = page.locator(`[data-msgnum="${number}"] iframe.message-frame`);
  await shown.waitFor({ timeout: READY_MS });
  const frame = (await (await shown.elementHandle())?.contentFrame()) as Frame;
  await frame.waitForFunction('document.body?.childNodes.length > 0', undefined, { timeout: READY_MS });
  await page.waitForTimeout(200);
  const { width, height } = (await shown.boundingBox())!;
  await page.setViewportSize({ ...VIEWPORT, height: Math.min(height, MOST_HEIGHT) + 500 });
  const picture = (await shown.screenshot()).toString('base64');
  const words = await frame.evaluate<Word[]>(`(() => {
    const page = document;
    const link = page.body.appendChild(page.createElement('a'));
    const { color } = page.defaultView.getComputedStyle(link);
    link.remove();
    const { backgroundColor } = page.defaultView.getComputedStyle(page.documentElement);
    return (${WORDS})(page, color, backgroundColor);
  })()`);
  return { words, picture, width: Math.round(width) };
}

const share = (some: number, all: number): number => (all === 0 ? 1 : some / all);

/** Pairs the words in their order. */
export function compareWords(sent: readonly Word[], ours: readonly Word[]): Shares {
  let [at, found, alignments, colours] = [0, 0, 0, 0];
  for (const word of sent) {
    const place = ours.slice(at, at + AHEAD).findIndex(({ text }) => text === word.text);
    if (place < 0) continue;
    const same = ours[at + place]!;
    at += place + 1;
    found++;
    if (same.align === word.align) alignments++;
    if (same.colours === word.colours) colours++;
  }
  return {
    words: share(found, Math.max(sent.length, ours.length)),
    alignments: share(alignments, found),
    colours: share(colours, found),
  };
}

/** `client` and `apart`: a page of a browser that is logged in, and one without scripts and network. */
async function compare(
  client: Page,
  apart: Page,
  { file, source, gateway, delivered }: CorpusMail,
): Promise<Compared | undefined> {
  const number = await delivered;
  const html = sentHtml(source);
  if (html === undefined) return undefined;
  const ours = await showOurs(client, `${gateway.url}svc/a/landing.html`, number);
  const sent = await showSent(apart, html, ours.width);
  return { file, ...compareWords(sent.words, ours.words), pictures: [sent.picture, ours.picture] };
}

const percent = (part: number): string => `${(100 * part).toFixed(1)} %`;

function pageOf(all: readonly Compared[]): string {
  const rows = all.map(({ file, words, alignments, colours, pictures }) => {
    const shares = [words, alignments, colours].map((part) => `<td>${percent(part)}`).join('');
    const shown = pictures.map((picture) => `<td><img src="data:image/png;base64,${picture}">`).join('');
    return `<tr><th>${escapeHtml(file)}${shares}${shown}`;
  });
  const mean = (name: keyof Shares) =>
    share(
      all.reduce((sum, each) => sum + each[name], 0),
      all.length,
    );
  return (
    '<!doctype html><html lang="en"><meta charset="utf-8"><title>Mails as sent and as shown</title><style>' +
    'body{font:14px sans-serif}td,th{border:1px solid #ccc;padding:6px;vertical-align:top}img{max-width:680px}</style>' +
    '<table><tr><th>mail<th>words<th>alignments<th>colours<th>as sent<th>as shown' +
    `<tr><th>all<td>${percent(mean('words'))}<td>${percent(mean('alignments'))}<td>${percent(mean('colours'))}<td><td>` +
    `${rows.join('')}</table></html>`
  );
}

/** Prints the shares of each mail, too. */
export async function writeFidelityPage(folder: string, file: string): Promise<void> {
  const browser = await launchBrowser();
  const all: Compared[] = [];
  /** of the web client: it shows nothing that its own policy refuses */
  const complaints: string[] = [];
  try {
    const context = await browser.newContext({ viewport: VIEWPORT, locale: 'en-GB', serviceWorkers: 'block' });
    const withoutScripts = await browser.newContext({ viewport: VIEWPORT, javaScriptEnabled: false, offline: true });
    const [client, apart] = [await context.newPage(), await withoutScripts.newPage()];
    client.on('console', (message) => {
      if (message.text().includes('Security Policy')) complaints.push(message.text());
    });
    await withMails(folder, async (mail) => {
      if (all.length === 0) {
        const data = { username: 'reader', password: 'reader' };
        await context.request.post(`${mail.gateway.url}svc/a/login`, { data });
      }
      const compared = await compare(client, apart, mail);
      if (!compared) return;
      all.push(compared);
      const { pictures: _, ...shares } = compared;
      process.stdout.write(`${JSON.stringify(shares)}\n`);
    });
  } finally {
    await browser.close();
  }
  writeFileSync(file, pageOf(all));
  if (complaints.length > 0) throw new Error(complaints.join('\n'));
}
