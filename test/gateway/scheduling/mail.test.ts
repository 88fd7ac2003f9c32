// Scheduling messages as mail: to whom the room server sends it, and what becomes of the others.

import assert from 'node:assert/strict';
import { describe, it, type TestContext } from 'node:test';
import { mailMessages, mailStatuses } from '../../../src/gateway/scheduling/mail.ts';
import { MAX_PROBED_GUESTS } from '../../../src/limits/dav.ts';
import { parseObject } from '../../../src/mime/objects/components.ts';
import type { SchedulingMessage } from '../../../src/mime/scheduling/object.ts';
import { askedServer, entered, failsWith } from '../../support/asked-server.ts';
import type { Answers } from '../../support/fault-server.ts';
import { contextsAt } from '../../support/room-context.ts';

const [BOB, CAROL] = ['mailto:bob@x', 'mailto:carol@x'] as const;
const CALENDAR =
  'BEGIN:VCALENDAR\r\nMETHOD:REQUEST\r\nBEGIN:VEVENT\r\nUID:u\r\nDTSTART:20260105T100000Z\r\nSUMMARY:Plan\r\n' +
  'ORGANIZER:mailto:a@x\r\nEND:VEVENT\r\nEND:VCALENDAR\r\n';

function message(...recipients: string[]): SchedulingMessage {
  return { method: 'REQUEST', recipients, calendar: parseObject(CALENDAR).object! };
}

async function start(t: TestContext, answers: Answers) {
  const { server, sent, bodies } = await askedServer(t, { GOTO: entered('Mail', { isPersonal: true }), ...answers });
  return { context: contextsAt(t, server.path)('ann', 'Calendar'), sent, bodies };
}

const recipientsOf = (lines: string[]) => lines.map((line) => line.split('|')[1]);

describe('the status of a recipient', () => {
  it('is that it is sent, where the room server takes all of them in one question', async (t) => {
    const { context, sent } = await start(t, { ENT0: '200 ok\n' });
    assert.deepEqual(
      [...(await mailStatuses(context, [message(BOB, CAROL), message(BOB)]))],
      [
        [BOB, '1.1'],
        [CAROL, '1.1'],
      ],
    );
    assert.deepEqual(recipientsOf(sent(/^ENT0 0/)), ['bob@x, carol@x']);
  });

  it('is asked for one by one where it does not, up to a bound', async (t) => {
    const guests = Array.from({ length: MAX_PROBED_GUESTS + 1 }, (_, i) => `mailto:g${i}@x`);
    const { context, sent } = await start(t, { ENT0: ['570 no\n', '200 ok\n', '570 no\n', '200 ok\n'] });
    const statuses = [...(await mailStatuses(context, [message(...guests)])).values()];
    assert.deepEqual(statuses.slice(0, 3), ['1.1', '3.7', '1.1']);
    assert.equal(statuses.at(-1), '3.7');
    assert.equal(sent(/^ENT0 0/).length, 1 + MAX_PROBED_GUESTS);
  });

  it('says that there is no way to what is no mail address, and nothing is asked', async (t) => {
    const { context, sent } = await start(t, {});
    const odd = ['urn:uuid:1', 'mailto:', 'mailto:a|b@x', 'http://x/'];
    assert.deepEqual(
      [...(await mailStatuses(context, [message(...odd)])).values()],
      odd.map(() => '5.2'),
    );
    assert.deepEqual(sent(/^ENT0/), []);
    assert.equal((await mailStatuses(context, [])).size, 0);
  });

  it('is no answer where the room server fails otherwise', async (t) => {
    const { context } = await start(t, { ENT0: '551 too many\n' });
    await assert.rejects(mailStatuses(context, [message(BOB)]), failsWith('busy'));
  });
});

describe('a message', () => {
  const POSTED = '800 send\n12\nok\n\n000\n';

  it('goes to those that are taken, with a subject that says what it is', async (t) => {
    const { context, sent, bodies } = await start(t, { ENT0: ['570 no\n', '200 ok\n', '570 no\n', POSTED] });
    await mailMessages(context, [message(BOB, CAROL)]);
    assert.deepEqual(recipientsOf(sent(/^ENT0 1/)), ['bob@x']);
    assert.equal(sent(/^ENT0 1/)[0]!.split('|')[4], 'Invitation: Plan');
    assert.match(bodies[0]!, /text\/calendar; method=REQUEST/);
  });

  it('is not sent where nobody is taken, or none has an address', async (t) => {
    const { context, sent } = await start(t, { ENT0: '570 no\n' });
    await mailMessages(context, [message(BOB), message('urn:uuid:1')]);
    assert.deepEqual(sent(/^ENT0 1/), []);
    const none = await start(t, {});
    await mailMessages(none.context, []);
    assert.deepEqual(none.sent(), []);
  });
});
