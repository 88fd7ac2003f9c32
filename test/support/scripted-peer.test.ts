import assert from 'node:assert/strict';
import { readdirSync } from 'node:fs';
import { connect, type Socket } from 'node:net';
import { describe, it } from 'node:test';
import { loadTranscript, parseTranscript, type Step, scriptedPeer } from './scripted-peer.ts';
import { SocketReader } from './unix-listener.ts';

const FOLDER = new URL('../fixtures/transcripts/', import.meta.url);

async function replay(steps: readonly Step[], socket: Socket): Promise<void> {
  const reader = new SocketReader(socket);
  for (const step of steps) {
    if ('closes' in step) assert.equal((await reader.bytes(1)).length, 0);
    else if (step.from === 'client') socket.write(step.bytes);
    else assert.deepEqual(await reader.bytes(step.bytes.length), step.bytes, `line ${step.lineNumber}`);
  }
}

describe('scripted peer', () => {
  for (const name of readdirSync(FOLDER)) {
    it(`plays every session of ${name}`, async (t) => {
      const { sessions } = await loadTranscript(new URL(name, FOLDER));
      assert.ok(sessions.size > 0);
      for (const steps of sessions.values()) {
        const peer = await scriptedPeer(steps);
        t.after(peer.close);
        const socket = connect(peer.path);
        await replay(steps, socket);
        await peer.done;
        socket.destroy();
      }
    });
  }

  const script = parseTranscript('# session A: x\nS: 200 hello\nC: NOOP\nS: 200 ok\nC# AAECAw==\nS~ end\n').get('A')!;

  it('reads the line endings and escapes of the recordings', () => {
    const bytes = parseTranscript(
      '@ A\nC~ a\nC= \\xff\\\\\\x0dé\nC# AAE=\nS: \n# note\n# (server closed the connection)\n',
    );
    assert.deepEqual(bytes.get('A'), [
      { from: 'client', bytes: Buffer.from('a\r\n'), lineNumber: 2 },
      { from: 'client', bytes: Buffer.from('ff5c0dc3a90a', 'hex'), lineNumber: 3 },
      { from: 'client', bytes: Buffer.from([0, 1]), lineNumber: 4 },
      { from: 'server', bytes: Buffer.from('\n'), lineNumber: 5 },
      { from: 'server', closes: true },
    ]);
    assert.throws(() => parseTranscript('@ A\nX: a\n'), /line 2/);
  });

  it('takes what the client sends ahead', async (t) => {
    const peer = await scriptedPeer(script);
    t.after(peer.close);
    const socket = connect(peer.path);
    socket.write(Buffer.from('NOOP\n\0\x01\x02\x03'));
    await peer.done;
    assert.equal((await new SocketReader(socket).bytes(22)).toString(), '200 hello\n200 ok\nend\r\n');
    socket.destroy();
  });

  for (const [what, sent] of [
    ['another line', 'NOOP|\n'],
    ['another line end', 'NOOP\r\n'],
    ['other bytes', 'NOOP\n\0\x01\x02\x04'],
    ['an end before the last line', 'NOO'],
  ] as const) {
    it(`fails at ${what}`, async (t) => {
      const peer = await scriptedPeer(script);
      t.after(peer.close);
      connect(peer.path).end(sent).resume();
      await assert.rejects(peer.done, { code: 'ERR_ASSERTION', message: /^line [35] of the transcript: expected/ });
    });
  }
});
