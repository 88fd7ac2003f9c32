// A body as it is posted: which recipients count in which room, under what name, and how large it may be.

import assert from 'node:assert/strict';
import { describe, it, type TestContext } from 'node:test';
import { fitting, PLAIN_POSTING, postBody } from '../../../src/gateway/message/posting.ts';
import { MessageLimit } from '../../../src/gateway/message/size-limit.ts';
import { SPOOL_MEMORY_BYTES } from '../../../src/limits/http.ts';
import { type EnteredRoom, VIEW } from '../../../src/model.ts';
import { enterRoom } from '../../../src/room-server/connection/goto.ts';
import { askedServer, type Entered, entered, failsWith } from '../../support/asked-server.ts';
import type { Answers } from '../../support/fault-server.ts';
import { receivedMessage } from '../../support/received-message.ts';
import { contextsAt } from '../../support/room-context.ts';

async function start(t: TestContext, name: string, of: Entered = {}, answers: Answers = {}) {
  const ENT0 = '800 send\n12\nok\n\n000\n';
  const { server, connect, sent, bodies } = await askedServer(t, { GOTO: entered(name, of), ENT0, ...answers });
  const connection = await connect();
  const room = await enterRoom(connection, { name, password: '' });
  const context = contextsAt(t, server.path)('ann', name);
  context.app.messageLimit = new MessageLimit();
  const post = (...args: Parameters<typeof receivedMessage>) =>
    postBody(context, connection, room, receivedMessage(...args));
  return { context, post, sent, bodies };
}

describe('recipients', () => {
  const posting = { ...PLAIN_POSTING, recipients: 'bob', cc: 'c@x', bcc: 'd@x' };
  const room = (name: string, isPersonal: boolean, defaultView: number = VIEW.mailbox) =>
    ({ name, isPersonal, defaultView }) as Partial<EnteredRoom> as EnteredRoom;

  it('count in personal rooms, but not in the room of drafts', () => {
    assert.equal(fitting(posting, room('Mail', true)), posting);
    const none = { ...posting, recipients: '', cc: '', bcc: '' };
    for (const other of [
      room('Lobby', false),
      room('Drafts', true),
      room('0000000002.DRAFTS', true),
      room('My letters', true, VIEW.drafts),
    ]) {
      assert.deepEqual(fitting(posting, other), none, other.name);
    }
    assert.equal(fitting(posting, room('Drafts', true)).subject, posting.subject);
  });

  it('send the message to where mail is filed', async (t) => {
    const { post, sent } = await start(t, 'Mail', { isPersonal: true });
    assert.deepEqual(await post('hello', { posting }), { posted: { msgnum: 12, euid: '' }, room: 'Sent Items' });
    assert.match(sent(/^ENT0/)[0]!, /^ENT0 1\|bob\|/);
  });

  it('of a draft are kept in its header', async (t) => {
    const { post, sent, bodies } = await start(t, 'Drafts', { isPersonal: true });
    assert.equal((await post('hello', { posting })).room, 'Drafts');
    assert.match(sent(/^ENT0/)[0]!, /^ENT0 1\|\|/);
    assert.match(bodies[0]!, /^To: bob$[\s\S]*^Cc: c@x$[\s\S]*^Bcc: d@x$/m);
  });
});

describe('a name', () => {
  it('is kept in the header with the length, and makes the subject', async (t) => {
    const { post, sent, bodies } = await start(t, 'Files', { view: VIEW.files });
    await post('hello', { name: 'a b.txt' });
    assert.match(sent(/^ENT0/)[0]!, /^ENT0 1\|\|\|4\|a b\.txt\|/);
    assert.match(bodies[0]!, /^X-Vestibule-Name: a%20b\.txt$/m);
    assert.match(bodies[0]!, /^X-Vestibule-Size: 5$/m);
    assert.match(bodies[0]!, /\n\nhello=\n$/);
  });

  it('leaves the subject alone where the room knows the message by its UID', async (t) => {
    const { post, sent, bodies } = await start(t, 'Calendar', { view: VIEW.calendar });
    await post('x', { name: 'a.ics', isKnownByUid: true, posting: { ...PLAIN_POSTING, subject: 'own' } });
    assert.match(sent(/^ENT0/)[0]!, /\|own\|/);
    assert.match(bodies[0]!, /^X-Vestibule-Name: a\.ics$/m);
  });
});

describe('a message that the room server would cut', () => {
  it('is not sent', async (t) => {
    const { context, post, sent } = await start(t, 'Lobby');
    context.app.messageLimit.learn(1000);
    await assert.rejects(post('x'.repeat(1000)), failsWith('too_large'));
    assert.deepEqual(sent(/^ENT0/), []);
    assert.equal((await post('x'.repeat(100))).posted.msgnum, 12);
  });

  it('is taken out by no number that another message has', async (t) => {
    const large = 'x'.repeat(SPOOL_MEMORY_BYTES + 1);
    const cut = { 'MSGP 12': '200 ok\n', 'MSG0 12|1': '575 gone\n', DELE: '200 ok\n' };
    const { post, sent } = await start(t, 'Lobby', { highest: 12 }, cut);
    await assert.rejects(post(large), failsWith('backend_protocol'));
    assert.deepEqual(sent(/^(DELE|DLAT|MSG)/), []);
  });

  it('is known to be one by an administrator, whose connection is told the bound', async (t) => {
    const { post, sent } = await start(t, 'Lobby', {}, { PASS: '200 ann|6|0|0|0|2|0\n', CONF: '200 500|\n' });
    await assert.rejects(post('x'.repeat(600)), failsWith('too_large'));
    assert.equal(sent(/^CONF GETVAL\|c_maxmsglen/).length, 1);
    assert.deepEqual(sent(/^ENT0/), []);
  });
});
