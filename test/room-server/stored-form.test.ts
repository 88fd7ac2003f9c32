// In which form the content of a message lies at the room server, and how it is given.

import assert from 'node:assert/strict';
import { it } from 'node:test';
import { accessTo } from '../../src/gateway/room-context.ts';
import type { PartRow } from '../../src/model.ts';
import { contentForm, withContent } from '../../src/room-server/message-content.ts';
import type { MessageHead } from '../../src/room-server/messages.ts';
import { askedServer, failsWith } from '../support/asked-server.ts';
import { contextsAt } from '../support/room-context.ts';

type Formed = Pick<MessageHead, 'headers' | 'fields' | 'parts'>;

function head(type: string, headers: [string, string][], hasPartOne: boolean): Formed {
  return {
    fields: new Map([['type', type]]),
    headers: headers.map(([name, value]) => ({ name, value })),
    parts: hasPartOne ? [{ partnum: '1' } as PartRow] : [],
  };
}

const TEXT = head('4', [['Content-Type', 'text/plain']], true);
const MULTIPART = head(
  '4',
  [
    ['Content-Type', 'multipart/mixed; boundary=b'],
    ['X-Vestibule-Lines', 'lf 5'],
  ],
  false,
);

async function text(bytes: AsyncIterable<Buffer>): Promise<string> {
  return String(Buffer.concat(await Array.fromAsync(bytes)));
}

it('a part is fetched as it is; a multipart and the formats of the room server are lines', () => {
  assert.equal(contentForm(TEXT).lines, undefined);
  assert.deepEqual(contentForm(MULTIPART).lines, { ending: 'lf', length: 5 });
  for (const type of ['0', '1']) assert.ok(contentForm(head(type, [], false)).lines, type);
});

it('it is streamed by the verb for its form', async (t) => {
  const { server, sent } = await askedServer(t, {
    DLAT: '600 4|-1||text/plain|\nabcd',
    MSG2: '100 msg\nSubject: s\r\n\r\na\r\nbc\r\n000\n',
  });
  const at = accessTo(contextsAt(t, server.path)('ann', 'Box'));
  assert.equal(await withContent(at, 5, contentForm(TEXT), text), 'abcd');
  assert.equal(await withContent(at, 5, contentForm(MULTIPART), text), 'a\nbc\n');
  assert.deepEqual(sent(/^(DLAT|MSG2)/), ['DLAT 5|1', 'MSG2 5']);
});

it('it is not found with its message', async (t) => {
  const { server } = await askedServer(t, { DLAT: '550 gone\n', MSG2: '550 gone\n' });
  const at = accessTo(contextsAt(t, server.path)('ann', 'Box'));
  for (const each of [TEXT, MULTIPART]) {
    await assert.rejects(withContent(at, 5, contentForm(each), text), failsWith('not_found'));
  }
});
