// Members without content: folders, and who makes one first.

import assert from 'node:assert/strict';
import { after, it } from 'node:test';
import { FOLDER_TYPE, inTurn, postEmpty } from '../../../../src/gateway/message/posting.ts';
import { MessageLimit } from '../../../../src/gateway/message/size-limit.ts';
import { Spools } from '../../../../src/gateway/spools.ts';
import { MAX_BODY_BYTES } from '../../../../src/limits/http.ts';
import { failsWith } from '../../../support/asked-server.ts';
import { startGateway } from '../../../support/gateway.ts';
import { contextsAt } from '../../../support/room-context.ts';
import { startRoomServer } from '../../../support/room-server.ts';

const server = await startRoomServer({ after }, { users: { alice: 4 } });
const gateway = await startGateway({ after }, { backend: `unix:${server.socketPath}` });
const alice = gateway.as('alice', 'alicepw');
assert.equal((await alice('r/Files/', { method: 'MKCOL' })).status, 201);
const contextsOf = contextsAt({ after }, server.socketPath);

function context() {
  const made = contextsOf('alice', 'Files');
  const posted: string[] = [];
  const watches = { posted: (room: string) => void posted.push(room) } as Partial<typeof made.app.watches>;
  Object.assign(made.app, {
    messageLimit: new MessageLimit(),
    spools: new Spools(server.folder, MAX_BODY_BYTES),
    watches,
  });
  return { made, posted };
}

it('is an empty message with the type of a folder, and those who follow the room are told', async () => {
  const { made, posted } = context();
  const number = await postEmpty(made, 'docs/', FOLDER_TYPE);
  assert.deepEqual(posted, ['Files']);
  const listed = await alice('r/Files/', { method: 'PROPFIND', headers: { depth: '1' } });
  assert.match(await listed.text(), /<D:href>\/svc\/r\/Files\/docs\/<\/D:href>[\s\S]*?<D:collection\/>/);
  const { status, headers } = await alice(`r/Files/${number}`, { method: 'HEAD' });
  assert.ok(status < 400, String(status));
  assert.equal(headers.get('etag') ?? `"${number}"`, `"${number}"`);
});

it('of two that are made at the same time one is too late', async () => {
  const outcomes = await Promise.allSettled([1, 2].map(() => postEmpty(context().made, 'twice/', FOLDER_TYPE)));
  const failed = outcomes.filter((each) => each.status === 'rejected').map(({ reason }) => reason as unknown);
  assert.equal(failed.length, 1);
  assert.ok(failsWith('precondition_failed')(failed[0]));
  await assert.rejects(postEmpty(context().made, 'twice/', FOLDER_TYPE), failsWith('precondition_failed'));
});

it('changes of a name wait for each other, be it a file or a folder; those of others do not', async () => {
  const { made } = context();
  const order: string[] = [];
  const gate = Promise.withResolvers<void>();
  const first = inTurn(made, 'a', async () => {
    await gate.promise;
    order.push('file');
  });
  const second = inTurn(made, 'a/', async () => void order.push('folder'));
  await inTurn(made, 'b', async () => void order.push('other'));
  gate.resolve();
  await Promise.all([first, second]);
  assert.deepEqual(order, ['other', 'file', 'folder']);
  await assert.rejects(
    inTurn(made, 'a', () => Promise.reject(new Error('failed'))),
    /failed/,
  );
  assert.equal(await inTurn(made, 'a', async () => 7), 7, 'a failure is in nobody’s way');
});
