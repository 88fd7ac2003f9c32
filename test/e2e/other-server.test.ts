// Another room server in the place of the one before, as after a backup was restored: the numbers that a gateway knows
// may mean other messages now.

import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { behindGateway, postedNumber, startGateway } from '../support/gateway.ts';

const USERS = [{ name: 'alice', password: 'alice' }];

describe('a number that means another message on the room server that is there now', () => {
  it('is that message, and the name of the earlier one is nobody’s', async (t) => {
    const first = await startGateway(t, { users: USERS, options: ['--line-listen', 'tcp://127.0.0.1:0'] });
    const gateway = await behindGateway(t, first);
    const alice = gateway.as('alice');
    const text = async (path: string) => (await alice(path)).text();
    const put = (body: string) => ({ method: 'PUT', headers: { 'content-type': 'text/plain; charset=utf-8' }, body });
    const msgnum = postedNumber(await alice('r/Drafts/earlier.txt', put('the earlier one\n')));
    assert.equal(await text('r/Drafts/earlier.txt'), 'the earlier one\n');
    assert.equal(
      await text(`r/Drafts/${msgnum}/json?text=plain`).then((json) => JSON.parse(json).text),
      'the earlier one\n',
    );
    await first.close();

    const other = await startGateway(t, { users: USERS, options: ['--line-listen', first.lineUrl!] });
    const html = { ...put('<b>the later one</b>'), headers: { 'content-type': 'text/html' } };
    assert.equal(postedNumber(await other.as('alice')('r/Drafts/later.html', html)), msgnum);
    const content = await alice(`r/Drafts/${msgnum}`);
    assert.equal(await content.text(), '<b>the later one</b>');
    assert.equal(content.headers.get('content-type'), 'text/html');
    const { text: shown, content_type: type } = JSON.parse(await text(`r/Drafts/${msgnum}/json`));
    assert.deepEqual([shown, type], ['<b>the later one</b>', 'text/html']);
    assert.equal((await alice('r/Drafts/earlier.txt')).status, 404);
    assert.equal(await text('r/Drafts/later.html'), '<b>the later one</b>');
  });
});
