// What a transcript tells of each message, and how a real server would print it: for recorded-peer.ts where the very
// command was not recorded but its answer follows from what was (protocol sections 11 to 13). undefined: it does not
// follow.

import { codeOf, type Exchange, linesOf, listing, normalise } from './recorded-exchanges.ts';

const HEADER = /^(type|nhdr|msgn|path|time|from|rfca|locl|room|rcpt|exti|wefw|jrnl|rep2|list|nvto|cccc|subj)=/;
const PART = /^(part|pref|suff)=/;
const LONGEST_REPLY = 1022;

export class RecordedMessages {
  readonly #exchanges: readonly Exchange[];
  readonly #maxBytes: number;

  constructor(exchanges: readonly Exchange[], maxMessageBytes = 10_485_760) {
    this.#exchanges = exchanges;
    this.#maxBytes = maxMessageBytes;
  }

  /** `MSG0 n|1` (with parts) or `|3` (without) as `user` would see it. */
  msg0(n: number, user: string, hasParts: boolean): Buffer | undefined {
    const headers = this.headerLines(n, user);
    const parts = hasParts ? this.#partLines(n) : [];
    return headers && parts && listing([...headers, ...parts]);
  }

  /** `MSG2 n` or `MSG2 n|1`. */
  msg2(n: number, user: string, isWhole: boolean): Buffer | undefined {
    const whole = this.#recorded(`MSG2 ${n}`, user);
    const format = this.headerLines(n, user)?.[0]?.slice('type='.length);
    if (whole && !isWhole) {
      const lines = linesOf(whole);
      const blank = lines.indexOf('\r');
      // 0 and 1 end their headers with the blank line
      return listing(lines.slice(0, format === '4' ? blank : blank + 1));
    }
    if (whole) return whole;
    const body = this.#posted(n);
    const head = this.#recorded(`MSG2 ${n}|1`, user) ?? this.#builtHead(n, user, body);
    if (!head || !isWhole || format === undefined) return head;
    if (format !== '4') {
      const text = this.#recorded(`MSG0 ${n}`, user);
      const lines = text && linesOf(text);
      return lines && listing([...linesOf(head), ...lines.slice(lines.indexOf('text') + 1).map((line) => `${line}\r`)]);
    }
    if (body === undefined || /BEGIN:VCARD/i.test(body)) return undefined; // cards are rewritten
    const content = body.slice(endOfHeader(body)).replace(/\r/g, '').split('\n').slice(0, -1);
    return listing([...linesOf(head), '\r', ...content.map((line) => `${line}\r`)]);
  }

  /** `DLAT n|1` of a message that is one part in no transfer encoding. */
  dlat(n: number, partnum: string): Buffer | undefined {
    const body = this.#posted(n);
    const part = this.#partLines(n)?.find((line) => line.split('|')[2] === partnum);
    if (
      partnum !== '1' ||
      body === undefined ||
      !part ||
      /^(content-transfer-encoding|begin:vcard|content-type: *multipart)/im.test(body)
    ) {
      return undefined;
    }
    const [, filename, , , type, , , charset] = part.split('|');
    const content = Buffer.from(body.slice(endOfHeader(body)), 'latin1');
    return Buffer.concat([Buffer.from(`600 ${content.length}|-1|${filename}|${type}|${charset}\n`), content]);
  }

  /** Lines of `MSG0 n|3`. */
  headerLines(n: number, user: string): string[] | undefined {
    for (const command of [`MSG0 ${n}|3`, `MSG0 ${n}|1`, `MSG0 ${n}`]) {
      const answer = this.#recorded(command, user);
      if (answer) return linesOf(answer).filter(isIn(HEADER));
    }
    const msg4 = this.#recorded(`MSG4 ${n}`, user);
    const post = this.#postOf(n);
    if (!post) return undefined;
    const type = `type=${post.command.split('|')[3] || '0'}`;
    if (msg4) return [type, ...linesOf(msg4).filter(isIn(HEADER))];
    const msg2 = this.#recorded(`MSG2 ${n}`, user);
    return msg2 && [type, ...fieldsFromMsg2(linesOf(msg2), post.room)];
  }

  #partLines(n: number): string[] | undefined {
    for (const command of [`MSG0 ${n}|1`, `MSG0 ${n}`, `MSG0 ${n}|2`, `MSG4 ${n}`]) {
      const answer = this.#recorded(command);
      if (answer) return linesOf(answer).filter(isIn(PART));
    }
    const body = this.#posted(n);
    if (body === undefined || this.#postOf(n)?.command.split('|')[3] !== '4')
      return body === undefined ? undefined : [];
    // a body with no header but its type: one part, unless it is too short to be one (quirk Q38)
    const simple = /^content-type: ([\w/-]+)(?:; charset=([\w-]+))?\n\n([\s\S]*)$/i.exec(body);
    if (!simple || /^(multipart|message|text\/x?-?vcard)/i.test(simple[1]!)) return undefined;
    const [, type, charset = '', content] = simple;
    return content!.length < 3 ? [] : [`part=||1||${type}|${content!.length}||${charset}`];
  }

