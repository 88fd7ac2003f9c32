// What a report is answered from.

import assert from 'node:assert/strict';
import { it } from 'node:test';
import { hrefOf, type RoomReportRequest } from '../../../src/dav/report/answer.ts';

const question = (collection: string, member?: string, href = '/svc/r/_MAIL_/as%20asked') =>
  ({
    room: { href: '/svc/r/_MAIL_/', collection },
    member: member === undefined ? undefined : { name: member },
    href,
  }) as unknown as RoomReportRequest;

it('A member has its address below the room as the client has named it', () => {
  assert.equal(hrefOf(question('messages'), { name: 'a b' }), '/svc/r/_MAIL_/a%20b');
  assert.equal(hrefOf(question('calendar'), { name: 'a/b.ics' }), '/svc/r/_MAIL_/a%2Fb.ics');
  assert.equal(hrefOf(question('files'), { name: 'docs/a b/' }), '/svc/r/_MAIL_/docs/a%20b/');
});

it('The member that was asked has the address that it was asked under, and no other has', () => {
  assert.equal(hrefOf(question('messages', 'uid-1'), { name: 'uid-1' }), '/svc/r/_MAIL_/as%20asked');
  assert.equal(hrefOf(question('messages', 'uid-1'), { name: 'uid-2' }), '/svc/r/_MAIL_/uid-2');
});
