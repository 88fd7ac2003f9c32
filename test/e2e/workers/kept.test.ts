// What the processes of --workers keep of the answers of their room server: a change that one of them has acknowledged
// shows at all of them, at once.

import assert from 'node:assert/strict';
import { it } from 'node:test';
import { ADMIN_PASSWORD, basic } from '../../support/gateway.ts';
import { answersOnMany, apart, startWorkers } from '../../support/several-processes.ts';

const ROUNDS = 12;

it('nobody is answered with what was before a change that he has been told of', async (t) => {
  const gateway = await startWorkers(t, 3);
  const admin = apart(gateway, basic('admin', ADMIN_PASSWORD));
  const headers = { 'content-type': 'text/plain; charset=utf-8' };
  const numbers: number[] = [];
  const listed = async (answer: Response) => JSON.stringify(await answer.json());
  const inMailbox = async (answer: Response) => {
    const { msgs } = (await answer.json()) as { msgs: { msgnum: number; seen: boolean }[] };
    return msgs.map(({ msgnum, seen }) => `${msgnum} ${seen}`).join();
  };
  assert.equal((await admin('r/', { method: 'POST', body: '{"name":"Kept"}', headers: JSON_BODY })).status, 201);
  for (let i = 0; i < ROUNDS; i++) {
    const put = await admin('r/Kept/new?subj=one', { method: 'PUT', headers, body: `text ${i}` });
    assert.equal(put.status, 201);
    numbers.push(Number(put.headers.get('etag')!.slice(1, -1)));
    assert.deepEqual(await answersOnMany(admin, 'r/Kept/msgs.all', listed), [JSON.stringify(numbers)]);
    const unread = numbers.map((number) => `${number} ${number < numbers.at(-1)!}`).join();
    assert.deepEqual(await answersOnMany(admin, 'r/Kept/mailbox', inMailbox), [unread]);
    const seen = await admin(`r/Kept/${numbers.at(-1)}`, {
      method: 'PATCH',
      headers: JSON_BODY,
      body: '{"seen":true}',
    });
    assert.equal(seen.status, 204);
    assert.deepEqual(await answersOnMany(admin, 'r/Kept/mailbox', inMailbox), [unread.replace('false', 'true')]);
  }
  assert.equal((await admin(`r/Kept/${numbers[0]}`, { method: 'DELETE' })).status, 204);
  assert.deepEqual(await answersOnMany(admin, `r/Kept/${numbers[0]}`, async ({ status }) => status), [404]);
});

const JSON_BODY = { 'content-type': 'application/json' };
