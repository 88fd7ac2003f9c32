// The recorded peer itself: what it derives must be what a real server says, wherever both are known.

import assert from 'node:assert/strict';
import { readdirSync } from 'node:fs';
import { connect } from 'node:net';
import { describe, it } from 'node:test';
import { codeOf, exchangesOf, linesOf, normalise } from './recorded-exchanges.ts';
import { RecordedMessages, rowsOfMode9 } from './recorded-messages.ts';
import { recordedPeer } from './recorded-peer.ts';
import { loadTranscript } from './scripted-peer.ts';
import { SocketReader } from './unix-listener.ts';

const fixtures = new URL('../fixtures/', import.meta.url);
const exchangesIn = async (transcript: string) =>
  exchangesOf((await loadTranscript(new URL(transcript, fixtures))).sessions);

describe('answers about messages', () => {
  it('derived without the recorded one are the recorded one', async () => {
    let compared = 0;
    for (const name of readdirSync(new URL('transcripts/', fixtures))) {
      const exchanges = await exchangesIn(`transcripts/${name}`);
      for (const { command, answer, user, lineNumber } of exchanges) {
        const line = normalise(command);
        const [, verb, number, mode] = /^(MSG0|MSG2|DLAT) (\d+)(?:\|(.*))?$/.exec(line) ?? [];
        if (!verb || ![100, 600].includes(codeOf(answer))) continue;
        const others = exchanges.filter((exchange) => normalise(exchange.command) !== line);
        const messages = new RecordedMessages(others, name.startsWith('36') ? 10_000 : undefined);
        const n = Number(number);
        let derived: Buffer | undefined;
        if (verb === 'DLAT') derived = messages.dlat(n, mode!);
        else if (verb === 'MSG2' && mode !== '2' && mode !== '3') derived = messages.msg2(n, user, mode === undefined);
        else if (verb === 'MSG0' && (mode === '1' || mode === '3')) derived = messages.msg0(n, user, mode === '1');
        if (!derived) continue;
        compared++;
        assert.equal(derived.toString('latin1'), answer.toString('latin1'), `${name}, line ${lineNumber}: ${line}`);
      }
    }
    assert.ok(compared > 50, `${compared} compared`);
  });

  it('rows of mode 9 follow from those of mode 1, cut ones too', async () => {
    for (const [transcript, selection] of [
      ['transcripts/41-msgs.txt', 'ALL|'],
      ['quirks/92-quirk-messages.txt', 'LAST|1'],
    ] as const) {
      const exchanges = await exchangesIn(transcript);
      const rows = (mode: number) =>
        linesOf(exchanges.find(({ command }) => command === `MSGS ${selection}||${mode}`)!.answer);
      const hashes = new Map(
        rows(9).map((row) => [row.split('|')[0]!, row.split('|').slice(6, 8) as [string, string]]),
      );
      const last = rows(9).at(-1)!.split('|');
      const hashesOf = (n: number): [string, string] =>
        transcript.startsWith('quirks') ? [last[1]!, last[2]!] : hashes.get(String(n))!;
      assert.deepEqual(rowsOfMode9(rows(1), hashesOf), rows(9));
    }
  });
});

describe('the recorded peer', () => {
  it('answers what was recorded at the moment that is asked for, and plays changes', async (t) => {
    const peer = await recordedPeer(new URL('transcripts/40-seen.txt', fixtures));
    t.after(() => peer.close());
    const socket = connect(peer.path);
    t.after(() => socket.destroy());
    const reader = new SocketReader(socket);
    const ask = async (command: string) => {
      socket.write(`${command}\n`);
      return (await reader.line()).toString().trimEnd();
    };
    await reader.line();
    peer.before('SLRP 8');
    await ask('USER cal');
    assert.match(await ask('PASS calpw'), /^200 cal\|4\|/);
    assert.match(await ask('GOTO Box||1'), /^200 Box\|6\|6\|/);
    assert.equal(await ask('GTSN'), '200 *:0');
    assert.equal(await ask('SLRP 8'), '200 8');
    assert.equal(await ask('GTSN'), '200 *:8');
    peer.check();
  });

  it('names a command that was neither recorded nor follows, and hangs up', async (t) => {
    const peer = await recordedPeer(new URL('transcripts/20-session-basics.txt', fixtures));
    t.after(() => peer.close());
    const socket = connect(peer.path);
    const reader = new SocketReader(socket);
    await reader.line();
    socket.write('RMAI x\n');
    assert.equal((await reader.line()).length, 0);
    assert.throws(() => peer.check(), /RMAI x/);
  });
});
