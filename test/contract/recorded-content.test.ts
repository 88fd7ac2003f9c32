// The gateway in front of recordings of a real server: what messages hold, byte for byte and as JSON.

import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import type { Api } from '../support/gateway.ts';
import { recordedGateway } from '../support/recorded-gateway.ts';

interface MessageJson {
  subj?: string;
  from?: string;
  text: string;
  content_type: string;
  parts: { partnum: string; filename: string; disposition: string; content_type: string; content_length: number }[];
}

async function bytesOf(answer: Promise<Response>): Promise<Buffer> {
  const response = await answer;
  assert.equal(response.status, 200, response.url);
  return Buffer.from(await response.arrayBuffer());
}

async function contentOf(api: Api, path: string): Promise<[type: string | null, text: string]> {
  const response = await api(path);
  assert.equal(response.status, 200, path);
  return [response.headers.get('content-type'), Buffer.from(await response.arrayBuffer()).toString('latin1')];
}

describe('32-terminator', () => {
  it('content with a line 000 comes back byte for byte, and nothing is out of step behind it', async (t) => {
    const { as, json, faults } = await recordedGateway(t, 'transcripts/32-terminator.txt');
    const ann = as('ann');
    const read = async () => {
      assert.deepEqual(await contentOf(ann, 'r/Box/7'), ['text/plain; charset=utf-8', 'before\n000\nafter\n']);
      assert.deepEqual(await contentOf(ann, 'r/Box/7/1'), ['text/plain; charset=utf-8', 'before\n000\nafter\n']);
      const { text } = await json<MessageJson>(ann('r/Box/7/json?text=plain'));
      assert.equal(text, 'before\n000\nafter\n');
      assert.equal((await contentOf(ann, 'r/Box/5'))[1], '000 \n 000\n0000\n00\n.\n..\n.dot\n000x\nend\n');
    };
    await Promise.all([read(), read(), read()]); // shared connections
    await read();
    assert.deepEqual(faults, []);
  });

  it('a message with its headers comes as it is stored, with the MIME-Version that it lacks', async (t) => {
    const { as } = await recordedGateway(t, 'transcripts/32-terminator.txt');
    const [type, text] = await contentOf(as('ann'), 'r/Box/7?format=rfc822');
    assert.equal(type, 'message/rfc822');
    assert.match(text, /^MIME-Version: 1\.0\r\nReturn-Path: ann\r\n[\s\S]*\r\n\r\nbefore\r\n=30=30=30\r\nafter\r\n$/);
  });

  it('lines that resemble the end of a listing are text', async (t) => {
    const { as, json } = await recordedGateway(t, 'transcripts/32-terminator.txt');
    const lines = ['000 ', ' 000', '0000', '00', '.', '..', '.dot', '000x', 'end', ''];
    assert.ok((await contentOf(as('ann'), 'r/Box/5?format=rfc822'))[1].endsWith(`\r\n\r\n${lines.join('\r\n')}`));
    assert.equal((await json<MessageJson>(as('ann')('r/Box/5/json?text=plain'))).text, lines.join('\n'));
  });

  it('answers 400 to an empty post without asking', async (t) => {
    const { as, peer } = await recordedGateway(t, 'transcripts/32-terminator.txt');
    assert.equal((await as('ann')('r/Box/x?subj=none', { method: 'PUT', body: '' })).status, 400);
    assert.equal(
      peer.received.some((line) => line.startsWith('ENT0')),
      false,
    );
  });
});

describe('33-8bit-and-binary', () => {
  it('charsets and encoded words are decoded for JSON', async (t) => {
    const { as, json } = await recordedGateway(t, 'transcripts/33-8bit-and-binary.txt');
    const read = (msgnum: number) => json<MessageJson>(as('ann')(`r/Box/${msgnum}/json?text=plain`));
    const [five, six, nine, ten, eleven] = await Promise.all([5, 6, 9, 10, 11].map(read));
    assert.deepEqual([five?.subj, five?.text], ['Grüße aus Köln – 日本語 😀', 'Grüße\n日本語 😀\n']);
    assert.equal(six?.subj, 'Grüße');
    assert.equal(nine?.text, 'café ¤\n');
    assert.match(nine?.subj ?? '', /^caf/); // labelled UTF-8 by the server, but is not
    assert.equal(ten?.text, 'café softbreak =\n');
    assert.equal(eleven?.text, 'Grüße\n');
  });

  it('bodies come in their own bytes with their own charset', async (t) => {
    const { as } = await recordedGateway(t, 'transcripts/33-8bit-and-binary.txt');
    const ann = as('ann');
    assert.deepEqual(await contentOf(ann, 'r/Box/9'), ['text/plain; charset=iso-8859-1', 'caf\xe9 \xa4\n']);
    assert.deepEqual(await contentOf(ann, 'r/Box/10'), ['text/plain; charset=iso-8859-1', 'caf\xe9 softbreak =\n']);
    assert.equal((await contentOf(ann, 'r/Box/12'))[1], 'bare\rcr\ttab\x01\x07\x1b[1m\x7f end\n');
    assert.equal((await contentOf(ann, 'r/Box/15'))[1], 'before'); // cut at a NUL by the server
    assert.equal((await contentOf(ann, 'r/Box/17'))[1], 'one\r\ntwo\n');
  });

  it('a binary part comes with its name', async (t) => {
    const { as } = await recordedGateway(t, 'transcripts/33-8bit-and-binary.txt');
    const answer = await as('ann')('r/Box/16/1');
    assert.equal(answer.headers.get('content-type'), 'application/octet-stream');
    assert.equal(answer.headers.get('content-disposition'), 'attachment; filename="b.bin"');
    const bytes = Buffer.from(await answer.arrayBuffer());
    const expected = Array.from({ length: 256 }, (_, byte) => byte).filter((byte) => ![0, 10, 13].includes(byte));
    assert.deepEqual([...bytes], [...expected, 10]);
  });

  it('room names beyond ASCII go through paths', async (t) => {
    const { as, json } = await recordedGateway(t, 'transcripts/33-8bit-and-binary.txt');
    assert.equal((await json<{ name: string }>(as('ann')('r/gr%C3%B6%C3%9Fe/'))).name, 'Größe');
    assert.equal((await as('ann')('r/gr%C3%96%C3%9Fe/')).status, 404);
    assert.equal((await json<{ room: string }>(as('ann')('r/Gr%C3%B6%C3%9Fe/19/json'))).room, 'Größe');
  });
});

