// A peer that answers what an ordinary room server would to log-ins, GOTO and marks, and notes what it was asked.

import type { Socket } from 'node:net';
import { listenOnUnixSocket, SocketReader } from './unix-listener.ts';

/** `more`: replies by verb, beside its own; whole lines but for the last LF. */
export async function startAnsweringPeer(
  t: { after(close: () => Promise<void>): void },
  more: Record<string, string> = {},
) {
  const asked: string[] = [];
  const open = new Set<Socket>();
  const answers: Record<string, string> = {
    USER: '300 ok',
    PASS: '200 name|4|0|0|0|2|0',
    GOTO: '200 Box|0|0|0|2|0|0|0|1|0|0|0|0|0|0|0|',
    ...more,
  };
  const listener = await listenOnUnixSocket((socket) => {
    open.add(socket.on('close', () => open.delete(socket)));
    const answer = async () => {
      const reader = new SocketReader(socket);
      socket.write('200 ready\n');
      for (let line = String(await reader.line()); line !== ''; line = String(await reader.line())) {
        asked.push(line.trimEnd());
        socket.write(`${answers[line.slice(0, 4)] ?? '200 ok'}\n`);
      }
    };
    answer().catch(() => socket.destroy());
  });
  t.after(() => listener.close());
  return { asked, open, path: listener.path };
}
