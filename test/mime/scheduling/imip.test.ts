// Scheduling messages as mail (RFC 6047).

import assert from 'node:assert/strict';
import { test } from 'node:test';
import { decodeHeaderText } from '../../../src/mime/headers.ts';
import { schedulingMail } from '../../../src/mime/scheduling/imip.ts';
import { messageCalendar, type SchedulingMessage } from '../../../src/mime/scheduling/object.ts';
import { MimeWalker } from '../../../src/mime/walk.ts';
import { calendarOf, ONCE, PEOPLE, read, scheduling } from './objects.ts';

function mailOf(method: SchedulingMessage['method'], lines: readonly string[]) {
  const { calendar, parts } = scheduling(calendarOf(lines));
  return schedulingMail({ method, recipients: [], calendar: messageCalendar(calendar, method, parts.values()) });
}

const called = (summary: string) => [...ONCE.filter((line) => !line.startsWith('SUMMARY')), `SUMMARY:${summary}`];
const subjectOf = (summary: string) => mailOf('REQUEST', called(summary)).subject;

test('A mail is text for people beside the object, whose type says its method', () => {
  const { body } = mailOf('CANCEL', [...called('Grüße'), ...PEOPLE]);
  const walker = new MimeWalker();
  walker.push(body);
  const root = walker.end();
  assert.equal(root.type, 'multipart/alternative');
  const [text, object] = root.children.map(({ type, params, start, end }) => ({
    type,
    method: params.method,
    content: Buffer.from(body.toString('latin1', start, end), 'base64').toString(),
  }));
  assert.deepEqual([text!.type, object!.type, object!.method], ['text/plain', 'text/calendar', 'CANCEL']);
  assert.match(text!.content, /^Cancelled\n\nCancelled: Grüße\n/);
  assert.equal(read(object!.content).lines.find(({ name }) => name === 'METHOD')?.value, 'CANCEL');
  assert.ok(
    body
      .toString('latin1')
      .split('\n')
      .every((line) => line.length <= 78 && /^[ -~]*$/.test(line)),
  );
});

test('The subject says what it is about, and of a reply how it was answered', () => {
  const reply = (partstat: string) => mailOf('REPLY', [...ONCE, `ATTENDEE;PARTSTAT=${partstat}:mailto:ben@vm`]).subject;
  assert.equal(subjectOf('Plan'), 'Invitation: Plan');
  assert.equal(mailOf('CANCEL', ONCE).subject, 'Cancelled: Plan');
  assert.deepEqual(['accepted', 'DECLINED', 'TENTATIVE', 'DELEGATED'].map(reply), [
    'Accepted: Plan',
    'Declined: Plan',
    'Tentatively accepted: Plan',
    'Reply: Plan',
  ]);
  assert.equal(mailOf('REQUEST', ['DTSTART:20260105']).subject, 'Invitation');
});

test('The subject is one line of ASCII without a bar, of 200 characters of the summary', () => {
  assert.equal(subjectOf('a\\nb  c'), 'Invitation: a b c');
  for (const summary of ['Grüße', 'a|b', '😀']) {
    const subject = subjectOf(summary);
    assert.match(subject, /^[ -{}~]*$/, summary);
    assert.equal(decodeHeaderText(subject), `Invitation: ${summary}`);
  }
  assert.equal(subjectOf('x'.repeat(200)).length, 'Invitation: '.length + 200);
  assert.equal(subjectOf('x'.repeat(201)).length, 'Invitation: '.length + 200);
  assert.equal(decodeHeaderText(subjectOf('😀'.repeat(201))), `Invitation: ${'😀'.repeat(200)}`);
});
