// Delivers the mails of a folder to a gateway with an embedded room server, started for this.

import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { findSocketPaths } from '../../src/backend/wire/socket-paths.ts';
import { startGateway, type TestGateway } from '../../test/support/gateway.ts';
import { WireClient } from '../../test/support/wire-client.ts';

export interface CorpusMail {
  file: string;
  source: Buffer;
  gateway: TestGateway;
  /** its number in the room Lobby, which `reader` with the password `reader` can read */
  delivered: Promise<string>;
}

/** what a room server takes out of a header; everything else stays with the body */
const FIELDS: Readonly<Record<string, string>> = {
  subject: 'subj',
  to: 'rcpt',
  cc: 'cccc',
  date: 'time',
  'message-id': 'msgn',
  from: 'from',
};

/** Takes each .eml file in turn. */
export async function withMails(folder: string, take: (mail: CorpusMail) => Promise<void>): Promise<void> {
  const endings: (() => Promise<void> | void)[] = [];
  try {
    const users = [{ name: 'reader', password: 'reader' }];
    const gateway = await startGateway({ after: (done) => void endings.unshift(done) }, { users });
    const wire = await WireClient.connect(findSocketPaths(gateway.dataFolder).adminSocketPath);
    endings.unshift(() => void wire.socket.destroy());
    await wire.expect('GOTO Lobby', 200);
    for (const file of readdirSync(folder).sort()) {
      if (!file.endsWith('.eml')) continue;
      const source = readFileSync(join(folder, file));
      await take({ file, source, gateway, delivered: deliver(wire, source) });
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
