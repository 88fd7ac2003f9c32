// What of a message is its text, and what a file.

import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import {
  fileNameOf,
  filesAmong,
  isAttachment,
  isBodyText,
  isMarkedAsFile,
  isMessageType,
  isSetApart,
  type PartFacts,
} from '../../src/mime/message-facts.ts';

const part = (number: string, type: string, more: Partial<PartFacts> = {}): PartFacts => ({
  number,
  type,
  disposition: '',
  name: '',
  ...more,
});
const filesIn = (parts: PartFacts[], ...shown: string[]) =>
  filesAmong(parts, ({ number }) => shown.includes(number)).map(({ number }) => number);

describe('the files of a message', () => {
  it('are all parts but its text, whatever their disposition', () => {
    const parts = [
      part('1', 'text/plain'),
      part('2', 'application/pdf', { disposition: 'inline', name: 'a.pdf' }),
      part('3', 'text/calendar'),
      part('4', 'application/octet-stream'),
      part('5', 'text/plain', { disposition: 'inline', name: 'notes.txt' }),
      part('6', 'text/html', { disposition: 'ATTACHMENT' }),
      part('7', 'Text/HTML'),
      part('8', ''),
      part('9', 'text/csv'),
    ];
    assert.deepEqual(filesIn(parts), ['2', '3', '4', '5', '6', '9']);
  });

  it('are not the pictures that its text shows, unless they are attachments', () => {
    const picture = { disposition: 'inline', name: 'a.png' };
    const parts = [part('1', 'image/png', picture), part('2', 'image/png', { ...picture, disposition: 'attachment' })];
    assert.deepEqual(filesIn(parts), ['1', '2']);
    assert.deepEqual(filesIn(parts, '1', '2'), ['2']);
  });

  it('hold messages, each with what is in it', () => {
    const parts = [
      part('1', 'text/plain'),
      part('2', 'message/rfc822'),
      part('2.1', 'text/plain'),
      part('2.2', 'application/pdf', { name: 'in.pdf' }),
      part('20', 'application/pdf'),
      part('3', 'MESSAGE/global'),
      part('3.1.1', 'application/pdf'),
    ];
    assert.deepEqual(filesIn(parts, '2'), ['2', '20', '3']);
  });

  it('are none where the message cannot be taken apart', () => {
    assert.deepEqual(filesIn([part('', 'multipart/mixed')]), []);
  });

  it('have a name for people', () => {
    assert.equal(fileNameOf(part('2', 'image/png', { name: 'a.png' })), 'a.png');
    assert.equal(fileNameOf(part('2', 'Text/Calendar')), 'invitation.ics');
    assert.equal(fileNameOf(part('1.2', 'image/jpeg')), 'part-1.2.jpg');
    assert.equal(fileNameOf(part('1.2', 'application/x-other')), 'part-1.2');
  });
});

describe('a part', () => {
  it('is marked as a file by a name, or as an attachment; inline only says where it is shown', () => {
    for (const [disposition, name, isMarked, isApart] of [
      ['', '', false, false],
      ['', 'a', true, true],
      ['x-other', 'a', true, true],
      ['inline', 'a', true, false],
      ['Inline', '', false, false],
      ['Attachment', '', true, true],
    ] as const) {
      assert.equal(isMarkedAsFile({ disposition, name }), isMarked, disposition + name);
      assert.equal(isSetApart({ disposition, name }), isApart, disposition + name);
      assert.equal(isAttachment({ disposition }), disposition === 'Attachment');
    }
  });

  it('is a message as message/rfc822, be it with UTF-8 in its head, and as no other kind of message', () => {
    assert.ok(isMessageType('message/rfc822') && isMessageType('message/global'));
    for (const type of ['message/delivery-status', 'message/partial', 'text/plain', 'message']) {
      assert.ok(!isMessageType(type), type);
    }
  });

  it('is what a message is written as', () => {
    for (const type of ['', 'text/plain', 'text/html', 'text/x-citadel-variformat']) assert.ok(isBodyText(type), type);
    for (const type of ['text/calendar', 'text/csv', 'image/png']) assert.ok(!isBodyText(type), type);
  });
});
