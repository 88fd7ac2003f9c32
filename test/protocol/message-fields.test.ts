// Listings about messages, as recorded from a real server.

import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { MAX_MIME_PARTS } from '../../src/limits/mime.ts';
import { messageNumbers, parseMessageFields, parseMessageRow, parsePart } from '../../src/protocol/message-fields.ts';

describe('the fields of a message', () => {
  it('are name=value lines up to the text, with a part list', () => {
    const message = parseMessageFields([
      'type=4',
      'msgn=6B00E7FC-00000005@vm',
      'from=ann',
      'subj=a=b',
      'pref=|multipart/mixed',
      'pref=1|multipart/related',
      'part=dot.png|dot.png|2|attachment|image/png|97|dot@example|',
      'suff=1|multipart/related',
      'suff=|multipart/mixed',
      'text',
      'from=nobody',
    ]);
    assert.equal(message.fields.get('from'), 'ann');
    assert.equal(message.fields.get('subj'), 'a=b');
    assert.equal(message.multipart, 'multipart/mixed');
    assert.deepEqual(message.parts, [
      {
        name: 'dot.png',
        filename: 'dot.png',
        partnum: '2',
        disposition: 'attachment',
        contentType: 'image/png',
        length: 97,
        contentId: 'dot@example',
        charset: '',
      },
    ]);
  });

  it('survive a bar in a file name (the real server does not escape it)', () => {
    const part = parsePart('a|b;c.txt|ü ü.txt|1|attachment|text/plain|10||');
    assert.deepEqual([part.name, part.filename, part.partnum, part.length], ['a|b;c.txt', 'ü ü.txt', '1', 10]);
    const doubled = parsePart('a|b|a|b|1.2|inline|text/plain|10||utf-8');
    assert.deepEqual([doubled.name, doubled.filename, doubled.partnum], ['a|b', 'a|b', '1.2']);
  });
});

it('has MAX_MIME_PARTS parts at most, of no length below 0', () => {
  const of = (count: number) => parseMessageFields(new Array(count).fill('part=a|a|1|inline|text/plain|-9||')).parts;
  assert.equal(of(MAX_MIME_PARTS).length, MAX_MIME_PARTS);
  assert.equal(of(MAX_MIME_PARTS + 1).length, MAX_MIME_PARTS);
  assert.equal(of(1)[0]!.length, 0);
});

describe('a row of a message list', () => {
  it('has hashes of the message id and of its references', () => {
    const row = parseMessageRow('8|1795221518|ann|vm|ann@vm|Re: Apples|-1380236847|-1889379161,1311078934|');
    assert.deepEqual(row, {
      msgnum: 8,
      time: 1795221518,
      from: 'ann',
      node: 'vm',
      address: 'ann@vm',
      subject: 'Re: Apples',
      idHash: -1380236847,
      referenceHashes: [-1889379161, 1311078934],
    });
  });

  it('is none where a cut subject left a broken line behind', () => {
    assert.equal(parseMessageRow(''), undefined);
    assert.equal(parseMessageRow('|-12345||'), undefined);
  });

  it('is none without the number of a message', () => {
    for (const number of ['0', '-8', '8x', '1e3', '9'.repeat(16)]) {
      assert.equal(parseMessageRow(`${number}|1|ann|vm||s|1||`), undefined, number);
    }
  });

  it('has numbers for hashes, whatever stands in their places', () => {
    const shifted = parseMessageRow('8|1795221518|ann|vm|ann@vm|a|b|-5|x,,7|');
    assert.deepEqual([shifted?.idHash, shifted?.referenceHashes], [0, [-5]]);
    assert.deepEqual(parseMessageRow('8|1|ann|vm||s|3|x,,7|')?.referenceHashes, [7]);
  });
});

describe('a list of numbers', () => {
  it('has those of messages, and passes over other lines', () => {
    const lines = ['302', '', 'x', '0', '-3', '1.5', '1e999', 'NaN', '9'.repeat(16), '304'];
    assert.deepEqual(messageNumbers(lines), [302, 304]);
  });
});
