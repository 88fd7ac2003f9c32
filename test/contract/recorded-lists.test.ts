// The gateway in front of recordings of a real server: lists of messages, and what is new in them; instant messages.

import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import type { Api } from '../support/gateway.ts';
import { recordedGateway } from '../support/recorded-gateway.ts';

describe('40-seen', () => {
  it('msgs.new lists what is not read, without the old message that comes first', async (t) => {
    const { as, json, peer } = await recordedGateway(t, 'transcripts/40-seen.txt');
    const cal = as('cal');
    const at = async (command: string, occurrence: number) => {
      peer.at(command, occurrence);
      return json(cal('r/Box/msgs.new'));
    };
    assert.deepEqual(await at('MSGS NEW', 1), [7, 8, 9, 10, 11, 12]);
    assert.deepEqual(await at('MSGS NEW', 2), [9, 10, 11, 12]);
    assert.ok(peer.received.includes('MSGS ALL'));
    assert.deepEqual(await at('MSGS NEW', 4), [9, 11, 12]);
    peer.at('MSGS OLD', 3);
    assert.deepEqual(await json(cal('r/Box/msgs.old')), [7, 8, 10]);
  });

  it('slrp sets the pointer, and only to a number or HIGHEST', async (t) => {
    const { as, json, peer } = await recordedGateway(t, 'transcripts/40-seen.txt');
    const cal = as('cal');
    peer.before('SLRP 8');
    for (const query of ['', '?last=', '?last=0', '?last=-1', '?last=abc', '?last=8x']) {
      assert.equal((await cal(`r/Box/slrp${query}`)).status, 400, query);
    }
    assert.equal(
      peer.received.some((line) => line.startsWith('SLRP')),
      false,
    );
    assert.equal((await cal('r/Box/slrp?last=8')).status, 204);
    peer.at('MSGS NEW', 2);
    assert.deepEqual(await json(cal('r/Box/msgs.new')), [9, 10, 11, 12]);
    peer.before('SLRP HIGHEST');
    assert.equal((await cal('r/Box/slrp?last=HIGHEST')).status, 204);
    peer.at('MSGS NEW', 7);
    assert.deepEqual(await json(cal('r/Box/msgs.new')), []);
  });
});

describe('61-instant-messages', () => {
  const text = 'line one\nlast\n';
  const post = (api: Api, to: string) =>
    api('a/im', {
      method: 'POST',
      headers: { 'content-type': 'application/json' },
      body: JSON.stringify({ to, text }),
    });

  it('go to who is there, and are refused with 409 for who is not', async (t) => {
    const { as, peer } = await recordedGateway(t, 'transcripts/61-instant-messages.txt');
    assert.equal((await post(as('ann'), 'cal')).status, 204);
    assert.deepEqual(peer.sent.at(-1), { command: 'SEXP cal|-', body: Buffer.from(text) });
    const refused = await post(as('ann'), 'boss');
    assert.equal(refused.status, 409);
    const { code, detail } = (await refused.json()) as Record<string, unknown>;
    assert.deepEqual([code, detail], [553, 'This user is offline or accepts no instant messages.']);
  });
});

describe('41-msgs', () => {
  it('lists and the mailbox', async (t) => {
    const { as, json } = await recordedGateway(t, 'transcripts/41-msgs.txt');
    const list = (selector: string) => json(as('ann')(`r/Box/msgs.${selector}`));
    assert.deepEqual(await list('all'), [5, 6, 7, 8, 9]);
    assert.deepEqual(await list('new'), [5, 6, 7, 8, 9]);
    assert.deepEqual(await list('old'), []);
    assert.deepEqual(await list('last|2'), [8, 9]);
    assert.deepEqual(await list('first|2'), [5, 6]);
    assert.deepEqual(await list('gt|6'), [7, 8, 9]);
    assert.deepEqual(await list('lt%7C6'), [5]);
    const { msgs } = await json<{ msgs: Record<string, unknown>[] }>(as('ann')('r/Box/mailbox'));
    assert.equal(msgs.length, 5);
    assert.deepEqual(msgs[3], {
      msgnum: 8,
      time: 1795221518,
      author: 'ann',
      addr: 'ann@vm',
      subject: 'Re: Apples',
      msgidhash: -1380236847,
      references: [-1889379161, 1311078934],
      seen: false,
    });
  });

  it('an empty room and messages that are not there', async (t) => {
    const { as, json } = await recordedGateway(t, 'transcripts/41-msgs.txt');
    const ann = as('ann');
    assert.deepEqual(await json(ann('r/Empty/msgs.all')), []);
    assert.deepEqual((await json<{ msgs: [] }>(ann('r/Empty/mailbox'))).msgs, []);
    for (const path of ['999999', '999999/json', '999999/1', '999999?format=rfc822']) {
      const answer = await ann(`r/Box/${path}`);
      assert.deepEqual([answer.status, ((await answer.json()) as { code: number }).code], [404, 550], path);
    }
    for (const selector of ['bogus', 'last', 'eq|6']) {
      assert.equal((await ann(`r/Box/msgs.${selector}`)).status, 400, selector);
    }
  });
});
