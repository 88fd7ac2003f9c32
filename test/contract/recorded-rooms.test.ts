// The gateway in front of recordings of a real server: room lists and the ways into rooms.

import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import type { Api } from '../support/gateway.ts';
import { recordedGateway } from '../support/recorded-gateway.ts';

type Room = Record<string, unknown> & { name: string };

const FLAGS = [
  'is_mailbox',
  'is_private',
  'is_password_protected',
  'is_guessname',
  'is_read_only',
  'is_directory',
  'is_zapped',
  'is_room_aide',
];

/** The names of the booleans that are true. */
function flagsOf(rooms: Room[], name: string): string[] {
  const room = rooms.find((candidate) => candidate.name === name);
  assert.ok(room, name);
  return FLAGS.filter((flag) => room[flag] === true);
}

async function statusesOf(api: Api, paths: string[]): Promise<Record<string, number>> {
  const statuses: Record<string, number> = {};
  for (const path of paths) statuses[path] = (await api(path)).status;
  return statuses;
}

describe('25-room-kinds', () => {
  it('the room list tells kinds and views of rooms', async (t) => {
    const { as, json, peer } = await recordedGateway(t, 'transcripts/25-room-kinds.txt');
    const ann = await json<Room[]>(as('ann')('r/'));
    assert.deepEqual(flagsOf(ann, 'Mail'), ['is_mailbox', 'is_private']);
    assert.deepEqual(flagsOf(ann, 'Invite'), ['is_private']);
    assert.deepEqual(flagsOf(ann, 'Pass'), ['is_private', 'is_password_protected']);
    assert.deepEqual(flagsOf(ann, 'Guess'), ['is_private', 'is_guessname']);
    assert.deepEqual(flagsOf(ann, 'Pub'), []);
    assert.deepEqual(
      ann.find(({ name }) => name === 'Tasks'),
      {
        name: 'Tasks',
        floor: 0,
        rorder: 0,
        known: true,
        hasnewmsgs: false,
        current_view: 4,
        default_view: 4,
        mtime: 1795221451,
        is_mailbox: true,
        is_private: true,
        is_password_protected: false,
        is_guessname: false,
        is_read_only: false,
        is_directory: false,
        is_zapped: false,
        is_room_aide: false,
      },
    );
    const boss = await json<Room[]>(as('boss')('r/'));
    assert.deepEqual(flagsOf(boss, 'Invite'), ['is_private', 'is_room_aide']);
    assert.equal(boss.length, 18);
    peer.at('LRMS'); // before cal has entered any room
    assert.equal((await json<Room[]>(as('cal')('r/'))).length, 11);
  });

  it('opens a password room with X-Room-Password only, and then answers 200', async (t) => {
    const { as, peer } = await recordedGateway(t, 'transcripts/25-room-kinds.txt');
    const cal = as('cal');
    peer.at('GOTO Pass|sesame-is-long');
    const refused = await cal('r/Pass/');
    assert.equal(refused.status, 403);
    assert.equal(((await refused.json()) as { code: number }).code, 540);
    assert.equal((await cal('r/Pass/', { headers: { 'x-room-password': 'wrong' } })).status, 403);
    peer.at('GOTO Pass|SESAME-IS');
    assert.equal((await cal('r/Pass/', { headers: { 'x-room-password': 'SESAME-IS' } })).status, 200);
  });

  it('hides rooms that may not be entered behind 404', async (t) => {
    const { as, peer } = await recordedGateway(t, 'transcripts/25-room-kinds.txt');
    const paths = ['r/Invite/', 'r/Nowhere/', 'r/0000000002.Mail/', 'r/Aide/msgs.all', 'r/Own/stat', 'r/_FLOOR_/'];
    const statuses = await statusesOf(as('cal'), paths);
    assert.deepEqual(new Set(Object.values(statuses)), new Set([404]));
    assert.equal(peer.received.filter((line) => line === 'GOTO Invite||1').length, 1);
  });

  it('finds the own rooms under their virtual names and answers with the real ones', async (t) => {
    const { as, json } = await recordedGateway(t, 'transcripts/25-room-kinds.txt');
    const cal = as('cal');
    const name = async (path: string) => (await json<Room>(cal(path))).name;
    assert.equal(await name('r/_BASEROOM_/'), 'Lobby');
    assert.equal(await name('r/_DRAFTS_/'), 'Drafts');
    assert.equal(await name('r/pUB/'), 'Pub');
    const trash = await json<Room>(cal('r/_TRASH_/'));
    assert.deepEqual([trash.name, trash.is_trash_folder, trash.can_delete_messages], ['Trash', true, true]);
  });

  it('the rights of an administrator show in a room', async (t) => {
    const { as, json } = await recordedGateway(t, 'transcripts/25-room-kinds.txt');
    const aide = await json<Room>(as('boss')('r/Aide/'));
    assert.deepEqual(
      [aide.is_room_aide, aide.can_delete_messages, aide.new_messages, aide.total_messages, aide.highest_msgnum],
      [true, true, 12, 12, 16],
    );
    const stat = await json(as('boss')('r/Local%20System%20Configuration/stat'));
    assert.deepEqual(stat, { name: 'Local System Configuration', room_mtime: 1795221449 });
  });
});

