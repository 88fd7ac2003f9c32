// The head of a message: read once, looked at again each time, and found under a name that may move on.

import assert from 'node:assert/strict';
import { describe, it, type TestContext } from 'node:test';
import { AppError } from '../../../src/errors.ts';
import { openNamed, withNamed, withNumber } from '../../../src/gateway/message/open-message.ts';
import { LOOKS_AT_A_NAME } from '../../../src/limits/dav.ts';
import { VIEW } from '../../../src/model.ts';
import { askedServer, entered, failsWith, listing } from '../../support/asked-server.ts';
import type { Answers } from '../../support/fault-server.ts';
import { contextsAt } from '../../support/room-context.ts';

async function start(t: TestContext, answers: Answers) {
  const { server, sent } = await askedServer(t, { EUID: '575 not found\n', ...answers });
  return { sent, context: contextsAt(t, server.path)('ann', 'Box') };
}

const FIELDS = listing('from=bob', 'subj=s', 'time=100');
const named = (name: string) => listing('Subject: s', `X-Vestibule-Name: ${name}`);
const found = (...numbers: number[]) => `800 send\n${numbers.map((number) => `${number}\n`).join('')}000\n`;
const gone = () => new AppError('not_found', 'gone');

describe('the head of a message', () => {
  it('is read once; then it is only asked whether it is there, and is the same', async (t) => {
    const { context, sent } = await start(t, { 'MSG0 5|1': FIELDS, 'MSG0 5|3': FIELDS, MSG2: named('a.txt') });
    const headOf = async (isSeenAsked = false) => (await openNamed(context, '|5', isSeenAsked)).head;
    const first = await headOf();
    assert.equal(first.headers[1]?.value, 'a.txt');
    const again = await headOf();
    assert.equal(again.headers, first.headers);
    assert.deepEqual([sent(/^MSG0 5/), sent(/^MSG2/).length], [['MSG0 5|1', 'MSG0 5|3'], 1]);
  });

  it('is read anew where the number means another message, or its author is hidden from this reader', async (t) => {
    const other = listing('from=****', 'subj=s', 'time=100');
    const { context } = await start(t, {
      'MSG0 5|1': [FIELDS, other],
      'MSG0 5|3': other,
      MSG2: [named('a.txt'), named('b.txt')],
    });
    const headOf = async (isSeenAsked = false) => (await openNamed(context, '|5', isSeenAsked)).head;
    await headOf();
    const { fields, headers } = await headOf();
    assert.deepEqual([fields.get('from'), headers[1]?.value], ['****', 'b.txt']);
  });

  it('is gone with the message, though it was read before', async (t) => {
    const { context } = await start(t, { 'MSG0 5|1': FIELDS, 'MSG0 5|3': '550 not here\n', MSG2: named('a') });
    const headOf = async (isSeenAsked = false) => (await openNamed(context, '|5', isSeenAsked)).head;
    await headOf();
    await assert.rejects(headOf(), failsWith('not_found'));
  });

  it('has its read mark where that is asked for', async (t) => {
    const { context, sent } = await start(t, { MSG0: FIELDS, MSG2: named('a'), GTSN: ['200 1:5\n', '200 1:4\n'] });
    const headOf = async (isSeenAsked = false) => (await openNamed(context, '|5', isSeenAsked)).head;
    assert.equal((await headOf(true)).seen, true);
    assert.equal((await headOf(true)).seen, false);
    assert.equal((await headOf()).seen, undefined);
    assert.equal(sent(/^GTSN/).length, 2);
  });
});

describe('a name', () => {
  const answers = {
    GOTO: entered('Box', { view: VIEW.files }),
    'MSG0 5|1': FIELDS,
    'MSG0 5|3': FIELDS,
    'MSG0 8|1': listing('from=bob', 'subj=s', 'time=200'),
    'MSG0 8|3': listing('from=bob', 'subj=s', 'time=200'),
    'MSG2 5|1': named('a.txt'),
    'MSG2 8|1': named('a.txt'),
  };

  it('is looked for once, and then where it was found', async (t) => {
    const { context, sent } = await start(t, { ...answers, MSGS: found(5) });
    assert.equal((await openNamed(context, 'a.txt')).msgnum, 5);
    assert.equal((await openNamed(context, 'a.txt')).msgnum, 5);
    assert.equal(sent(/^MSGS/).length, 1);
  });

  it('is looked for again where that message has gone', async (t) => {
    const { context } = await start(t, { ...answers, 'MSG0 5|3': '550 gone\n', MSGS: [found(5), found(8)] });
    assert.equal((await openNamed(context, 'a.txt')).msgnum, 5);
    assert.equal((await openNamed(context, 'a.txt')).msgnum, 8);
  });

  it('means the next message where one is replaced while it is used', async (t) => {
    const { context } = await start(t, { ...answers, MSGS: [found(5), found(8)], 'MSG0 5|3': '550 gone\n' });
    const used: number[] = [];
    const use = async ({ msgnum }: { msgnum: number }) => {
      used.push(msgnum);
      if (msgnum === 5) throw gone();
      return msgnum;
    };
    assert.equal(await withNamed(context, 'a.txt', use), 8);
    assert.deepEqual(used, [5, 8]);
  });

  it('is given up where the same message is there and its user finds it gone', async (t) => {
    const { context } = await start(t, { ...answers, MSGS: found(5) });
    let uses = 0;
    const use = async () => {
      uses++;
      throw gone();
    };
    await assert.rejects(withNumber(context, 'a.txt', use), failsWith('not_found'));
    assert.equal(uses, 1);
    await assert.rejects(withNumber(context, '5', use), failsWith('not_found'));
    assert.equal(uses, 2, 'a number never means another message');
  });

  it('is not looked for without end', async (t) => {
    const numbers = Array.from({ length: 100 }, (_, i) => found(1000 + i));
    const { context, sent } = await start(t, { ...answers, MSGS: numbers, MSG2: named('a.txt') });
    const use = () => Promise.reject(gone());
    await assert.rejects(withNumber(context, 'a.txt', use), failsWith('not_found'));
    assert.ok(sent(/^MSGS/).length <= 2 * LOOKS_AT_A_NAME, String(sent(/^MSGS/).length));
  });
});
