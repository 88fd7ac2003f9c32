// A lint of the mail that leaves, for each way of writing (RFC 5322, 2045, 2047, 2231), as `?format=rfc822` gives it.

import assert from 'node:assert/strict';
import { join } from 'node:path';
import { after, it } from 'node:test';
import { headerValue, parseHeaders, parseParameters } from '../../src/mime/headers.ts';
import { isMarkedAsFile } from '../../src/mime/message-facts.ts';
import { contentOf, contentParts, isMessage } from '../../src/mime/part.ts';
import { type MimePart, MimeWalker, walk } from '../../src/mime/walk.ts';
// @ts-expect-error: the web client has no types
import { forwardedHtml, wholeOf } from '../../static/formats/forwarded.js';
// @ts-expect-error: the web client has no types
import { mailBody } from '../../static/formats/mail-body.js';
// @ts-expect-error: the web client has no types
import { quoteText } from '../../static/formats/mail-text.js';
import { type Api, postedNumber, startGateway } from '../support/gateway.ts';
import { startRealServer } from '../support/real-server.ts';
import { WireClient } from '../support/wire-client.ts';

const MAX_LINE = 998;
/** RFC 2047 section 2: of a line that holds an encoded word */
const MAX_WORD_LINE = 76;
/** RFC 5322 section 3.6: these may be there once */
const SINGLE = ['mime-version', 'date', 'message-id', 'from', 'to', 'cc', 'subject', 'references', 'in-reply-to'];
const ENCODINGS = /^(?:7bit|8bit|quoted-printable|base64)$/i;
const LONG = 'Grüße an alle, die am nächsten Donnerstag zum großen Frühstück in die Küche kommen möchten ☕';
const NAME = 'Übersicht für März "neu".pdf';

/** What is wrong with a message as it leaves; none of it is a matter of taste. */
function faultsOf(bytes: Buffer): string[] {
  const faults: string[] = [];
  const text = bytes.toString('latin1');
  const complain = (isWrong: boolean, fault: string) => isWrong && faults.push(fault);
  complain(/[^\r]\n|\r[^\n]/.test(text), 'a line end that is no CR LF');
  for (const line of text.split('\r\n')) complain(line.length > MAX_LINE, `a line of ${line.length} characters`);
  const walker = new MimeWalker();
  walker.push(bytes);
  const root = walker.end();
  const fields = parseHeaders(bytes.subarray(0, root.start));
  for (const name of SINGLE) {
    complain(fields.filter((field) => field.name.toLowerCase() === name).length > 1, `${name} is there twice`);
  }
  for (const name of ['Date', 'Message-ID', 'From', 'Content-Type']) complain(!headerValue(fields, name), `no ${name}`);
  complain(headerValue(fields, 'MIME-Version') !== '1.0', 'no MIME-Version: 1.0');
  complain(!/^<[^<>@\s]+@[^<>@\s]+>$/.test(headerValue(fields, 'Message-ID') ?? ''), 'Message-ID is no id');
  complain(Number.isNaN(Date.parse(headerValue(fields, 'Date') ?? '')), 'Date is no date');
  const references = headerValue(fields, 'References');
  complain(references !== undefined && !/^<[^<>\s]+>(?:\s+<[^<>\s]+>)*$/.test(references), 'References are no ids');
  complain(headerValue(fields, 'In-Reply-To') !== references?.split(/\s+/).at(-1), 'In-Reply-To is not the parent');
  for (const part of textless(root)) faults.push(`part ${part.number}: HTML without its text`);
  for (const part of [root, ...contentParts(root)]) faults.push(...faultsOfPart(bytes, part, part === root));
  return faults;
}

/** HTML for which no text stands before it; a file or what came along needs none. */
function textless(part: MimePart, hasText = false): MimePart[] {
  if (part.type === 'text/html') return hasText || isMarkedAsFile({ ...part, name: part.filename }) ? [] : [part];
  if (isMessage(part)) return [];
  const isAlternative = part.type === 'multipart/alternative' && part.children[0]?.type === 'text/plain';
  return part.children.flatMap((child) => textless(child, isAlternative || hasText));
}

