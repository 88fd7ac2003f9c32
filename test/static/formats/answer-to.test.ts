// Whom an answer goes to (RFC 5322 section 3.6.3, RFC 2369 section 3.4).

import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
// @ts-expect-error: the web client has no types
import { answerTo } from '../../../static/formats/answer-to.js';

const me = {
  username: 'Alice Smith',
  email: 'alice_smith@home.example',
  addresses: ['alice_smith@home.example', 'Sales@home.example', 'alice@work.example'],
};
const mail = {
  from: 'Bob',
  rfca: 'bob@x.example',
  rcpt: ['Alice Smith', 'alice_smith@other.example', 'Bob <BOB@x.example>'],
  cccc: ['"C, D" <cd@x.example>', 'alice_smith@home.example', 'cd@x.example'],
};

describe('an answer', () => {
  it('goes to the author, and to all others once without oneself', () => {
    assert.deepEqual(answerTo(mail, me, 'reply'), { to: ['bob@x.example'], cc: [] });
    const others = ['alice_smith@other.example', '"C, D" <cd@x.example>'];
    assert.deepEqual(answerTo(mail, me, 'reply-all'), { to: ['bob@x.example'], cc: others });
    const local = { ...mail, from: 'bob', locl: true, rcpt: ['bob@home.example', 'bob@x.example'], cccc: [] };
    assert.deepEqual(answerTo(local, me, 'reply-all'), { to: ['bob'], cc: ['bob@x.example'] });
  });

  it('leaves out oneself in each of one’s addresses, and takes one’s message under any of them for one’s own', () => {
    const to = ['sales@home.example', 'Alice <ALICE@work.example>', 'sales@work.example', 'sales'];
    assert.deepEqual(answerTo({ ...mail, rcpt: to, cccc: [] }, me, 'reply-all').cc, ['sales@work.example']);
    const sent = { from: 'Alice', rfca: 'alice@work.example', rcpt: ['bob@x.example'] };
    assert.deepEqual(answerTo(sent, me, 'reply').to, ['bob@x.example']);
  });

  it('goes where Reply-To says, not to the author besides', () => {
    const asked = { ...mail, reply_to: ['Desk <desk@x.example>'], rcpt: ['desk@x.example', 'e@x.example'], cccc: [] };
    assert.deepEqual(answerTo(asked, me, 'reply'), { to: ['Desk <desk@x.example>'], cc: [] });
    assert.deepEqual(answerTo(asked, me, 'reply-all').cc, ['e@x.example']);
    assert.deepEqual(answerTo({ ...mail, reply_to: ['<>'] }, me, 'reply').to, ['bob@x.example']);
  });

  it('goes to the list alone where that is asked for', () => {
    const list = { ...mail, reply_to: ['x@x.example'], list_post: 'mailto:all@list.example' };
    assert.deepEqual(answerTo(list, me, 'reply-list'), { to: ['all@list.example'], cc: [] });
  });

  it('to a message of oneself goes on to those whom it went to', () => {
    const own = { from: 'Alice Smith', locl: true, rcpt: ['bob'], cccc: ['carol'], reply_to: ['x@x.example'] };
    assert.deepEqual(answerTo(own, me, 'reply'), { to: ['bob'], cc: [] });
    assert.deepEqual(answerTo(own, me, 'reply-all'), { to: ['bob'], cc: ['carol'] });
    const namesake = { rfca: 'alice_smith@other.example', rcpt: [me.email] };
    assert.deepEqual(answerTo(namesake, me, 'reply').to, ['alice_smith@other.example']);
  });
});
