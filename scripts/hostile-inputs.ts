// What is made to be slow, for http-stalls.ts: messages that cost much to take, or to show.

import type { UploadRecord } from '../src/fleet/uploads.ts';
import type { Client } from './scale-site.ts';

export interface HostileInput {
  name: string;
  /** how many do it at once */
  counts: readonly number[];
  /** Makes ready, a client for each that does it; answers what is measured. */
  prepare(clients: readonly Client[]): Promise<() => Promise<unknown>>;
}

const MILLION = 1_000_000;
const SHOWN_BYTES = 2 * MILLION;
const PUT_BYTES = 20 * MILLION;
const BOUNDARY = 'b0undary';
const MULTIPART = `multipart/mixed; boundary=${BOUNDARY}`;
const PLAIN = 'text/plain; charset=utf-8';
const HTML = 'text/html; charset=utf-8';
const UNREAD_CONNECTIONS = 40;
const ATTACKERS = 16;
const ATTACK_MS = 10_000;
/** a room server takes 2 MiB as they are, its header included */
const MAIL_BYTES = 1_900_000;

function repeated(unit: string, bytes: number): string {
  return unit.repeat(Math.ceil(bytes / unit.length));
}

/** Messages that each client reads as JSON: all different, or one answer would do for all. */
function shown(name: string, type: string, content: string | Buffer, end = ''): HostileInput {
  return {
    name: `GET json: ${name}`,
    counts: [1, 8],
    async prepare(clients) {
      const paths = await putAll(clients, type, content, end);
      return () => Promise.all(clients.map((client, i) => client.drain(`${paths[i]}/json`)));
    },
  };
}

/** The same for some seconds: each client asks for one after the other. `pathsOf` those of a message. */
function attack(
  name: string,
  mails: readonly { type: string; content: string }[],
  pathsOf: (message: string) => readonly string[],
): HostileInput {
  return {
    name,
    counts: [ATTACKERS],
    async prepare(clients) {
      const messages: string[] = [];
      for (const { type, content } of mails) messages.push(...(await putAll(clients.slice(0, 1), type, content, '')));
      const paths = [...new Set(messages.flatMap(pathsOf))];
      const ask = async (client: Client, first: number) => {
        const end = performance.now() + ATTACK_MS;
        for (let i = first; performance.now() < end; i++) await client.drain(paths[i % paths.length]!);
      };
      return () => Promise.all(clients.map((client, i) => ask(client, i)));
    },
  };
}

/** The same on connections that do not take the answer. */
function unread(name: string, type: string, content: string): HostileInput {
  return {
    name: `GET json, not read: ${name}`,
    counts: [UNREAD_CONNECTIONS],
    async prepare(clients) {
      const paths = await putAll(clients.slice(0, 8), type, content, '');
      return () => Promise.all(clients.map((client, i) => client.begin(`${paths[i % paths.length]}/json`)));
    },
  };
}

async function putAll(
  clients: readonly Client[],
  type: string,
  content: string | Buffer,
  end: string,
): Promise<string[]> {
  const paths: string[] = [];
  for (const [i, client] of clients.entries()) {
    const body = Buffer.concat([Buffer.from(content), Buffer.from(`\n${i}\n${end}`)]);
    const { etag } = await client.send('PUT', 'r/Lobby/new', body, type);
    paths.push(`r/Lobby/${etag.replaceAll('"', '')}`);
  }
  return paths;
}

function put(name: string, type: string, content: string, counts: readonly number[] = [4]): HostileInput {
  const body = Buffer.from(content);
  return {
    name: `PUT: ${name}`,
    counts,
    prepare: async (clients) => () =>
      Promise.all(clients.map((client) => client.send('PUT', 'r/Lobby/new', body, type))),
  };
}

/** The raw message, read back in both ways. */
function fetched(name: string, type: string, content: string): HostileInput {
  return {
    name: `GET, with and without format=rfc822: ${name}`,
    counts: [4],
    async prepare(clients) {
      const paths = await putAll(clients, type, content, '');
      return () =>
        Promise.all(
          clients.map(async (client, i) => {
            await client.drain(paths[i]!);
            await client.drain(`${paths[i]}?format=rfc822`);
          }),
        );
    },
  };
}

/** Files that are sent ahead, and read back. */
const SENT_AHEAD: readonly HostileInput[] = [
  {
    name: 'POST p: a file of 20 MB',
    counts: [1, 4],
    prepare: async (clients) => () =>
      Promise.all(
        clients.map(async (client) => {
          await client.send('DELETE', `p/${await postFile(client)}`);
        }),
      ),
  },
  {
    name: 'GET p/REF: a file of 20 MB',
    counts: [1, 4],
    async prepare(clients) {
      const upload = await postFile(clients[0]!);
      return () => Promise.all(clients.map((client) => client.drain(`p/${upload}`)));
    },
  },
];

async function postFile(client: Client): Promise<string> {
  const { body } = await client.send('POST', 'p', Buffer.alloc(PUT_BYTES, 'x'), 'application/octet-stream');
  return (JSON.parse(body) as UploadRecord[])[0]!.ref;
}

const TEXT_LINE = 'The quick brown fox jumps over the lazy dog, and then it has a rest.\n';
const TEXT_BASE64 = Buffer.from(TEXT_LINE.repeat(20)).toString('base64');
const QUOTES = repeated(`${'>'.repeat(32)} x\ny\n`, SHOWN_BYTES);

