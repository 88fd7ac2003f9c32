// What the protocol keeps of a connection from its beginning.

import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { SessionState } from '../../../src/backend/session/session.ts';
import type { StoredUser } from '../../../src/backend/store/records.ts';

describe('a new session', () => {
  it('is nobody’s, in no room, and has nothing open', () => {
    const state = new SessionState('192.0.2.1');
    const { user, room, keyHash, openDownload, openUpload, roomPassword, clientHost } = state;
    assert.deepEqual(
      [user, room, keyHash, openDownload, openUpload],
      [undefined, undefined, undefined, undefined, undefined],
    );
    assert.deepEqual([roomPassword, clientHost], ['', '192.0.2.1']);
  });

  it('may say for whom it speaks where it comes from this machine, and only there', () => {
    for (const host of ['', '127.0.0.1', '::1', '::ffff:127.0.0.1']) {
      assert.equal(new SessionState(host).isLocalPeer, true, host);
    }
    for (const host of ['192.0.2.1', '127.0.0.1.evil.example', '::2', '::ffff:192.0.2.1', 'localhost']) {
      assert.equal(new SessionState(host).isLocalPeer, false, host);
    }
  });

  it('has passwords checked for its address, that of a gateway for the account, after a log-in for the user', () => {
    assert.equal(new SessionState('192.0.2.1').turnKey, 'address 192.0.2.1');
    assert.equal(new SessionState('2001:db8::1').turnKey, new SessionState('2001:db8::2').turnKey);
    const ofGateway = new SessionState('');
    ofGateway.unknownName = ' Nobody';
    assert.equal(ofGateway.turnKey, 'account nobody');
    ofGateway.selectedUser = { id: 3 } as StoredUser;
    assert.equal(ofGateway.turnKey, 'account 3');
    ofGateway.user = { id: 3 } as StoredUser;
    assert.equal(ofGateway.turnKey, 'user 3');
  });

  it('shares nothing with another one', () => {
    const [one, other] = [new SessionState(''), new SessionState('')];
    one.instantMessages.push({ time: 0, flags: 0, sender: 'ann', address: '', text: 'x' });
    one.mimePreferences.push('text/html');
    assert.deepEqual([other.instantMessages, other.mimePreferences], [[], []]);
  });
});

it('a star stands in replies while instant messages wait', () => {
  const state = new SessionState('');
  assert.equal(state.flag, ' ');
  state.instantMessages.push({ time: 0, flags: 0, sender: 'ann', address: '', text: 'x' });
  assert.equal(state.flag, '*');
  state.instantMessages.pop();
  assert.equal(state.flag, ' ');
});
