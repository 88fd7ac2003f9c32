import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { buildMessage, type MessageAttachment, type MessageContent } from '../../src/mime/build.ts';
import { decoderFor } from '../../src/mime/coding/transfer.ts';
import { chooseEncoding, EncodingScanner } from '../../src/mime/encoding-facts.ts';
import { type MimePart, MimeWalker } from '../../src/mime/walk.ts';

async function* stream(bytes: Buffer) {
  for (let at = 0; at < bytes.length; at += 1000) yield bytes.subarray(at, at + 1000);
}

function contentOf(bytes: Buffer, contentType = 'text/plain; charset=utf-8'): MessageContent {
  const scanner = new EncodingScanner();
  scanner.push(bytes);
  return { contentType, encoding: chooseEncoding(contentType, scanner.end()), open: () => stream(bytes) };
}

function attachmentOf(filename: string, bytes: Buffer, contentType = 'application/pdf'): MessageAttachment {
  return { filename, contentType, open: () => stream(bytes) };
}

async function build(content: MessageContent, attachments: MessageAttachment[] = []): Promise<Buffer> {
  const chunks: Buffer[] = [];
  for await (const chunk of buildMessage({ content, attachments })) chunks.push(chunk);
  return Buffer.concat(chunks);
}

function walk(body: Buffer): MimePart {
  const walker = new MimeWalker();
  walker.push(body);
  return walker.end();
}

function decoded(body: Buffer, part: MimePart): Buffer {
  const decoder = decoderFor(part.encoding);
  return Buffer.concat([decoder.push(body.subarray(part.start, part.end)), decoder.end()]);
}

const bodies: Record<string, Buffer> = {
  nothing: Buffer.alloc(0),
  'one byte': Buffer.from('a'),
  'an LF': Buffer.from('\n'),
  text: Buffer.from('Grüße\nall\n'),
  'text without line end': Buffer.from('Grüße'),
  'text that ends the protocol': Buffer.from('a\n000\nb\n'),
  'dos text': Buffer.from('000\r\na\r\n\r\n'),
  'a boundary look-alike': Buffer.from('--=_\n--\n'),
  binary: Buffer.from(Array.from({ length: 3000 }, (_, i) => (i * 7) % 256)),
};

function assertPassesLineProtocol(body: Buffer, name: string): void {
  assert.ok(!body.includes(0) && !body.includes(13), name);
  const lines = body.toString('latin1').split('\n');
  assert.equal(lines.pop(), '', name);
  assert.ok(!lines.includes('000'), name);
}

describe('buildMessage', () => {
  it('writes the header of the content, a blank line and the encoded content', async () => {
    const content = { ...contentOf(Buffer.from('Hi\nü\n')), extraHeaders: [['X-Note', 'ü'] as const] };
    assert.equal(
      (await build(content)).toString(),
      'MIME-Version: 1.0\nContent-Type: text/plain; charset=utf-8\nContent-Transfer-Encoding: 8bit\n' +
        'X-Note: =?UTF-8?B?w7w=?=\n\nHi\nü\n',
    );
  });

  it('carries every content byte for byte, alone and with attachments', async () => {
    for (const [name, bytes] of Object.entries(bodies)) {
      for (const type of ['text/plain', 'application/octet-stream']) {
        const alone = await build(contentOf(bytes, type));
        assertPassesLineProtocol(alone, name);
        const part = walk(alone);
        assert.deepEqual([part.number, part.type], ['1', type]);
        assert.ok(decoded(alone, part).equals(bytes), `${name} alone`);
        assert.ok(part.encodedLength >= 3, name);

        const body = await build(contentOf(bytes, type), [attachmentOf('a', bytes), attachmentOf('b', bytes)]);
        assertPassesLineProtocol(body, name);
        const root = walk(body);
        assert.equal(root.type, 'multipart/mixed');
        assert.deepEqual(
          root.children.map((child) => child.number),
          ['1', '2', '3'],
        );
        for (const child of root.children) {
          assert.ok(decoded(body, child).equals(bytes), `${name} in part ${child.number}`);
          assert.equal(child.decodedLength, bytes.length);
          assert.ok(child.encodedLength >= 3, `${name}: a real server would drop the part`);
        }
      }
    }
  });

  it('names attachments exactly in 7-bit headers, and harmlessly for those who read only the plain form', async () => {
    const names = ['a.pdf', 'a b.pdf', 'Grüße 😀.pdf', 'a|b"c\\d.pdf', '', ' .pdf'];
    const body = await build(
      contentOf(Buffer.from('text\n')),
      names.map((name) => attachmentOf(name, Buffer.from('x'))),
    );
    const parts = walk(body).children.slice(1);
    assert.deepEqual(
      parts.map((part) => part.filename),
      [...names.slice(0, 5), '.pdf'],
    );
    assert.ok(parts.every((part) => part.disposition === 'attachment' && part.type === 'application/pdf'));
    assert.match(body.toString(), /^[\n -~]*$/);
    assert.equal(parts[3]!.params.name, 'a_b_c_d.pdf');
  });

  it('keeps the parameters of an attachment type, and gives none that would be taken apart', async () => {
    const types = ['text/plain; charset="utf-8"; name=old', 'multipart/mixed; boundary=x', 'rubbish\n', ''];
    const attachments = types.map((type) => attachmentOf('f', Buffer.from('x'), type));
    const parts = walk(await build(contentOf(Buffer.from('text\n')), attachments)).children.slice(1);
    assert.deepEqual(
      parts.map((part) => part.type),
      ['text/plain', ...Array(3).fill('application/octet-stream')],
    );
    assert.deepEqual(parts[0]!.params, { charset: 'utf-8', name: 'f' });
  });

  it('lets no header value begin a line', async () => {
    const body = await build(contentOf(Buffer.from('text\n')), [
      attachmentOf('a\r\nX-Bad: 1\n\n000\n', Buffer.from('x'), 'text/plain; x="a\nX-Bad: 1"'),
    ]);
    assert.doesNotMatch(body.toString(), /^(X-Bad|000)/m);
    const content = contentOf(Buffer.from('text\n'));
    await assert.rejects(build({ ...content, contentType: 'text/plain\nX: y' }), { code: 'bad_request' });
    await assert.rejects(build({ ...content, extraHeaders: [['X', 'a\n\n000']] }), { code: 'bad_request' });
    await assert.rejects(build({ ...content, extraHeaders: [['X: a\nY', 'a']] }), { code: 'bad_request' });
  });

  it('uses a boundary that nobody can foresee', async () => {
    const boundary = async () =>
      walk(await build(contentOf(Buffer.from('text\n')), [attachmentOf('a', Buffer.from('x'))])).params.boundary!;
    assert.match(await boundary(), /^=_[0-9a-f]{32}$/);
    assert.notEqual(await boundary(), await boundary());
  });

  it('fails rather than send what would break the protocol as it is', async () => {
    for (const text of ['a\n000\n', 'a\n000', 'a\0', 'a\r\n']) {
      const content = {
        contentType: 'text/plain',
        encoding: 'identity',
        open: () => stream(Buffer.from(text)),
      } as const;
      await assert.rejects(build(content), { code: 'internal' }, JSON.stringify(text));
    }
  });
});
