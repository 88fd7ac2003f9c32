// What a real server keeps of mail that comes by LMTP (quirks Q64 and Q68), for its stand-in: the header fields that it
// knows become those of the message, all other lines stay in front of the body, behind its own; an empty line comes
// before the body, and the lines end in CR LF.

import { createServer } from 'node:net';
import { dirname, join } from 'node:path';
import type { RealServer } from './real-server.ts';
import { SocketReader } from './unix-listener.ts';
import { WireClient } from './wire-client.ts';

const FIELDS: Record<string, string> = { 'message-id': 'msgn', to: 'rcpt', cc: 'cccc', subject: 'subj' };

/** shown nowhere */
const TAKEN = /^(envelope-to|return-path)$/i;

export interface LmtpServer {
  /** recipients of what was delivered */
  delivered: string[];
  /** bytes that came as DATA, dots and line ends as they were */
  data: string[];
}

/** `answer`: what is said in place of 250, by the beginning of a line; '' drops the connection. */
export async function startLmtpServer(
  t: { after(done: () => Promise<void> | void): void },
  real: RealServer,
  answer: Record<string, string> = {},
): Promise<LmtpServer> {
  const heard: LmtpServer = { delivered: [], data: [] };
  const server = createServer((socket) => {
    socket.on('error', () => {});
    const reader = new SocketReader(socket);
    const serve = async (): Promise<void> => {
      socket.write('220 vm LMTP ready\r\n');
      let to = '';
      for (let line = text(await reader.line()); line.endsWith('\n'); line = text(await reader.line())) {
        const other = Object.entries(answer).find(([beginning]) => line.startsWith(beginning))?.[1];
        if (other === '') socket.destroy();
        if (other !== undefined) {
          socket.write(`${other}\r\n`);
          continue;
        }
        if (line.startsWith('RCPT')) to = /<(.*)>/.exec(line)![1]!;
        if (line.startsWith('LHLO')) socket.write('250-vm\r\n250 8BITMIME\r\n');
        else if (!line.startsWith('DATA')) socket.write('250 ok\r\n');
        else {
          socket.write('354 go on\r\n');
          let data = '';
          for (let one = text(await reader.line()); one !== '.\r\n'; one = text(await reader.line())) {
            if (!one.endsWith('\n')) return;
            data += one;
          }
          heard.data.push(data);
          if (answer['.'] === '') return void socket.destroy();
          await store(real, to, data);
          heard.delivered.push(to);
          socket.write('250 ok\r\n');
        }
      }
    };
    serve().catch(() => socket.destroy());
  });
  const path = join(dirname(real.path), 'lmtp-unfiltered.socket');
  await new Promise<void>((resolve) => server.listen(path, resolve));
  t.after(() => new Promise<void>((resolve) => void server.close(() => resolve())));
  return heard;
}

const text = (line: Buffer): string => line.toString('latin1');

async function store(real: RealServer, to: string, data: string): Promise<void> {
  const content = Buffer.from(data.replace(/^\./gm, ''), 'latin1').toString();
  const end = content.indexOf('\r\n\r\n');
  const head = new Map([['type', '4']]);
  const kept = ['Received: from localhost (Citadel from userid 0)\n\tby vm; Mon, 02 Feb 2026 10:00:00 +0000'];
  const header = content.slice(0, end).replaceAll('\r\n', '\n');
  for (const line of header.split(/\n(?![ \t])/)) {
    const [, name = '', value = ''] = /^([^:]*):\s*(.*)$/s.exec(line) ?? [];
    const field = FIELDS[name.toLowerCase()];
    if (TAKEN.test(name)) continue;
    if (field) head.set(field, value.replace(/^<|>$/g, ''));
    else if (name === 'Date') head.set('time', String(Date.parse(value) / 1000));
    else if (name === 'References')
      head.set(
        'wefw',
        value
          .split(/\s+/)
          .map((id) => id.slice(1, -1))
          .join('|'),
      );
    else if (name === 'From') {
      const [, phrase = '', address = ''] = /^(.*) <(.*)>$/.exec(value) ?? [];
      head.set('from', phrase.replace(/^"|"$/g, '').replace(/\\(.)/g, '$1')).set('rfca', address);
    } else kept.push(line);
  }
  const wire = await WireClient.connect(real.behind.adminSocketPath);
  const user = (await wire.expect('LIST', 100)).lines.find((row) => row.startsWith(`${to.split('@')[0]}|`))!;
  await wire.expect(`GOTO ${user.split('|')[2]!.padStart(10, '0')}.Mail`, 200);
  const fields = [...head].map(([name, value]) => `${name}=${value}\n`).join('');
  await wire.send('XFER message', `${fields}text\n${kept.join('\n')}\n\n${content.slice(end + 2)}`);
  wire.close();
}
