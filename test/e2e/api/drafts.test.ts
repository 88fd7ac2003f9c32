// PUT with draft=N: what is posted takes the place of a draft.

import assert from 'node:assert/strict';
import { after, it } from 'node:test';
import { type Api, postedNumber, startBoth } from '../../support/gateway.ts';

const gateways = await startBoth({ after }, { demo: true });

const numbersIn = async (api: Api, room: string) =>
  ((await (await api(`r/${room}/mailbox`)).json()) as { msgs: { msgnum: number }[] }).msgs.map(({ msgnum }) => msgnum);

for (const [name, gateway] of gateways) {
  const alice = gateway.as('alice');
  const put = (path: string, body = 'text') => alice(path, { method: 'PUT', body });

  it(`a newer draft and the mail that was sent take the place of a draft on ${name}`, async () => {
    const before = await numbersIn(alice, '_DRAFTS_');
    const first = postedNumber(await put('r/_DRAFTS_/new?subj=one&mailto=bob'));
    const second = postedNumber(await put(`r/_DRAFTS_/new?subj=two&mailto=bob&draft=${first}`));
    assert.deepEqual(await numbersIn(alice, '_DRAFTS_'), [...before, second]);
    assert.equal((await put(`r/_MAIL_/new?subj=two&mailto=nobody-here&draft=${second}`)).status, 400);
    assert.equal((await put('r/_MAIL_/new?subj=two&mailto=bob&draft=x')).status, 400);
    assert.deepEqual(await numbersIn(alice, '_DRAFTS_'), [...before, second], 'nothing was sent');
    assert.equal((await put(`r/_MAIL_/new?subj=two&mailto=bob&draft=${second}`)).status, 201);
    assert.deepEqual(await numbersIn(alice, '_DRAFTS_'), before);
    assert.equal((await put(`r/_MAIL_/new?subj=two&mailto=bob&draft=${second}`)).status, 201, 'it has gone already');
  });

  it(`takes nothing on ${name} that is no draft of the caller's own`, async () => {
    const post = postedNumber(await put('r/Lobby/new?subj=post'));
    assert.equal((await put(`r/_DRAFTS_/new?subj=x&draft=${post}`)).status, 201);
    assert.ok((await numbersIn(alice, 'Lobby')).includes(post));
    const draft = postedNumber(await put('r/_DRAFTS_/new?subj=mine'));
    const bob = gateway.as('bob');
    assert.equal((await bob(`r/_DRAFTS_/new?subj=x&draft=${draft}`, { method: 'PUT', body: 'text' })).status, 201);
    assert.ok((await numbersIn(alice, '_DRAFTS_')).includes(draft));
  });
}
