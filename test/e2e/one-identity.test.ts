// A user is one user, however his name is spelled: for the guesses at his password, for what he may hold at once, and
// for what is remembered of him.

import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { MAX_EVENT_STREAMS_PER_USER } from '../../src/limits/http.ts';
import { MAX_LOGIN_FAILURES } from '../../src/limits/sessions.ts';
import { openEvents, type ServerEvent } from '../support/event-stream.ts';
import { postedNumber, startGateway, withCookie } from '../support/gateway.ts';

/** The room server takes each for alice. */
const SPELLINGS = [
  'alice\u212A',
  'Alice\u212A\u212A',
  'a@lice@localhost',
  'al@ice@localhost',
  'A.L-I_C!E',
  'alice@LOCALHOST',
  '\u017Falice',
  'ali ce',
];

describe('a user whose name is spelled in many ways', () => {
  it('is guessed at as often as one whose name is spelled in one, from wherever that is', async (t) => {
    const gateway = await startGateway(t, { demo: true, options: ['--trust-proxy'] });
    let clients = 0;
    const logIn = async (name: string, password: string) => {
      const headers = { 'x-forwarded-for': `192.0.2.${++clients}` };
      return (await gateway.as(name, password)('a/whoami', { headers })).status;
    };
    for (let i = 0; i < MAX_LOGIN_FAILURES; i++) {
      assert.equal(await logIn(SPELLINGS[i % SPELLINGS.length]!, 'wrong'), 401);
    }
    for (const name of SPELLINGS) assert.equal(await logIn(name, 'alice'), 429, name);
    assert.equal(await logIn('bob', 'bob'), 200);
  });

  it('logs in with each, and has one bound on his event streams and one mark of the mail he was told of', async (t) => {
    const gateway = await startGateway(t, { demo: true });
    const open = new AbortController();
    for (let i = 0; i < MAX_EVENT_STREAMS_PER_USER; i++) {
      const api = await withCookie(gateway, SPELLINGS[i % 3]!, 'alice');
      assert.equal((await api('a/events', { signal: open.signal })).status, 200);
    }
    for (const name of SPELLINGS) {
      assert.equal((await gateway.as(name, 'alice')('a/events')).status, 429, name);
    }
    open.abort();
    const text = { headers: { accept: 'text/plain' } };
    await gateway.as('alice')('a/biff', text);
    const letter = { method: 'PUT', headers: { 'content-type': 'text/plain' }, body: 'hello\n' };
    assert.equal((await gateway.as('bob')('r/_MAIL_/new?mailto=alice', letter)).status, 201);
    assert.equal(await (await gateway.as(SPELLINGS[0]!, 'alice')('a/biff', text)).text(), '1');
    assert.equal(await (await gateway.as(SPELLINGS[1]!, 'alice')('a/biff', text)).text(), '0');
  });

  it('changes what is his own under each', async (t) => {
    const gateway = await startGateway(t, { demo: true });
    const put = { method: 'PUT', headers: { 'content-type': 'text/plain' }, body: 'I like gardens.\n' };
    assert.equal((await gateway.as('alice')('u/al.ice/bio', put)).status, 204);
    assert.equal((await gateway.as('alice')('u/bob/bio', put)).status, 403);
  });
});

describe('rooms whose names differ in letters that are not ASCII', () => {
  it('are told apart by those who follow them', async (t) => {
    const gateway = await startGateway(t, { demo: true });
    const admin = gateway.as('admin', 'secret');
    const names = ['Größe', 'GRÖßE', 'École', 'éCOLE'];
    const headers = { 'content-type': 'application/json' };
    for (const name of names) {
      // public ones that look alike are refused
      const made = await admin('r/', { method: 'POST', headers, body: JSON.stringify({ name, kind: 'invitation' }) });
      assert.equal(made.status, 201, name);
    }
    for (const [one, other] of [names.slice(0, 2), names.slice(2)] as [string, string][]) {
      const streams = [];
      for (const name of [one, other]) {
        streams.push(await openEvents(admin, `a/events?room=${encodeURIComponent(name)}`));
      }
      for (const [i, name] of [one, other].entries()) {
        const put = await admin(`r/${encodeURIComponent(name)}/new`, { method: 'PUT', body: 'text' });
        const told: ServerEvent = await streams[i]!.next('message');
        assert.deepEqual(told.data, { room: name, msgs: [postedNumber(put)] });
      }
      for (const stream of streams) stream.close();
    }
  });
});
