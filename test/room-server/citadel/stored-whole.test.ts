// What was posted against what a room server says it has kept (quirk Q40: a real one cuts without a word).

import assert from 'node:assert/strict';
import { describe, it, type TestContext } from 'node:test';
import { AppError } from '../../../src/errors.ts';
import { measured } from '../../../src/gateway/message/posting.ts';
import { MessageLimit } from '../../../src/gateway/message/size-limit.ts';
import type { EnteredRoom } from '../../../src/model.ts';
import { requireWhole } from '../../../src/room-server/citadel/stored-whole.ts';
import { Connection } from '../../../src/room-server/connection/connection.ts';
import { faultServer } from '../../support/fault-server.ts';

async function check(t: TestContext, parts: string[], attachmentCount: number, deletion: string) {
  const listing = `100 msg:\nfrom=ann\n${parts.map((part) => `part=${part}\n`).join('')}000\n`;
  const server = await faultServer(
    { MSGS: '100 \n000\n', MSG0: listing, MSG2: '100 msg:\nFrom: ann\r\n000\n', DELE: deletion },
    [],
  );
  const connection = await Connection.open({ path: server.path });
  t.after(async () => {
    connection.close();
    await server.close();
  });
  const limit = new MessageLimit();
  const sent = { header: 50, total: 1050, attachments: attachmentCount, isAsPut: false, isMail: false };
  return {
    server,
    limit,
    checked: requireWhole(connection, { highest: 8 } as EnteredRoom, 9, sent, (bytes) => limit.learn(bytes)),
  };
}

const isTooLarge = (words: RegExp) => (error: unknown) =>
  error instanceof AppError && error.code === 'too_large' && words.test(error.message);

describe('a large post', () => {
  it('is fine when the room server has all of it', async (t) => {
    const { checked, server } = await check(t, ['||1||text/plain|1000||'], 0, '200 deleted\n');
    await checked;
    assert.equal(server.received.flat().includes('DELE 9'), false);
  });

  it('is refused and taken out again when a byte is missing', async (t) => {
    const { checked, server } = await check(t, ['||1||text/plain|999||'], 0, '200 deleted\n');
    await assert.rejects(checked, isTooLarge(/Nothing of it was stored/));
    assert.equal(server.received.flat().at(-1), 'DELE 9');
  });

  it('says so when what was kept cannot be taken out', async (t) => {
    const { checked } = await check(t, [], 0, '550 Higher access required.\n');
    await assert.rejects(checked, isTooLarge(/may not delete/));
  });

  it('is refused when an attachment is missing', async (t) => {
    const parts = ['||1||text/plain|10||', 'a|a|2|attachment|image/png|20||', 'b|b|3|attachment|image/png|20||'];
    await (await check(t, parts, 2, '200 deleted\n')).checked;
    await assert.rejects((await check(t, parts.slice(0, 2), 2, '200 deleted\n')).checked, isTooLarge(/Nothing/));
  });

  it('is measured while it is sent', async () => {
    async function* message() {
      for (const piece of ['Header: x\n\n', 'text\n', 'more\n']) yield Buffer.from(piece);
    }
    const sent = { header: 0, total: 0 };
    for await (const _ of measured(message(), sent));
    assert.deepEqual(sent, { header: 11, total: 21 });
  });
});
