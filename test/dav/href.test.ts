// Addresses that clients write.

import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { parseRoomHref, segmentsOf } from '../../src/dav/href.ts';
import { APP, exchangeWith } from './asking.ts';

describe('the address of a room', () => {
  const read = (text: string, more = {}) => parseRoomHref(exchangeWith({}, more), APP, text);

  it('has a room and what lies behind it, decoded', () => {
    assert.deepEqual(read('/svc/r/Lobby'), { room: 'Lobby', names: [] });
    assert.deepEqual(read('/svc/r/Lobby/'), { room: 'Lobby', names: [''] });
    assert.deepEqual(read('/svc/r/a%2Fb/c%20d/%C3%BC'), { room: 'a/b', names: ['c d', 'ü'] });
  });

  it('may be a whole URL of this host, whatever its scheme and default port', () => {
    for (const host of ['host.example', 'HOST.example:80', 'host.example:443', 'outer.example']) {
      assert.equal(read(`https://${host}/svc/r/A/1`, { forwardedHost: 'outer.example' }).room, 'A', host);
    }
    for (const host of ['other.example', 'host.example:8080', 'host.example.org', '']) {
      assert.throws(() => read(`http://${host}/svc/r/A/1`), { code: 'wrong_destination' }, host);
    }
  });

  it('is refused where it is none', () => {
    for (const text of [
      '',
      'r/A',
      'ftp://host.example/svc/r/A',
      '/svc/r/A?x',
      '/svc/r/A#x',
      '/other/r/A',
      '/svc/r/',
      '/svc/u/alice',
      '/svc/r/a%7Cb',
      '/svc/r/a%0Ab',
      '/svc/r/%zz',
    ]) {
      assert.throws(() => read(text), { code: 'bad_request' }, text);
    }
  });
});

describe('the segments behind the prefix', () => {
  it('are decoded one by one', () => {
    const segments = (text: string) => segmentsOf(exchangeWith(), APP, text);
    assert.deepEqual(segments('/svc/u/a%40b/'), ['u', 'a@b', '']);
    assert.deepEqual(segments('/svc/'), ['']);
    assert.deepEqual(segments('/svc/a%2Fb//c'), ['a/b', '', 'c']);
  });
});
