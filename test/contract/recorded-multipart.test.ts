// The gateway in front of the recording of a real server: messages of several parts.

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

const PNG_LENGTH = 70;

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

describe('35-multipart', () => {
  it('parts are listed and come decoded, by number and by Content-ID', async (t) => {
    const { as, json, faults } = await recordedGateway(t, 'transcripts/35-multipart.txt');
    const ann = as('ann');
    const { parts, text } = await json<MessageJson>(ann('r/Box/5/json?text=plain'));
    assert.deepEqual(
      parts.map((part) => [part.partnum, part.filename, part.disposition, part.content_type, part.content_length]),
      [
        ['1', '', '', 'text/plain', 16],
        ['2', 'dot.png', 'attachment', 'image/png', 97],
        ['3', 'notes.txt', 'attachment', 'text/plain', 15],
      ],
    );
    assert.equal(text, 'See attachments.');
    const image = await ann('r/Box/5/2');
    assert.equal(image.headers.get('content-type'), 'image/png');
    assert.equal(image.headers.get('content-disposition'), 'attachment; filename="dot.png"');
    assert.equal((await image.arrayBuffer()).byteLength, PNG_LENGTH);
    assert.equal((await bytesOf(ann('r/Box/5/dot@example'))).length, PNG_LENGTH);
    assert.equal((await bytesOf(ann('r/Box/5/3'))).toString(), 'these are notes');
    const ranged = await ann('r/Box/5/3', { headers: { range: 'bytes=6-8' } });
    assert.deepEqual([ranged.status, await ranged.text()], [206, 'are']);
    assert.deepEqual([(await ann('r/Box/5/4')).status, (await ann('r/Box/5/0')).status], [404, 404]);
    assert.deepEqual(faults, []);
  });

  it('one part of several is not read on a shared connection, for two may answer to its number', async (t) => {
    const { as, peer } = await recordedGateway(t, 'transcripts/35-multipart.txt');
    await bytesOf(as('ann')('r/Box/5/3'));
    const { received } = peer;
    // on a connection of its own, where a second answer is found out
    const next = received.indexOf('DLAT 5|3') + 1;
    while (received.length === next) await new Promise(setImmediate); // it comes behind the last byte
    assert.equal(received[next], 'NOOP');
  });

  it('attachments become uploads', async (t) => {
    const { as, json } = await recordedGateway(t, 'transcripts/35-multipart.txt');
    const uploads = await json<{ uploadfilename: string; contenttype: string; contentlength: number; ref: string }[]>(
      as('ann')('p/Box/5'),
    );
    assert.deepEqual(
      uploads.map((upload) => [upload.uploadfilename, upload.contenttype, upload.contentlength]),
      [
        ['dot.png', 'image/png', PNG_LENGTH],
        ['notes.txt', 'text/plain', 15],
      ],
    );
    assert.equal((await bytesOf(as('ann')(`p/${uploads[1]!.ref}`))).toString(), 'these are notes');
  });

  it('HEAD and If-None-Match are answered without the content', async (t) => {
    const { as, peer } = await recordedGateway(t, 'transcripts/35-multipart.txt');
    const whole = await as('ann')('r/Box/6', { method: 'HEAD' });
    assert.deepEqual([whole.status, whole.headers.get('etag')], [200, '"6"']);
    assert.equal((await as('ann')('r/Box/6', { headers: { 'if-none-match': '"6"' } })).status, 304);
    assert.equal(peer.received.includes('MSG2 6'), false);
    const part = await as('ann')('r/Box/6/2', { method: 'HEAD' });
    assert.deepEqual([part.status, part.headers.get('content-length')], [200, String(PNG_LENGTH)]);
    assert.equal((await bytesOf(as('ann')('r/Box/6/2'))).length, PNG_LENGTH);
  });

  it('a multipart comes as the text it is, with its type', async (t) => {
    const { as } = await recordedGateway(t, 'transcripts/35-multipart.txt');
    const [type, text] = await contentOf(as('ann'), 'r/Box/6');
    assert.equal(type, 'multipart/mixed; boundary="outer"');
    assert.match(
      text,
      /^--outer\r\nContent-type: text\/plain[\s\S]*\r\n--outer--\r\nThis epilogue is ignored.\r\n\r\n$/,
    );
  });

  it('JSON chooses among alternatives', async (t) => {
    const { as, json } = await recordedGateway(t, 'transcripts/35-multipart.txt');
    const html = await json<MessageJson>(as('ann')('r/Box/7/json'));
    assert.equal(html.text, '<p>html <b>version</b> ü</p>');
    assert.match(html.content_type, /^multipart\/alternative/);
    assert.equal((await json<MessageJson>(as('ann')('r/Box/7/json?text=plain'))).text, 'plain version');
    assert.equal((await bytesOf(as('ann')('r/Box/7/1'))).toString(), 'plain version');
    assert.equal((await bytesOf(as('ann')('r/Box/7/2'))).toString(), '<p>html <b>version</b> ü</p>');
  });

  it('nested parts, a message in a message, an image by Content-ID', async (t) => {
    const { as, json } = await recordedGateway(t, 'transcripts/35-multipart.txt');
    const ann = as('ann');
    const { parts, text } = await json<MessageJson>(ann('r/Box/8/json'));
    assert.deepEqual(
      parts.map((part) => part.partnum),
      ['1.2', '2', '2.1.1', '2.1.2', '3'],
    );
    assert.equal(text, '<p>deep html <img src="/svc/r/Box/8/pic1"></p>');
    assert.equal((await bytesOf(ann('r/Box/8/pic1'))).length, PNG_LENGTH);
    assert.equal((await ann('r/Box/8/1.2')).headers.get('content-disposition'), 'inline; filename="pic.png"');
    assert.equal((await bytesOf(ann('r/Box/8/1.1.1'))).toString(), 'deep plain');
    assert.equal((await bytesOf(ann('r/Box/8/2.1.1'))).toString(), 'inner text');
    assert.equal((await bytesOf(ann('r/Box/8/2.1.2'))).toString(), '%PDF-');
    const inner = await ann('r/Box/8/2');
    assert.equal(inner.headers.get('content-type'), 'message/rfc822');
    assert.match(await inner.text(), /^From: Other <other@example.org>\nSubject: inner mail\n/);
    for (const part of ['1', '1.1', '2.1', '2.2']) assert.equal((await ann(`r/Box/8/${part}`)).status, 404, part);
  });

  it('broken multiparts are read as far as they go', async (t) => {
    const { as, json } = await recordedGateway(t, 'transcripts/35-multipart.txt');
    const ann = as('ann');
    const untyped = await ann('r/Box/9/1');
    assert.equal(untyped.headers.get('content-type'), 'text/plain', 'RFC 2045 section 5.2');
    assert.equal(await untyped.text(), 'only disposition');
    assert.equal((await ann('r/Box/9/2')).status, 404);
    assert.equal((await ann('r/Box/10/2')).status, 404);
    assert.equal((await json<MessageJson>(ann('r/Box/13/json'))).text.includes('<h1>Title</h1>'), true);
  });

  it('content in an unknown transfer encoding comes as it is stored', async (t) => {
    const { as } = await recordedGateway(t, 'transcripts/35-multipart.txt');
    assert.deepEqual(await contentOf(as('ann'), 'r/Box/12'), ['text/plain', 'abc\n\n']);
  });

  it('names with a bar, with UTF-8 and folded', async (t) => {
    const { as, json } = await recordedGateway(t, 'transcripts/35-multipart.txt');
    const { parts } = await json<MessageJson>(as('ann')('r/Box/15/json'));
    assert.deepEqual(
      parts.map((part) => [part.partnum, part.content_length]),
      [
        ['1', 10],
        ['2', 11],
        ['3', 10],
      ],
    );
    assert.equal(parts[0]?.filename, 'ü ü.txt');
    assert.equal(parts[2]?.filename, 'folded name.txt');
    const first = await as('ann')('r/Box/15/1');
    assert.match(
      first.headers.get('content-disposition') ?? '',
      /^attachment; .*filename\*=UTF-8''%C3%BC%20%C3%BC\.txt/,
    );
  });
});
