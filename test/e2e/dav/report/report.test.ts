// REPORT: which report a body asks for, and whether the resource has it.

import assert from 'node:assert/strict';
import { after, it } from 'node:test';
import { startDavWorld } from '../../../support/dav-world.ts';

const { alice, bob, nobody, newRoom, newCalendar } = await startDavWorld({ after });
const EXPAND = '<D:expand-property><D:property name="displayname"/></D:expand-property>';
const SYNC = '<D:sync-collection><D:sync-token/><D:prop/></D:sync-collection>';
const isUnsupported = async (path: string, body: string) => {
  const { status, text } = await alice('REPORT', path, { depth: '0' }, body);
  return status === 403 && text.includes('<D:supported-report/>');
};

it('A report is named by the root of its body', async () => {
  for (const path of ['/', 'r/', 'r/Lobby/', 'u/alice/']) {
    assert.equal((await alice('REPORT', path)).status, 400, path);
    assert.equal((await alice('REPORT', path, {}, 'text')).status, 400, path);
    assert.ok(await isUnsupported(path, '<D:version-tree/>'), path);
    assert.ok(await isUnsupported(path, '<C:expand-property/>'), 'the namespace is of the name');
    assert.equal((await alice('REPORT', path, { depth: '0' }, EXPAND)).status, 207, path);
  }
});

it('A resource has the reports of its kind, and no other', async () => {
  const [files, calendar] = [await newRoom('a.txt'), await newCalendar()];
  const query = '<C:calendar-query><C:filter><C:comp-filter name="VCALENDAR"/></C:filter></C:calendar-query>';
  assert.ok(await isUnsupported(`${files}/`, query));
  assert.ok(!(await isUnsupported(`${calendar}/`, query)));
  for (const path of ['/', 'u/', `${files}/a.txt`]) assert.ok(await isUnsupported(path, SYNC), path);
  for (const path of ['r/', `${files}/`]) assert.ok(!(await isUnsupported(path, SYNC)), path);
  assert.ok(await isUnsupported('r/', '<D:principal-match><D:self/></D:principal-match>'));
});

it('What is not there has none, nor has a guest', async () => {
  const room = await newRoom();
  assert.equal((await alice('REPORT', `${room}/none.txt`, {}, EXPAND)).status, 404);
  assert.equal((await alice('REPORT', 'r/Nowhere/', {}, SYNC)).status, 404);
  assert.equal((await alice('REPORT', 'u/nobody%20here/', {}, EXPAND)).status, 404);
  assert.equal((await bob('REPORT', `${room}/`, {}, SYNC)).status, 404);
  for (const path of ['/', 'r/', `${room}/`])
    assert.equal((await nobody('REPORT', path, {}, EXPAND)).status, 401, path);
});