describe('27-invite-kick-forget', () => {
  it('a forgotten room is listed and marked', async (t) => {
    const { as, json, peer } = await recordedGateway(t, 'transcripts/27-invite-kick-forget.txt');
    peer.at('LRMS', 2);
    const rooms = await json<Room[]>(as('cal')('r/'));
    const plaza = rooms.filter(({ name }) => name === 'Plaza');
    assert.deepEqual(
      plaza.map((room) => [room.is_zapped, room.known]),
      [[true, false]],
    );
    assert.deepEqual(flagsOf(rooms, 'Lobby'), []);
    assert.equal((await json<Room>(as('cal')('r/Plaza/'))).is_zapped, true);
    assert.equal((await json<Room>(as('cal')('r/Lobby/'))).is_zapped, false);
  });

  it('a room that one was kicked out of is not there, and is again after an invitation', async (t) => {
    const { as, peer } = await recordedGateway(t, 'transcripts/27-invite-kick-forget.txt');
    const cal = as('cal');
    peer.before('KICK cal', 2);
    assert.equal((await cal('r/Plaza/')).status, 200);
    peer.at('GOTO Plaza', 3);
    assert.equal((await cal('r/Plaza/')).status, 404);
    assert.equal((await cal('r/Club/msgs.all')).status, 404);
    peer.at('GOTO Plaza', 4);
    assert.equal((await cal('r/Plaza/')).status, 200);
  });

  it('a personal room of somebody else goes by its full name', async (t) => {
    const { as, json } = await recordedGateway(t, 'transcripts/27-invite-kick-forget.txt');
    const ann = as('ann');
    assert.equal((await ann('r/Shared/')).status, 404);
    assert.equal((await json<Room>(ann('r/0000000003.Shared/'))).name, '0000000003.Shared');
    const put = await ann('r/0000000003.Shared/x?subj=to%20the%20shared%20room', { method: 'PUT', body: 'hi' });
    assert.equal(put.status, 201);
    assert.equal(put.headers.get('location'), '/svc/r/0000000003.Shared/19');
  });
});

describe('28-room-modes', () => {
  it('a room list tells read-only', async (t) => {
    const { as, json } = await recordedGateway(t, 'transcripts/28-room-modes.txt');
    const rooms = await json<Room[]>(as('ann')('r/'));
    assert.deepEqual(flagsOf(rooms, 'Readonly'), ['is_read_only']);
    assert.equal(
      rooms.some(({ name }) => name === 'Preferred'),
      false,
    );
    const collab = await json<Room>(as('ann')('r/Collab/'));
    assert.deepEqual([collab.can_delete_messages, collab.is_room_aide], [true, false]);
  });

  it('answers 403 to a post that the room does not take, and sends no body', async (t) => {
    const { as, peer } = await recordedGateway(t, 'transcripts/28-room-modes.txt');
    for (const [user, password, room] of [
      ['ann', 'annpw', 'Readonly'],
      ['ann', 'annpw', 'Blog'],
      ['newbie', 'newpw', 'Lobby'],
    ] as const) {
      peer.at('USER twit');
      const answer = await as(user, password)(`r/${room}/x?subj=x`, { method: 'PUT', body: 'text\n' });
      assert.equal(answer.status, 403, room);
      assert.equal(((await answer.json()) as { code: number }).code, 550);
    }
    assert.deepEqual(peer.sent, []);
    assert.equal((await as('ann')('r/Preferred/new', { method: 'PUT', body: 'x' })).status, 404);
  });

  it('asks before it takes a large body in', async (t) => {
    const { as, peer } = await recordedGateway(t, 'transcripts/28-room-modes.txt');
    const body = Buffer.alloc(100_000, 'x');
    assert.equal((await as('ann')('r/Readonly/x?subj=x', { method: 'PUT', body })).status, 403);
    assert.equal(peer.received.filter((line) => line.startsWith('ENT0')).length, 1);
  });

  it('answers a blog entry that refers to another with 201', async (t) => {
    const { as, peer } = await recordedGateway(t, 'transcripts/28-room-modes.txt');
    const path = 'r/Blog/x?subj=Re:%20First%20entry&wefw=6B00E7DE-00000022@vm';
    const answer = await as('ann')(path, { method: 'PUT', body: 'comment\n' });
    assert.deepEqual([answer.status, answer.headers.get('etag')], [201, '"35"']);
    const body = peer.sent[0]!.body.toString();
    assert.match(body, /\nIn-Reply-To: <6B00E7DE-00000022@vm>\nContent-Type: text\/plain[\s\S]*\n\ncomment\n$/);
  });

  it('shows the author of an anonymous message to nobody', async (t) => {
    const { as, json } = await recordedGateway(t, 'transcripts/28-room-modes.txt');
    const seen = await json<Record<string, unknown>>(as('ann')('r/Masked/29/json'));
    assert.equal(seen.from, '****');
    assert.equal(seen.rfca, undefined);
    assert.equal(seen.text, '<div>masked text</div>');
    const { msgs } = await json<{ msgs: { author: string; addr: string }[] }>(as('ann')('r/Masked/mailbox'));
    assert.deepEqual(
      msgs.map((row) => [row.author, row.addr]),
      [['****', '']],
    );
    const byAdministrator = await json<Record<string, unknown>>(as('boss')('r/Masked/29/json?text=plain'));
    assert.deepEqual([byAdministrator.from, byAdministrator.rfca], ['****', undefined]);
    const unsigned = await json<Record<string, unknown>>(as('ann')('r/Maybe/31/json'));
    assert.deepEqual([unsigned.from, unsigned.rfca], ['anonymous', undefined]);
  });

  it('whoever may post may delete where the room says so', async (t) => {
    const { as, peer } = await recordedGateway(t, 'transcripts/28-room-modes.txt');
    peer.before('DELE 33');
    assert.equal((await as('cal')('r/Collab/33', { method: 'DELETE' })).status, 204);
  });
});
