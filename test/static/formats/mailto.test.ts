import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
// @ts-expect-error: the web client has no types
import { parseMailto } from '../../../static/formats/mailto.js';

describe('an address that writes a mail', () => {
  it('says to whom and what, with a plus that stands for itself', () => {
    assert.deepEqual(parseMailto('mailto:off+7@list.example?subject=leave%20a+b&body=Bye%0D%0Anow&x=1'), {
      to: ['off+7@list.example'],
      cc: [],
      bcc: [],
      subject: 'leave a+b',
      body: 'Bye\r\nnow',
    });
    assert.deepEqual(parseMailto('MAILTO:a@x,b@y?to=c@z').to, ['a@x', 'b@y', 'c@z']);
    const copies = parseMailto('mailto:a@x?Cc=b@y,%22D,%20C%22%20%3Cc@z%3E&bcc=d@z&cc=e@z&SUBJECT=s');
    assert.deepEqual(copies.cc, ['b@y', '"D, C" <c@z>', 'e@z']);
    assert.deepEqual([copies.to, copies.bcc, copies.subject], [['a@x'], ['d@z'], 's']);
  });

  it('puts no further line into a subject', () => {
    assert.equal(parseMailto('mailto:a@x?subject=one%0D%0ABcc:%20b@y').subject, 'one Bcc: b@y');
  });

  it('may name nobody yet', () => {
    assert.deepEqual(parseMailto('mailto:?subject=x'), { to: [], cc: [], bcc: [], subject: 'x', body: '' });
  });

  it('is none that says nothing, or names somebody who cannot be reached', () => {
    for (const address of [
      'mailto:',
      'mailto:a@x?cc=b%20c@x',
      'mailto:%ff@x',
      'mailto:a b@x',
      'https://x/',
      'mailtoa@x',
    ]) {
      assert.equal(parseMailto(address), undefined, address);
    }
  });
});
