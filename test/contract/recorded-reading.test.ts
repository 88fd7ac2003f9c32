// The gateway in front of the recording of a real server: what is to be read of messages whose parts that server
// numbers and names in its own way (quirk Q38).

import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { recordedGateway } from '../support/recorded-gateway.ts';

interface MessageJson {
  text: string;
  subj?: string;
  from?: string;
  time?: number;
  parts: { partnum: string; filename: string; content_type: string; size?: number }[];
}

const transcript = 'transcripts/35-multipart.txt';

describe('reading what a real server stores', () => {
  it('numbers are the server’s where it leaves parts out, and the text is complete all the same', async (t) => {
    const { as, json } = await recordedGateway(t, transcript);
    const read = async (msgnum: number) => {
      const { text, parts } = await json<MessageJson>(as('ann')(`r/Box/${msgnum}/json?text=plain`));
      return [text, parts.map((part) => [part.partnum, part.filename, part.size])];
    };
    assert.deepEqual(await read(9), ['no headers at all', [['1', 'n.bin', 16]]]);
    assert.deepEqual(await read(10), ['first\nsecond without end\n\n', [['1', '', 5]]]);
    assert.deepEqual(await read(16), [
      'first\nx\nthird',
      [
        ['1', '', 5],
        ['2', '', 5],
      ],
    ]);
  });

  it('file names come from the message where the server does not understand them', async (t) => {
    const { as, json } = await recordedGateway(t, transcript);
    const { parts } = await json<MessageJson>(as('ann')('r/Box/15/json'));
    assert.deepEqual(
      parts.map((part) => part.filename),
      ['ü ü.txt', 'ü.txt', 'folded name.txt'],
    );
  });

  it('a message in a message is read with its parts', async (t) => {
    const { as, json } = await recordedGateway(t, transcript);
    const inner = await json<MessageJson>(as('ann')('r/Box/8/2/json'));
    assert.deepEqual(
      [inner.subj, inner.from, inner.time, inner.text],
      ['inner mail', 'Other', 1704067200, '<div>inner text</div>'],
    );
    assert.deepEqual(
      inner.parts.map((part) => [part.partnum, part.filename, part.content_type, part.size]),
      [
        ['2.1.1', '', 'text/plain', 10],
        ['2.1.2', 'a.pdf', 'application/pdf', 5],
      ],
    );
  });

  it('a message is read with one batch of commands and one MSG2, the second time with a shorter batch', async (t) => {
    const { as, json, peer } = await recordedGateway(t, transcript);
    const verbs = (from: number) =>
      peer.received.slice(from).filter((line) => /^(?:MSG|DLAT|GTSN)/.test(line) && line !== 'MSG0 0|3');
    await json(as('ann')('r/Box/8/json'));
    assert.deepEqual(verbs(0), ['MSG0 8|1', 'MSG2 8|1', 'GTSN', 'MSG2 8']);
    const before = peer.received.length;
    await json(as('ann')('r/Box/8/json'));
    assert.deepEqual(verbs(before), ['MSG0 8|3', 'GTSN']);
  });
});