function part(encoding: string, content: string): string {
  return (
    `--${BOUNDARY}\nContent-Type: text/plain\nContent-Transfer-Encoding: ${encoding}\n\n${content}\n` +
    `--${BOUNDARY}--\n`
  );
}

/** HTML that takes long to be made safe, for its length. */
const SLOW_HTML = [
  '&lt',
  '&a',
  '<p title="<<<<">',
  '<',
  '<p style="color:red">',
  '&lt;',
  '<br>x',
  '<li>x',
  '<rt>x',
  '<p>',
];
const slowMail = (unit: string) => ({ type: HTML, content: repeated(unit, MAIL_BYTES) });
const VIEWS = ['', '?remote=1', '?text=plain', '?text=plain&remote=1'];
/** Files without a name: what one is called tells only the list of all parts. */
const MANY_PARTS = Array.from({ length: 10 }, (_, i) => ({
  type: MULTIPART,
  content: `${repeated(`--${BOUNDARY}\nContent-Type: application/x-${i}\n\n${'x'.repeat(900)}\n`, MAIL_BYTES)}`,
}));

export const INPUTS: readonly HostileInput[] = [
  shown(
    'é, 120,000 bytes FF, 2 MB of text',
    PLAIN,
    Buffer.concat([Buffer.from('é'), Buffer.alloc(120_000, 0xff), Buffer.from(repeated(TEXT_LINE, SHOWN_BYTES))]),
  ),
  shown('2 MB of <div>', HTML, repeated('<div>', SHOWN_BYTES)),
  shown('2 MB of <dl><dd>x<dt>', HTML, repeated('<dl><dd>x<dt>', SHOWN_BYTES)),
  shown('2 MB of </p> behind 254 <span>', HTML, '<span>'.repeat(254) + repeated('</p>', SHOWN_BYTES)),
  shown('2 MB of LF as HTML', HTML, repeated('\n', SHOWN_BYTES)),
  shown('2 MB of tabs as HTML', HTML, repeated('\t', SHOWN_BYTES)),
  shown('2 MB of LF as text', PLAIN, repeated('\n', SHOWN_BYTES)),
  shown('2 MB of tabs as text', PLAIN, repeated('\t', SHOWN_BYTES)),
  shown(
    'a part of 2 MB of LF and two dashes',
    MULTIPART,
    `--${BOUNDARY}\n\n${repeated('\n--', SHOWN_BYTES)}`,
    `--${BOUNDARY}--\n`,
  ),
  shown('2 MB of quotes 32 deep and none', PLAIN, QUOTES),
  attack('readings of 10 mails of 1.9 MB in 4 views', SLOW_HTML.map(slowMail), (message) =>
    VIEWS.map((view) => `${message}/json${view}`),
  ),
  attack('parts of 10 mails of 1.9 MB', MANY_PARTS, (message) => [`${message}/2`, `${message}/1000`]),
  attack('feed of 31 mails of 1.9 MB', [...SLOW_HTML, ...SLOW_HTML, ...SLOW_HTML, '&lt'].map(slowMail), () => [
    'r/Lobby/feed',
  ]),
  unread('2 MB of quotes 32 deep and none', PLAIN, QUOTES),
  put('20 MB of ordinary text as multipart', MULTIPART, repeated(TEXT_LINE, PUT_BYTES), [1, 4]),
  put('20 MB of LF as multipart', MULTIPART, repeated('\n', PUT_BYTES), [1, 4]),
  put('20 MB of CR LF as multipart', MULTIPART, repeated('\r\n', PUT_BYTES)),
  put('20 MB of . and LF as multipart', MULTIPART, repeated('.\n', PUT_BYTES)),
  put('20 MB of 000 and LF as multipart', MULTIPART, repeated('000\n', PUT_BYTES)),
  put('20 MB of 00 and LF as multipart', MULTIPART, repeated('00\n', PUT_BYTES)),
  put('20 MB of -- and LF as multipart', MULTIPART, repeated('--\n', PUT_BYTES)),
  put('20 MB of a boundary cut short and LF', MULTIPART, repeated(`--${BOUNDARY.slice(0, -1)}\n`, PUT_BYTES)),
  put('20 MB in one line as multipart', MULTIPART, repeated('x', PUT_BYTES)),
  put('20 MB of LF as text', PLAIN, repeated('\n', PUT_BYTES)),
  put('20 MB of = and LF in quoted-printable', MULTIPART, part('quoted-printable', repeated('=\n', PUT_BYTES))),
  put('20 MB of base64 in lines of 4', MULTIPART, part('base64', repeated('QUJD\n', PUT_BYTES))),
  put(
    '20 MB of base64 in lines of 76',
    MULTIPART,
    part('base64', TEXT_BASE64.replace(/.{76}/g, '$&\n').repeat(10_000)),
  ),
  put('20 MB of empty parts', MULTIPART, repeated(`--${BOUNDARY}\n\n`, PUT_BYTES)),
  put('20 MB of parts with 1000 fields', MULTIPART, repeated(`--${BOUNDARY}\n${'a:b\n'.repeat(1000)}\nx\n`, PUT_BYTES)),
  put('20 MB of fields', MULTIPART, `--${BOUNDARY}\n${repeated('a:b\n', PUT_BYTES)}`),
  fetched('20 MB of ordinary text as multipart', MULTIPART, repeated(TEXT_LINE, PUT_BYTES)),
  fetched('20 MB of LF as multipart', MULTIPART, repeated('\n', PUT_BYTES)),
  fetched('20 MB of LF as text', PLAIN, repeated('\n', PUT_BYTES)),
  ...SENT_AHEAD,
];
