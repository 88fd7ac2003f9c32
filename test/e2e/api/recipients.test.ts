// GET a/recipient: what the room server says of a recipient before anything is sent.

import assert from 'node:assert/strict';
import { after, it } from 'node:test';
import { startBoth } from '../../support/gateway.ts';

const gateways = await startBoth({ after }, { demo: true });

for (const [name, gateway] of gateways) {
  const alice = gateway.as('alice');
  const check = async (typed: string) =>
    (await (await alice(`a/recipient?q=${encodeURIComponent(typed)}`)).json()) as { is_known: boolean; detail: string };

  it(`tells on ${name} whom mail reaches`, async () => {
    for (const typed of ['bob', 'Bob', '"Bob, the first" <bob>'])
      assert.equal((await check(typed)).is_known, true, typed);
    for (const typed of ['harold', '"bob', 'bob, "Bob']) {
      const { is_known, detail } = await check(typed);
      assert.equal(is_known, false, typed);
      assert.notEqual(detail, '');
    }
    assert.equal((await alice('a/recipient?q=')).status, 400);
    assert.equal((await fetch(`${gateway.url}svc/a/recipient?q=bob`)).status, 401);
  });

  it(`mails nothing on ${name} to recipients that cannot be told apart, and keeps them in a draft`, async () => {
    const query = `subj=broken&mailto=${encodeURIComponent('bob, "Bob')}`;
    assert.equal((await alice(`r/_MAIL_/new?${query}`, { method: 'PUT', body: 'text' })).status, 400);
    assert.equal((await alice(`r/_DRAFTS_/new?${query}`, { method: 'PUT', body: 'text' })).status, 201);
  });
}
