// What is being written is kept by who writes it and where, until it is dropped.

import assert from 'node:assert/strict';
import { afterEach, describe, it } from 'node:test';
// @ts-expect-error: the web client has no types
import { areDraftsLeft, draftAt, dropDraftsSavedAs, dropOwnDrafts } from '../../../static/model/drafts.js';
// @ts-expect-error: the web client has no types
import { user, whenUserGoes } from '../../../static/model/session.js';

const be = (username?: string) => user.set(username === undefined ? undefined : { username });

describe('what is being written', () => {
  afterEach(() => {
    sessionStorage.clear();
    be();
  });

  it('is there again for the same user at the same place, and for nobody else', () => {
    be('alice');
    const draft = draftAt('Lobby', 'new');
    assert.equal(draft.read(), undefined);
    assert.equal(draft.keep({ text: 'Hello' }), true);
    be();
    assert.equal(draftAt('Lobby', 'new').read(), undefined);
    be('bob');
    assert.equal(draftAt('Lobby', 'new').read(), undefined);
    be('alice');
    assert.equal(draftAt('Lobby', '12/reply').read(), undefined);
    assert.deepEqual(draftAt('Lobby', 'new').read(), { text: 'Hello' });
    draft.drop();
    assert.equal(draftAt('Lobby', 'new').read(), undefined);
  });

  it('stays that of its user in the hands of a page that is emptied late', () => {
    be('alice');
    const draft = draftAt('Lobby', 'new');
    be('bob');
    draft.keep('of alice');
    assert.equal(draftAt('Lobby', 'new').read(), undefined);
    be('alice');
    assert.equal(draftAt('Lobby', 'new').read(), 'of alice');
  });

  it('is not thrown away when another user logs out', () => {
    be('alice');
    draftAt('Lobby', 'new').keep('of alice');
    // a name that begins as that of another
    be('al');
    draftAt('Lobby', 'new').keep('of al');
    assert.equal(areDraftsLeft(), true);
    dropOwnDrafts();
    assert.equal(areDraftsLeft(), false);
    be('alice');
    assert.equal(draftAt('Lobby', 'new').read(), 'of alice');
  });

  it('is nothing to lose where the server has all of it, and goes when that has gone', () => {
    be('alice');
    const [one, other] = [draftAt('Mail', 'new'), draftAt('Mail', '7/reply')];
    one.keep({ text: 'a', saved: 41, isSaved: true });
    assert.equal(areDraftsLeft(), false);
    other.keep({ text: 'b', saved: 42, isSaved: false });
    assert.equal(areDraftsLeft(), true);
    dropDraftsSavedAs(42);
    assert.deepEqual([one.read()?.saved, other.read()], [41, undefined]);
  });

  it('says when there is no room for it, and keeps what was there', () => {
    be('alice');
    const draft = draftAt('Mail', 'new');
    draft.keep('short');
    assert.equal(draft.keep('x'.repeat(20_000_000)), false);
    assert.equal(draft.read(), 'short');
  });
});

it('hears once when somebody else is here, not when the same user is read again', () => {
  be('alice');
  let heard = 0;
  whenUserGoes(() => heard++);
  const end = whenUserGoes(() => (heard += 10));
  be('alice');
  end();
  assert.equal(heard, 0);
  be('bob');
  be('alice');
  assert.equal(heard, 1);
});
