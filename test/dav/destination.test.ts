// The header fields of MOVE and COPY (RFC 4918 sections 10.3 and 10.6).

import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { mayOverwrite, parseDestination } from '../../src/dav/href.ts';
import { APP, exchangeWith } from './asking.ts';

describe('a Destination', () => {
  const read = (destination: string) => parseDestination(exchangeWith({ destination }), APP);

  it('is a room, and a name with the folders before it', () => {
    assert.deepEqual(read('/svc/r/A'), { room: 'A', name: '', isDeep: false });
    assert.deepEqual(read(' http://host.example/svc/r/A/b.txt '), { room: 'A', name: 'b.txt', isDeep: false });
    assert.deepEqual(read('/svc/r/A/b/c%20d'), { room: 'A', name: 'b/c d', isDeep: true });
    assert.deepEqual(read('/svc/r/A/b/'), { room: 'A', name: 'b/', isDeep: true });
  });

  it('may name the sent mail by a macro that the room server has not', () => {
    assert.equal(read('/svc/r/_SENT_/1').room, 'Sent Items');
  });

  it('is refused where it is missing, unreadable or elsewhere', () => {
    assert.throws(() => parseDestination(exchangeWith(), APP), { code: 'bad_request' });
    assert.throws(() => read(' '), { code: 'bad_request' });
    assert.throws(() => read('/svc/u/alice/'), { code: 'bad_request' });
    assert.throws(() => read('http://other.example/svc/r/A'), { code: 'wrong_destination' });
  });
});

describe('Overwrite', () => {
  it('is T unless it is F', () => {
    assert.equal(mayOverwrite(exchangeWith()), true);
    for (const overwrite of ['F', ' f ']) assert.equal(mayOverwrite(exchangeWith({ overwrite })), false, overwrite);
    for (const overwrite of ['T', 't', '', 'false']) {
      assert.equal(mayOverwrite(exchangeWith({ overwrite })), true, overwrite);
    }
  });
});