  /** The body of message `n` as it was stored: without CR before LF, cut at NUL and behind the size limit. */
  #posted(n: number): string | undefined {
    const body = this.#postOf(n)?.body.toString('latin1').replace(/\r\n/g, '\n');
    if (body === undefined) return undefined;
    let size = 0;
    const lines = body.split(/(?<=\n)/).filter((line) => {
      const isTaken = size < this.#maxBytes;
      size += line.length;
      return isTaken;
    });
    return lines.join('').split('\0')[0]!;
  }

  #postOf(n: number): Exchange | undefined {
    return this.#exchanges.find(
      (exchange) => /^ENT0 1/i.test(exchange.command) && exchange.confirmation.toString().startsWith(`${n}\n`),
    );
  }

  /** Somebody else's view will do, unless the author is hidden from some. */
  #recorded(command: string, user?: string): Buffer | undefined {
    const all = this.#exchanges.filter((e) => normalise(e.command) === command && codeOf(e.answer) === 100);
    const own = all.find((exchange) => exchange.user === user);
    if (own || (user !== undefined && this.#isMasked(Number(/\d+/.exec(command.slice(4))![0])))) return own?.answer;
    return all[0]?.answer;
  }

  #isMasked(n: number): boolean {
    const about = new RegExp(`^MSG[0-4] ${n}\\b`);
    return this.#exchanges.some(
      (e) => about.test(e.command) && /^nhdr=|^from=(\*|anon)|x@x\.org/im.test(e.answer.toString()),
    );
  }

  #builtHead(n: number, user: string, body: string | undefined): Buffer | undefined {
    const lines = this.headerLines(n, user);
    if (!lines || body === undefined || this.#isMasked(n)) return undefined;
    const field = (name: string) => lines.find((line) => line.startsWith(`${name}=`))?.slice(5);
    const from = field('from');
    const date = new Date(Number(field('time')) * 1000).toUTCString().replace('GMT', '-0000');
    const recipients = field('rcpt');
    const references = field('wefw')
      ?.split('|')
      .map((id) => `<${id}>`);
    const head = [
      `Return-Path: ${field('path')}`,
      `Date: ${date}`,
      recipients && `To: ${recipients}${recipients.includes('@') ? '' : '@vm'}`,
      references && `References: ${references.join(' ')}`,
      field('cccc') && `CC: ${field('cccc')}`,
      `Subject: ${field('subj') ?? '(no subject)'}`,
      `Message-ID: <${field('msgn')}>`,
      `From: "${from}" <${field('rfca') ?? `${from?.toLowerCase()}@`}>`,
    ].flatMap((line) => (line ? [line.length > LONGEST_REPLY - 2 ? line.slice(0, LONGEST_REPLY) : `${line}\r`] : []));
    if (lines[0] !== 'type=4') return listing([...head, '\r']);
    const stored = body
      .slice(0, endOfHeader(body) - 1)
      .split('\n')
      .slice(0, -1);
    return listing([...head, ...stored.map((line) => `${line}\r`)]);
  }
}

function isIn(pattern: RegExp) {
  let isOver = false;
  return (line: string) => {
    isOver ||= line === 'text';
    return !isOver && pattern.test(line);
  };
}

/** Position behind the blank line. */
function endOfHeader(body: string): number {
  if (body.startsWith('\n')) return 1;
  const end = body.indexOf('\n\n');
  return end < 0 ? body.length : end + 2;
}

/** The fields behind what MSG2 prints, for a message without recipients and references. */
function fieldsFromMsg2(lines: readonly string[], room: string): string[] {
  const value = (name: string) =>
    lines
      .find((line) => line.startsWith(`${name}: `))
      ?.slice(name.length + 2)
      .trimEnd();
  const [, from, address] = /^"(.*)" <(.*)>$/.exec(value('From') ?? '') ?? [];
  return [
    `msgn=${value('Message-ID')?.slice(1, -1)}`,
    `path=${value('Return-Path')}`,
    `time=${Date.parse(value('Date') ?? '') / 1000}`,
    `from=${from}`,
    `rfca=${address}`,
    'locl=yes',
    `room=${Buffer.from(room).toString('latin1')}`,
    ...(value('Subject') === '(no subject)' ? [] : [`subj=${value('Subject')}`]),
  ];
}

/** Rows of `MSGS ALL|||9` from those of mode 1, which have neither hash: `row|hash|hash,hash|`. */
export function rowsOfMode9(rows: readonly string[], hashesOf: (n: number) => [string, string]): string[] {
  return rows.map((row, i) => {
    const n = Number((row === '' ? rows[i - 1]! : row).split('|')[0]);
    const [own, references] = hashesOf(n);
    const isCut = rows[i + 1] === ''; // the rest of the row stands on a line of its own (quirk Q12)
    return isCut ? row : `${row}|${own}|${references}|`;
  });
}
