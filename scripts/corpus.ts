// What a reader sees of the mails in a folder, so that it can be compared with what another program makes of them:
// delivers each .eml file to a gateway with an embedded room server, started for this, and prints one line of JSON for
// each: file, subject, from, address, to, cc, the text as plain text and as HTML, and the parts with number, name, type
// and the SHA-256 of the bytes that a download gives (or the status, where there is none).
// Run: npm run corpus -- FOLDER

import { hash } from 'node:crypto';
import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { parseArgs } from 'node:util';
import { findSocketPaths } from '../src/backend/wire/socket-paths.ts';
import { type Api, startGateway } from '../test/support/gateway.ts';
import { WireClient } from '../test/support/wire-client.ts';

/** what a room server takes out of a header; everything else stays with the body */
const FIELDS: Readonly<Record<string, string>> = {
  subject: 'subj',
  to: 'rcpt',
  cc: 'cccc',
  date: 'time',
  'message-id': 'msgn',
  from: 'from',
};

interface PartJson {
  partnum: string;
  filename: string;
  content_type: string;
}

const { positionals } = parseArgs({ allowPositionals: true });
if (positionals.length !== 1) throw new Error('Name one folder: npm run corpus -- FOLDER');
await printCorpus(positionals[0]!);

async function printCorpus(folder: string): Promise<void> {
  const endings: (() => Promise<void> | void)[] = [];
  try {
    const users = [{ name: 'reader', password: 'reader' }];
    const gateway = await startGateway({ after: (done) => void endings.unshift(done) }, { users });
    const wire = await WireClient.connect(findSocketPaths(gateway.dataFolder).adminSocketPath);
    endings.unshift(() => void wire.socket.destroy());
    await wire.expect('GOTO Lobby', 200);
    const api = gateway.as('reader');
    for (const file of readdirSync(folder).sort()) {
      if (!file.endsWith('.eml')) continue;
      const seen = await deliver(wire, readFileSync(join(folder, file)))
        .then((number) => seenBy(api, number))
        .catch((error: Error) => ({ error: error.message }));
      process.stdout.write(`${JSON.stringify({ file, ...seen })}\n`);
    }
  } finally {
    for (const end of endings) await end();
  }
}

/** Delivers it as mail that comes in is stored, and answers its number. */
async function deliver(wire: WireClient, source: Buffer): Promise<string> {
  const lines = source.toString('latin1').replaceAll('\r\n', '\n');
  const end = lines.startsWith('\n') ? 0 : lines.indexOf('\n\n') + 1 || lines.length;
  const head = ['type=4'];
  let rest = '';
  for (const field of lines.slice(0, end).split(/\n(?![ \t])/)) {
    const [, name = '', value = ''] = /^([!-9;-~]+)[ \t]*:\s*(.*)$/s.exec(field) ?? [];
    const known = FIELDS[name.toLowerCase()];
    if (known === undefined || head.some((line) => line.startsWith(`${known}=`))) rest += field && `${field}\n`;
    else head.push(...headLines(known, value.replace(/\n/g, ' ').trim()));
  }
  await wire.expect('XFER message', 800);
  const body = `${rest}\n${lines.slice(end + 1)}`.replace(/\n?$/, '\n').replace(/^000$/gm, '000 ');
  wire.write(Buffer.from(`${head.join('\n')}\ntext\n${body}000\n`, 'latin1'));
  const [number, reason] = [await wire.line(), await wire.line(), await wire.line()];
  if (!/^\d+$/.test(number!)) throw new Error(`not stored: ${reason}`);
  return number!;
}

function headLines(field: string, value: string): string[] {
  if (field === 'time') return [`time=${Math.trunc(Date.parse(value) / 1000) || 0}`];
  if (field === 'msgn') return [`msgn=${value.replace(/[<>]/g, '')}`];
  if (field !== 'from') return [`${field}=${value}`];
  const [, name = '', address = ''] = /^(.*)<([^<>]*)>/.exec(value) ?? [];
  return [`from=${name.trim().replace(/^"(.*)"$/, '$1') || address || value}`, `rfca=${address || value}`];
}

async function seenBy(api: Api, number: string) {
  const path = `r/Lobby/${number}`;
  const read = async (query: string) => {
    const answer = await api(`${path}/json${query}`);
    if (answer.status !== 200) throw new Error(`not shown: ${answer.status} ${await answer.text()}`);
    return (await answer.json()) as Record<string, unknown> & { text: string; parts: PartJson[] };
  };
  const [html, plain] = [await read(''), await read('?text=plain')];
  const parts = [];
  for (const { partnum, filename, content_type } of html.parts) {
    const answer = await api(`${path}/${encodeURIComponent(partnum)}`);
    const bytes = Buffer.from(await answer.arrayBuffer());
    const content = answer.status === 200 ? { size: bytes.length, sha256: hash('sha256', bytes) } : {};
    parts.push({ number: partnum, name: filename, type: content_type, status: answer.status, ...content });
  }
  const { subj: subject, from, rfca: address, rcpt: to, cccc: cc } = html;
  return { subject, from, address, to, cc, text: plain.text, html: html.text, parts };
}