describe('34-long-lines', () => {
  it('long lines come whole', async (t) => {
    const { as, json } = await recordedGateway(t, 'transcripts/34-long-lines.txt');
    const [, content] = await contentOf(as('ann'), 'r/Box/5');
    assert.equal(content, `${'0123456789'.repeat(300)}\n`);
    assert.equal((await json<MessageJson>(as('ann')('r/Box/5/json?text=plain'))).text, content);
  });

  it('a row that the server cuts is listed, the rest of it is no row', async (t) => {
    const { as, json } = await recordedGateway(t, 'transcripts/34-long-lines.txt');
    const { msgs } = await json<{ msgs: { msgnum: number; subject: string }[] }>(as('ann')('r/Box/mailbox'));
    assert.deepEqual(
      msgs.map((row) => row.msgnum),
      [5, 6, 7, 8],
    );
    assert.match(msgs[3]?.subject ?? '', /^s{900,}$/);
  });

  it('a header line that ends in LF only does not hide the ones behind it', async (t) => {
    const { as, json } = await recordedGateway(t, 'transcripts/34-long-lines.txt');
    const message = await json<MessageJson>(as('ann')('r/Box/8/json?text=plain'));
    assert.equal(message.content_type, 'text/plain; charset=utf-8');
    assert.match(message.subj ?? '', /^s+$/);
    assert.equal(message.text, 'x\n');
  });
});

describe('36-oversize', () => {
  it('what the server cut is read as what is left of it', async (t) => {
    const { as, json } = await recordedGateway(t, 'transcripts/36-oversize.txt');
    const ann = as('ann');
    const content = await bytesOf(ann('r/Box/5'));
    assert.deepEqual([content.length, content.toString('latin1', 12_002, 12_004)], [12_004, '3\n']);
    assert.equal((await bytesOf(ann('r/Box/6'))).length, 15_001);
    const { parts, text } = await json<MessageJson>(ann('r/Box/7/json?text=plain'));
    assert.deepEqual(
      parts.map((part) => [part.partnum, part.content_length]),
      [['1', 5004]],
    );
    assert.match(text, /^(a+\n)+/);
  });
});

describe('39-formats-and-modes', () => {
  it('texts in formats of the server itself come as UTF-8 text', async (t) => {
    const { as, json } = await recordedGateway(t, 'transcripts/39-formats-and-modes.txt');
    const ann = as('ann');
    const [type, zero] = await contentOf(ann, 'r/Box/5');
    assert.equal(type, 'text/plain; charset=utf-8');
    assert.match(
      zero,
      /^First paragraph,\nstill the first.\n Second paragraph is indented.\n\nAfter a blank line.\nword /,
    );
    const { text } = await json<MessageJson>(ann('r/Box/5/json?text=plain'));
    assert.match(text, /^First paragraph, still the first.\n/);
    const [, one] = await contentOf(ann, 'r/Box/6');
    assert.equal(one, 'Fixed text\n  keeps   its blanks\n\nend\n');
    assert.equal((await json<MessageJson>(ann('r/Box/6/json?text=plain'))).text, one);
    assert.deepEqual(await contentOf(ann, 'r/Box/7'), ['text/plain; charset=utf-8', 'Plain text\nsecond line\n']);
  });

  it('messages without a type, with other headers inside, without text', async (t) => {
    const { as, json } = await recordedGateway(t, 'transcripts/39-formats-and-modes.txt');
    const ann = as('ann');
    assert.deepEqual(await contentOf(ann, 'r/Box/8'), ['text/plain', 'Second paragraph\n']);
    assert.deepEqual(await contentOf(ann, 'r/Box/9'), ['text/plain', 'Text\n']);
    assert.deepEqual(await contentOf(ann, 'r/Box/10'), ['text/plain; charset=utf-8', 'text\n']);
    const foreign = await json<MessageJson>(ann('r/Box/10/json?text=plain'));
    assert.deepEqual([foreign.subj, foreign.from, foreign.text], ['Outer subject', 'ann', 'text\n']);
    assert.deepEqual(await contentOf(ann, 'r/Box/13'), ['text/plain', '']);
    assert.equal((await json<MessageJson>(ann('r/Box/13/json?text=plain'))).text, '');
    assert.equal((await json<MessageJson>(ann('r/Box/11/json?text=plain'))).text, '');
    assert.equal('subj' in (await json<MessageJson>(ann('r/Box/14/json'))), false);
    assert.equal((await contentOf(ann, 'r/Box/14'))[1], 'x\n');
  });
});
