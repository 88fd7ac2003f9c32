// Builds message bodies for the demo content: MIME header lines, a blank line, content.

import { crc32, deflateSync } from 'node:zlib';

/** A text/plain entity. */
export function plainText(content: string): string {
  return `Content-Type: text/plain; charset=utf-8\n\n${content}\n`;
}

/** A text/html entity. */
export function html(content: string): string {
  return `Content-Type: text/html; charset=utf-8\n\n${content}\n`;
}

/** multipart/alternative of a plain and an HTML text. */
export function alternative(plain: string, rich: string): string {
  return multipart('alternative', [plainText(plain), html(rich)]);
}

/** The parts include their header lines. */
export function multipart(subtype: string, parts: readonly string[]): string {
  const boundary = `=_demo-${subtype}-${parts.length}-${parts.join('').length}`;
  const lines = parts.map((part) => `--${boundary}\n${part}\n`).join('');
  return `Content-Type: multipart/${subtype}; boundary="${boundary}"\n\n${lines}--${boundary}--\n`;
}

/** A base64 entity, displayed as a file. */
export function attachment(filename: string, type: string, content: Buffer | string): string {
  return file('attachment', filename, type, content);
}

/** A picture that HTML in the same message refers to as `cid:ID`. */
export function inline(filename: string, type: string, content: Buffer, contentId: string): string {
  return `Content-ID: <${contentId}>\n${file('inline', filename, type, content)}`;
}

/** A message as an attachment, unencoded. */
export function forward(message: string): string {
  return `Content-Type: message/rfc822\nContent-Disposition: attachment; filename="forwarded.eml"\n\n${message}\n`;
}

/** A text/calendar entity with one component. */
export function calendar(component: string, properties: Record<string, string>): string {
  const lines = Object.entries(properties).map(([name, value]) => `${name}:${value}\n`);
  return (
    'Content-Type: text/calendar; charset=utf-8\n\nBEGIN:VCALENDAR\nVERSION:2.0\nPRODID:-//Vestibule//Demo//EN\n' +
    `BEGIN:${component}\n${lines.join('')}END:${component}\nEND:VCALENDAR\n`
  );
}

/** A text/vcard entity. */
export function card(properties: Record<string, string>): string {
  const lines = Object.entries(properties).map(([name, value]) => `${name}:${value}\n`);
  return `Content-Type: text/vcard; charset=utf-8\n\nBEGIN:VCARD\nVERSION:3.0\n${lines.join('')}END:VCARD\n`;
}

/** A text/vnote entity. */
export function note(uid: string, summary: string, content: string, colour: string): string {
  return (
    `Content-Type: text/vnote; charset=utf-8\n\nBEGIN:vnote\nVERSION:1.1\nUID:${uid}\nSUMMARY:${summary}\n` +
    `BODY:${content}\nX-OUTLOOK-COLOR:${colour}\nEND:vnote\n`
  );
}

/** A small PNG: a sunrise. */
export function picture(width: number, height: number): Buffer {
  const rows = Buffer.alloc(height * (1 + width * 3));
  for (let y = 0; y < height; y++) {
    for (let x = 0; x < width; x++) {
      const isSun = (x - width / 2) ** 2 + (y - height * 0.7) ** 2 < (height / 4) ** 2;
      const glow = Math.round((255 * y) / height);
      const colour = isSun
        ? [255, 236, 150]
        : [60 + Math.round(glow * 0.75), 90 + Math.round(glow * 0.3), 190 - Math.round(glow / 2)];
      rows.set(colour, y * (1 + width * 3) + 1 + x * 3);
    }
  }
  const header = Buffer.alloc(13);
  header.writeUInt32BE(width, 0);
  header.writeUInt32BE(height, 4);
  header.set([8, 2], 8); // eight bits, red green blue
  const signature = Buffer.from([0x89, 0x50, 0x4e, 0x47, 0x0d, 0x0a, 0x1a, 0x0a]);
  return Buffer.concat([signature, pngChunk('IHDR', header), pngChunk('IDAT', deflateSync(rows)), pngChunk('IEND')]);
}

function pngChunk(type: string, data: Buffer = Buffer.alloc(0)): Buffer {
  const body = Buffer.concat([Buffer.from(type), data]);
  const frame = Buffer.alloc(8);
  frame.writeUInt32BE(data.length, 0);
  frame.writeUInt32BE(crc32(body), 4);
  return Buffer.concat([frame.subarray(0, 4), body, frame.subarray(4)]);
}

function file(disposition: string, filename: string, type: string, content: Buffer | string): string {
  const base64 = Buffer.from(content).toString('base64').replace(/.{76}/g, '$&\n').trimEnd();
  return (
    `Content-Type: ${type}; name="${filename}"\nContent-Disposition: ${disposition}; filename="${filename}"\n` +
    `Content-Transfer-Encoding: base64\n\n${base64}\n`
  );
}

export interface DemoEntry {
  by: 'alice' | 'bob';
  /** where it is posted; none for mail */
  room?: string;
  /** recipients of a mail */
  to?: string;
  subject?: string;
  body: string;
  format?: number;
  /** page name */
  euid?: string;
  /** Unix time */
  time: number;
  /** how later entries name this one */
  key?: string;
  replyTo?: string[];
}