function faultsOfPart(bytes: Buffer, part: MimePart, isRoot: boolean): string[] {
  const faults: string[] = [];
  const complain = (isWrong: boolean, fault: string) => isWrong && faults.push(`part ${part.number}: ${fault}`);
  const header = bytes.toString('latin1', part.headerStart, part.start);
  const body = bytes.toString('latin1', part.start, part.end);
  const fields = parseHeaders(Buffer.from(header, 'latin1'));
  complain(/[^\r\n\t -~]/.test(header), 'raw bytes in its header');
  complain(/"[^"\r\n]*=\?[^"\r\n]*\?="/.test(header), 'an encoded word inside quotes');
  for (const line of header.split('\r\n')) {
    complain(/=\?.*\?=/.test(line) && line.length > MAX_WORD_LINE, `encoded words on a line of ${line.length}`);
  }
  complain(!isRoot && headerValue(fields, 'MIME-Version') !== undefined, 'MIME-Version');
  const encoding = headerValue(fields, 'Content-Transfer-Encoding') ?? '7bit';
  complain(!ENCODINGS.test(encoding), `encoded as ${encoding}`);
  complain(part.children.length > 0 && !/^[78]bit$/i.test(encoding), `a multipart in ${encoding}`);
  complain(!/^8bit$/i.test(encoding) && /[\x80-\xff]/.test(body) && part.children.length === 0, '8-bit in its body');
  const { value, params } = parseParameters(headerValue(fields, 'Content-Type') ?? '');
  if (value.startsWith('text/')) complain(!params.get('charset'), `${value} without a charset`);
  if (!value.startsWith('multipart/')) return faults;
  const boundary = `--${params.get('boundary')}`;
  for (const child of part.children) {
    complain(bytes.toString('latin1', child.start, child.end).includes(boundary), `its boundary is in ${child.number}`);
  }
  complain(!body.includes(`${boundary}--`), 'is not closed');
  const isAny8Bit = part.children.some((child) => /^8bit$/i.test(child.encoding));
  complain(isAny8Bit && !/^8bit$/i.test(encoding), `a part in 8bit inside ${encoding}`);
  return faults;
}

const real = await startRealServer({ after }, { users: { alice: 4, bob: 4 } });
const gateways = [
  ['the embedded room server', await startGateway({ after }, { demo: true }), ''],
  ['another room server', await startGateway({ after }, { backend: `unix:${real.path}` }), 'pw'],
] as const;

