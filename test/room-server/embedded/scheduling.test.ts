// Scheduling at a room server of ours: what is sent before a change, and what its answers mean.

import assert from 'node:assert/strict';
import { it } from 'node:test';
import { scheduling } from '../../../src/room-server/embedded/scheduling.ts';
import { ANN, askedServer, BOX, failsWith, listing } from '../../support/asked-server.ts';

const CALENDAR = 'BEGIN:VCALENDAR\r\nMETHOD:REQUEST\r\nEND:VCALENDAR\r\n';

it('messages go out behind their recipients, and each of these has a status', async (t) => {
  const answer = '800 send\nmailto:a@x|1.2\nmailto:b@x|3.7\n000\n';
  const { connect, sent, bodies } = await askedServer(t, { SCHD: answer });
  const connection = await connect();
  const messages = [
    { recipients: ['mailto:a@x', 'mailto:b@x'], text: CALENDAR },
    { recipients: ['mailto:b@x'], text: CALENDAR },
  ];
  const statuses = await scheduling.prepare(connection, 'uid@x', true, 7, messages);
  assert.deepEqual(
    [...statuses],
    [
      ['mailto:a@x', '1.2'],
      ['mailto:b@x', '3.7'],
    ],
  );
  assert.deepEqual(sent(/^SCHD/), ['SCHD send|uid@x|1|7']);
  const text = CALENDAR.replaceAll('\r\n', '\n');
  assert.deepEqual(bodies, [`to|mailto:a@x\nto|mailto:b@x\n${text}to|mailto:b@x\n${text}`]);
});

it('what was prepared can be dropped; a server that takes none refuses', async (t) => {
  const { connect, sent } = await askedServer(t, { SCHD: ['200 dropped\n', '550 no\n'] });
  const connection = await connect();
  await scheduling.drop(connection);
  assert.deepEqual(sent(/^SCHD/), ['SCHD drop']);
  await assert.rejects(scheduling.prepare(connection, 'u', false, 0, []), failsWith('forbidden'));
});

it('tags come by number, in quotes', async (t) => {
  const { pool, sent } = await askedServer(t, { SCHD: listing('5|t1', '9|t2') });
  assert.deepEqual(
    [...(await scheduling.tags({ pool, identity: ANN, room: BOX }))],
    [
      [5, '"t1"'],
      [9, '"t2"'],
    ],
  );
  assert.equal(await scheduling.tagOf({ pool, identity: ANN, room: BOX }, 5), '"t1"');
  assert.deepEqual(await scheduling.invitations({ pool, identity: ANN, room: BOX }, 2), [5, 9]);
  assert.deepEqual(sent(/^SCHD/), ['SCHD tags|0|0', 'SCHD tags|5|1', 'SCHD tags|0|2']);
});

it('an object is found by its UID, or nowhere', async (t) => {
  const { pool } = await askedServer(t, { SCHD: [listing('Calendar|12'), listing()] });
  assert.deepEqual(await scheduling.find(pool, ANN, 'u'), { room: 'Calendar', msgnum: 12 });
  assert.equal(await scheduling.find(pool, ANN, 'u'), undefined);
});

it('the inbox is a room', async (t) => {
  const { pool } = await askedServer(t, { SCHD: '200 0000000002.Inbox \n' });
  assert.equal(await scheduling.inboxRoom(pool, ANN), '0000000002.Inbox');
});

it('busy times belong to whom they stand behind', async (t) => {
  const answer = '800 send\nA|mailto:a@x|2.0\nP|100|200|BUSY\nP|300|400|BUSY-TENTATIVE\nA|mailto:b@x|3.7\n000\n';
  const { pool, sent, bodies } = await askedServer(t, { SCHD: [answer, '512 too long\n'] });
  const range = { start: 100, end: 900 };
  assert.deepEqual(await scheduling.busyTimes(pool, ANN, range, ['mailto:a@x', 'mailto:b@x']), [
    {
      address: 'mailto:a@x',
      status: '2.0',
      periods: [
        { start: 100, end: 200, type: 'BUSY' },
        { start: 300, end: 400, type: 'BUSY-TENTATIVE' },
      ],
    },
    { address: 'mailto:b@x', status: '3.7', periods: [] },
  ]);
  assert.deepEqual([sent(/^SCHD/), bodies], [['SCHD busy|100|900'], ['mailto:a@x\nmailto:b@x\n']]);
  await assert.rejects(scheduling.busyTimes(pool, ANN, range, []), failsWith('bad_request', 512));
});
