// Those who write the same thing at the same time, each with the condition that it is as they know it: one of them
// succeeds, all others are told, and what is there is what that one wrote (RFC 9110 section 13.1.1).

import assert from 'node:assert/strict';
import { describe, it, type TestContext } from 'node:test';
import { type Api, startGateway } from '../support/gateway.ts';
import { startRealServer } from '../support/real-server.ts';

const ROUNDS = 15;
const WRITERS = 4;

const calendar = (uid: string, text: string, more = '') =>
  `BEGIN:VCALENDAR\r\nVERSION:2.0\r\nPRODID:x\r\nBEGIN:VEVENT\r\nUID:${uid}\r\nDTSTAMP:20260101T000000Z\r\n` +
  `DTSTART:20260101T000000Z\r\n${more}SUMMARY:${text}\r\nEND:VEVENT\r\nEND:VCALENDAR\r\n`;
const card = (uid: string, text: string) =>
  `BEGIN:VCARD\r\nVERSION:3.0\r\nUID:${uid}\r\nFN:${text}\r\nN:${text};;;;\r\nEND:VCARD\r\n`;

interface Thing {
  path: string;
  type: string;
  text: (written: string) => string;
}

/** by UID as the client writes, and by a name of their own as DAV clients do */
const OBJECTS: Thing[] = [
  { path: 'r/Calendar/one', type: 'text/calendar', text: (written) => calendar('one', written) },
  { path: 'r/Calendar/two.ics', type: 'text/calendar', text: (written) => calendar('two', written) },
  { path: 'r/Contacts/three', type: 'text/vcard', text: (written) => card('three', written) },
  { path: 'r/Contacts/four.vcf', type: 'text/vcard', text: (written) => card('four', written) },
];
const PAGE: Thing = { path: 'r/Handbook/five', type: 'text/markdown', text: (written) => `${written}\n` };

async function race(writers: readonly Api[], { path, type, text }: Thing): Promise<void> {
  const put = (api: Api, written: string, condition: Record<string, string>) =>
    api(path, { method: 'PUT', headers: { 'content-type': type, ...condition }, body: text(written) });
  const all = (round: string, condition: Record<string, string>) =>
    Promise.all(writers.map(async (api, i) => (await put(api, `${round}-${i}`, condition)).status));
  for (let round = 0; round < ROUNDS; round++) {
    const found = await writers[0]!(path);
    const etag = found.status === 200 ? found.headers.get('etag')! : undefined;
    const statuses = await all(`${round}`, etag === undefined ? { 'if-none-match': '*' } : { 'if-match': etag });
    const won = statuses.flatMap((status, i) => (status < 300 ? [i] : []));
    assert.equal(won.length, 1, `${path}: ${statuses}`);
    const now = await (await writers[0]!(path)).text();
    assert.ok(now.includes(`${round}-${won[0]}`), `${path}: ${now}`);
    // new ones in every third round
    if (round % 3 === 2) assert.equal((await writers[0]!(path, { method: 'DELETE' })).status, 204);
  }
}

const times = (api: Api) => Array.from({ length: WRITERS }, () => api);

describe('of those who write the same at the same time one succeeds', () => {
  it('in front of the room server of its own', async (t: TestContext) => {
    const gateway = await startGateway(t, { demo: true });
    for (const thing of [...OBJECTS, PAGE]) await race(times(gateway.as('alice')), thing);
  });

  it('in front of an ordinary one', async (t: TestContext) => {
    const real = await startRealServer(t, { users: { anna: 4 } });
    const gateway = await startGateway(t, { backend: `unix:${real.path}` });
    for (const thing of OBJECTS) await race(times(gateway.as('anna', 'annapw')), thing);
  });
});