for (const [server, gateway, suffix] of gateways) {
  const alice = gateway.as('alice', `alice${suffix}`);
  const eml = async (api: Api, path: string) => {
    const response = await api(`${path}?format=rfc822`);
    assert.equal(response.status, 200, path);
    return Buffer.from(await response.arrayBuffer());
  };
  const send = async (room: string, query: Record<string, string>, content: { type: string; body: string }) => {
    const path = `r/${room}/new?${new URLSearchParams(query)}`;
    const put = await alice(path, { method: 'PUT', headers: { 'content-type': content.type }, body: content.body });
    return postedNumber(put);
  };
  const sent = async (query: Record<string, string>, content: { type: string; body: string }) =>
    eml(alice, `r/_SENT_/${await send('_MAIL_', { mailto: 'bob', subj: LONG, ...query }, content)}`);
  const html = `<p>${LONG} <a href="https://x.example/?q=${'a'.repeat(1200)}">link</a></p>`;
  const upload = async () => {
    const refs = [NAME, 'plain name.txt'].map(async (name) => {
      const sent = await alice(`p?filename=${encodeURIComponent(name)}`, { method: 'POST', body: '%PDF'.repeat(900) });
      return ((await sent.json()) as { ref: string }[])[0]!.ref;
    });
    return (await Promise.all(refs)).join('!');
  };

  /** Each way of writing; the message as it leaves. */
  const WAYS: Readonly<Record<string, () => Promise<Buffer>>> = {
    'plain text': () => sent({}, mailBody({ text: `${LONG}\n${'word '.repeat(400)}` })),
    'HTML with its text': () => sent({}, mailBody({ text: LONG, html })),
    'HTML alone': () => sent({}, { type: 'text/html; charset=utf-8', body: html }),
    'HTML alone with attachments': async () =>
      sent({ att: await upload() }, { type: 'text/html; charset=utf-8', body: html }),
    'HTML with a picture': () => {
      const pictures = [{ cid: 'a@b', type: 'image/png', name: 'ü.png', base64: 'iVBORw0KGgo='.repeat(20) }];
      return sent({}, mailBody({ text: LONG, html: `${html}<img src="cid:a@b">`, pictures }));
    },
    attachments: async () => sent({ att: await upload() }, mailBody({ text: LONG, html })),
    'many recipients': () => {
      const all = Array.from({ length: 60 }, () => 'Bob Builder <bob>').join(', ');
      return sent({ mailto: all, mailcc: all }, mailBody({ text: LONG }));
    },
    'an answer': () => sent({ wefw: 'a@x.example!b@x.example' }, mailBody({ text: quoteText(LONG) })),
    'a message forwarded in the text': async () => {
      const body = `<p>Grüße</p><img src="cid:a@b"><img src="https://x.example/p.png">`;
      const pictures = [{ cid: 'a@b', type: 'image/png', name: 'ü.png', base64: 'iVBORw0KGgo='.repeat(20) }];
      const forwarded = { html: forwardedHtml('<p>From: Jörg</p>', body), text: `From: Jörg\n\n${quoteText(LONG)}` };
      const whole = wholeOf({ text: LONG, html: `<p>${LONG}</p>`, forwarded });
      return sent({ subj: `Fwd: ${LONG}`, att: await upload() }, mailBody({ ...whole, pictures }));
    },
    'messages forwarded as attachments': async () => {
      const refs = [];
      for (const subject of [LONG, 'plain']) {
        const msgnum = await send('Lobby', { subj: subject }, mailBody({ text: LONG, html }));
        const taken = await alice(`p/Lobby/${msgnum}?format=rfc822`);
        refs.push(...((await taken.json()) as { ref: string }[]).map(({ ref }) => ref));
      }
      return sent({ subj: `Fwd: ${LONG}`, att: refs.join('!') }, mailBody({ text: LONG, html }));
    },
    'a draft that was sent': async () => {
      const mailto = '"Müller, Jörg" <bob>';
      const content = mailBody({ text: LONG, html });
      const draft = await send('_DRAFTS_', { mailto, subj: LONG, wefw: 'a@x.example' }, content);
      assert.deepEqual(faultsOf(await eml(alice, `r/_DRAFTS_/${draft}`)), [], 'the draft');
      return sent({ mailto, draft: String(draft) }, content);
    },
    'a draft to many': async () => {
      const mailto = Array.from({ length: 60 }, (_, i) => `Jörg Müller <joerg${i}@x.example>`).join(', ');
      return eml(alice, `r/_DRAFTS_/${await send('_DRAFTS_', { mailto, subj: LONG }, mailBody({ text: LONG }))}`);
    },
    'a post on a board': async () =>
      eml(alice, `r/Lobby/${await send('Lobby', { subj: LONG, wefw: 'a@x.example' }, mailBody({ text: LONG }))}`),
    'an invitation': async () => {
      const { email: own } = (await (await alice('a/whoami')).json()) as { email: string };
      const people = [`ORGANIZER:mailto:${own}`, `ATTENDEE;RSVP=TRUE:mailto:bob@${own.split('@')[1]}`];
      const event = ['UID:lint', 'DTSTAMP:20260101T000000Z', 'DTSTART:20260105T100000Z', `SUMMARY:${LONG}`, ...people];
      const lines = ['BEGIN:VCALENDAR', 'VERSION:2.0', 'PRODID:-//T//EN', 'BEGIN:VEVENT', ...event];
      const body = [...lines, 'END:VEVENT', 'END:VCALENDAR', ''].join('\r\n');
      const put = await alice('r/Calendar/lint.ics', {
        method: 'PUT',
        headers: { 'content-type': 'text/calendar' },
        body,
      });
      assert.ok(put.ok, `${put.status}`);
      const { msgs } = (await (await alice('r/_SENT_/mailbox')).json()) as {
        msgs: { msgnum: number; subject: string }[];
      };
      const mail = msgs.find(({ subject }) => subject.startsWith('Invitation'));
      return eml(alice, `r/_SENT_/${mail?.msgnum}`);
    },
    'text by the line protocol': async () => {
      const wire = await WireClient.login(join(gateway.dataFolder, 'citadel.socket'), 'alice', 'alice');
      await wire.expect('GOTO Lobby', 200);
      await wire.send('ENT0 1|||1|by wire', `${LONG}\n`);
      await wire.expect('NOOP', 200);
      wire.close();
      const { msgs } = (await (await alice('r/Lobby/mailbox')).json()) as {
        msgs: { msgnum: number; subject: string }[];
      };
      return eml(alice, `r/Lobby/${msgs.find(({ subject }) => subject === 'by wire')?.msgnum}`);
    },
    'a multipart as it came': () => {
      const part = `Content-Type: text/plain; charset=utf-8\r\nContent-Transfer-Encoding: 8bit\r\n\r\n${LONG}\r\n`;
      return sent({}, { type: 'multipart/mixed; boundary="b b"', body: `--b b\r\n${part}--b b--\r\n` });
    },
  };
  /** what only one of the two does: the embedded room server delivers invitations without mail */
  const isElsewhere = (way: string) => way === (suffix === '' ? 'an invitation' : 'text by the line protocol');
  for (const [way, write] of Object.entries(WAYS)) {
    if (isElsewhere(way)) continue;
    it(`mail leaves ${server} as the standards say: ${way}`, async () => {
      const bytes = await write();
      assert.deepEqual(
        [...new Set(faultsOf(bytes))],
        [],
        `${bytes.toString('latin1').slice(0, 3000)}\n${faultsOf(bytes).join('\n')}`,
      );
    });
  }

  it(`HTML alone has its text when it is mailed by ${server}, and stays what was sent`, async () => {
    const bob = gateway.as('bob', `bob${suffix}`);
    for (const body of [html, '<p>tiny', `<p>000\r\n\0${LONG}`, `<table>${'<tr><td>wide<td>row'.repeat(9000)}`]) {
      const type = 'text/html; charset=utf-8';
      const number = await send('_MAIL_', { mailto: 'bob', subj: 'alone' }, { type, body });
      const { msgs } = (await (await bob('r/_MAIL_/mailbox')).json()) as { msgs: { msgnum: number }[] };
      for (const [api, path] of [
        [alice, `r/_SENT_/${number}`],
        [bob, `r/_MAIL_/${msgs.at(-1)?.msgnum}`],
      ] as const) {
        const got = await api(path);
        assert.equal(got.headers.get('content-type'), type);
        assert.equal(await got.text(), body);
      }
      const bytes = await eml(alice, `r/_SENT_/${number}`);
      const root = walk(bytes);
      const text = contentOf(bytes, root.children[0]!).toString();
      assert.equal(root.children[0]?.type, 'text/plain');
      assert.match(text, body === html ? /\nlink|link/ : /tiny|000|wide/);
      assert.doesNotMatch(text, /<p>|<td>/);
      assert.equal(contentOf(bytes, root.children[1]!).toString(), body);
      const listed = await (await alice('r/_SENT_/', { method: 'PROPFIND', headers: { depth: '1' } })).text();
      assert.ok(listed.includes(`<D:getcontentlength>${Buffer.byteLength(body)}<`), 'its length in a listing');
      const { parts, content_type } = (await (await alice(`r/_SENT_/${number}/json`)).json()) as {
        parts: unknown[];
        content_type: string;
      };
      assert.deepEqual([parts, content_type], [[], type]);
    }
  });
}
