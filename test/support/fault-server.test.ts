import assert from 'node:assert/strict';
import { connect } from 'node:net';
import { describe, it } from 'node:test';
import { type Fault, type FaultServer, faultServer } from './fault-server.ts';
import { SocketReader } from './unix-listener.ts';

const ANSWERS = { LKRA: '100 rooms\nLobby\n000\n', 'GOTO Lobby': '200 Lobby\n', ENT0: '800 send message\n' };

/** What a client gets that sends all of `sent`: up to `limit` bytes, to the end of the connection. */
async function converse(server: FaultServer, sent: string, limit = 1000): Promise<string> {
  const socket = connect(server.path);
  socket.write(sent);
  const bytes = await new SocketReader(socket).bytes(limit);
  socket.destroy();
  return bytes.toString('latin1');
}

async function withServer(faults: Fault[], use: (server: FaultServer) => Promise<void>): Promise<void> {
  const server = await faultServer(ANSWERS, faults);
  await use(server).finally(server.close);
}

describe('fault server', () => {
  it('answers by line, by verb, and refuses the rest', () =>
    withServer([], async (server) => {
      const sent = 'USER ann\nGOTO Lobby\nGOTO Elsewhere\nLKRA\nENT0 1\ntext\nNOOP\n000\nNOOP\nQUIT\n';
      assert.deepEqual((await converse(server, sent)).split('\n'), [
        '200 fault server ready.',
        '300 Password required',
        '200 Lobby',
        '530 Unknown.',
        '100 rooms',
        'Lobby',
        '000',
        '800 send message',
        '200 ok',
        '200 Goodbye.',
        '',
      ]);
      assert.deepEqual(server.received[0]!.slice(0, 2), ['USER ann', 'GOTO Lobby']);
    }));

  for (const [fault, end] of [
    [{ kind: 'close', after: 'greeting' }, /^$/],
    [{ kind: 'close', after: 'greeted' }, /ready\.\n$/],
    [{ kind: 'close', after: 1 }, /200 ok\n$/],
    [{ kind: 'cut-status', after: 1 }, /200 ok\n20$/],
    [{ kind: 'cut-listing', after: 1 }, /200 ok\n100 listing\nfirst row\nsecond ro$/],
    [{ kind: 'cut-binary', after: 1 }, /200 ok\n600 100000\|.*\nonly this$/],
  ] as const) {
    it(`ends with ${fault.kind}, after ${fault.after}`, () =>
      withServer([fault], async (server) => assert.match(await converse(server, 'NOOP\nLKRA\nNOOP\n'), end)));
  }

  it('goes on for ever where it says so', () =>
    withServer(
      [
        { kind: 'endless-line', after: 0 },
        { kind: 'endless-listing', after: 0 },
      ],
      async (server) => {
        assert.match(await converse(server, 'LKRA\n', 1_000_000), /^200 .*\n100 listing\nx{999900,}$/);
        const listing = await converse(server, 'LKRA\n', 1_000_000);
        assert.equal(listing.length, 1_000_000);
        assert.ok(!listing.includes('\n000\n'));
      },
    ));

  it('sends garbage, or nothing, and keeps the connection', () =>
    withServer(
      [
        { kind: 'garbage', after: 0 },
        { kind: 'stall', after: 1 },
      ],
      async (server) => {
        assert.match(await converse(server, 'NOOP\n', 30), /ready\.\n\0\xff/);
        assert.match(await converse(server, 'NOOP\nNOOP\n', 31), /ready\.\n200 ok\n$/);
      },
    ));

  it('is well again on the connections after the last fault', () =>
    withServer([{ kind: 'close', after: 0 }], async (server) => {
      assert.doesNotMatch(await converse(server, 'NOOP\nQUIT\n'), /200 ok/);
      assert.match(await converse(server, 'NOOP\nQUIT\n'), /200 ok/);
      assert.equal(server.received.length, 2);
    }));
});
