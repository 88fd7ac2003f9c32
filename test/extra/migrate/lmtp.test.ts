// The LMTP client that `vestibule copy` uses: what it takes for an answer, and how much of it.

import assert from 'node:assert/strict';
import { it } from 'node:test';
import { openLmtp } from '../../../src/extra/migrate/mail-delivery.ts';
import { MAX_LMTP_REPLY_BYTES } from '../../../src/limits/backend.ts';
import { listenOnUnixSocket, SocketReader } from '../../support/unix-listener.ts';

/** Greets, and answers LHLO with a reply of so many bytes. */
async function greetingWith(t: { after(done: () => Promise<void>): void }, bytes: number): Promise<string> {
  const line = '250-x\r\n';
  const last = '250 ';
  const lines = Math.floor((bytes - last.length - 2) / line.length);
  const reply = `${line.repeat(lines)}${last.padEnd(bytes - lines * line.length - 2, 'x')}\r\n`;
  assert.equal(reply.length, bytes);
  const listener = await listenOnUnixSocket((socket) => {
    socket.write('220 ready\r\n');
    void new SocketReader(socket).line().then(() => socket.write(reply));
  });
  t.after(() => listener.close());
  return listener.path;
}

it('takes replies of MAX_LMTP_REPLY_BYTES, and gives up one that is longer', async (t) => {
  const lmtp = await openLmtp(await greetingWith(t, MAX_LMTP_REPLY_BYTES));
  assert.equal(lmtp?.isOpen(), true);
  lmtp.close();
  assert.equal(await openLmtp(await greetingWith(t, MAX_LMTP_REPLY_BYTES + 1)), undefined);
});

it('is none where nobody listens, or where something else does', async (t) => {
  assert.equal(await openLmtp('/nonexistent/lmtp'), undefined);
  const listener = await listenOnUnixSocket((socket) => socket.end('hello\r\n'));
  t.after(() => listener.close());
  assert.equal(await openLmtp(listener.path), undefined);
});
