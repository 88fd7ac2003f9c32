// The lists of rooms do not go through all rooms. What they show must be what going through all of them would show.

import assert from 'node:assert/strict';
import { it } from 'node:test';
import { accessOf } from '../../../src/backend/session/access.ts';
import { knownRooms } from '../../../src/backend/session/rooms.ts';
import type { VisitState } from '../../../src/backend/store/records.ts';
import { createRoom, roomCache, shownName, updateRoom } from '../../../src/backend/store/rooms.ts';
import { updateVisit, visitOf } from '../../../src/backend/store/visits.ts';
import { lkrn, lkro, lprm, lrms } from '../../../src/backend/verbs/citadel/rooms.ts';
import { seen } from '../../../src/backend/verbs/goto.ts';
import { ent0 } from '../../../src/backend/verbs/posting.ts';
import { lkra, lzrm } from '../../../src/backend/verbs/room-lists.ts';
import { ACCESS, LEVEL, ROOM_FLAG, ROOM_FLAG2 } from '../../../src/model.ts';
import { messageWorld, run } from '../../support/message-session.ts';
import { newSeed, randomFrom } from '../../support/random.ts';

const FLAGS = [
  0,
  ROOM_FLAG.private,
  ROOM_FLAG.private | ROOM_FLAG.password,
  ROOM_FLAG.private | ROOM_FLAG.guessName,
  ROOM_FLAG.preferredOnly,
  ROOM_FLAG.private | ROOM_FLAG.preferredOnly,
  ROOM_FLAG.readOnly,
];
const STATES: VisitState[] = ['none', 'known', 'forgotten', 'locked_out'];

it('lists of rooms hold what going through all rooms gives', (t) => {
  const w = messageWorld(t);
  const seed = newSeed();
  const random = randomFrom(seed);
  const pick = <T>(from: readonly T[]): T => from[random(from.length)]!;
  const { store } = w;
  const lobby = w.room('Lobby');
  const users = [LEVEL.problem, LEVEL.local, LEVEL.preferred, LEVEL.admin].map((level, i) =>
    w.user(`user ${i}`, level),
  );
  store.transaction(() => {
    for (let i = 0; i < 150; i++) {
      const owner = random(8) === 0 ? pick(users).id : null;
      const flags = owner === null ? pick(FLAGS) : ROOM_FLAG.private | ROOM_FLAG.personal;
      const flags2 = random(10) === 0 ? ROOM_FLAG2.system : 0;
      const name = `Room ${random(1e9)}`;
      const room = createRoom(store, { name, flags, flags2, view: 0, owner, admin: random(4) ? null : pick(users).id });
      for (const user of users) {
        if (random(3) === 0) updateVisit(store, visitOf(store, user.id, room.id), { state: pick(STATES) });
      }
    }
  });
  const check = () => {
    for (const user of users) {
      const session = w.session(user, lobby);
      const all = [...roomCache(store).byId.values()]
        .sort((a, b) => (a.key < b.key ? -1 : 1))
        .map((room) => ({ room, access: accessOf(user, room, visitOf(store, user.id, room.id)) }));
      const names = (wanted: number) =>
        all.filter(({ access }) => access & wanted).map(({ room }) => shownName(room, user));
      const listed = (verb: typeof lkra) =>
        run(session, verb, '')
          .split('\n')
          .slice(1, -2)
          .map((row) => row.split('|')[0]);
      const note = `seed ${seed}, ${user.name}`;
      assert.deepEqual(listed(lkra), names(ACCESS.known), note);
      assert.deepEqual(listed(lrms), names(ACCESS.known | ACCESS.forgotten), note);
      assert.deepEqual(new Set(knownRooms(session).map((room) => shownName(room, user))), new Set(listed(lkra)), note);
      const zapped = all.filter(({ access }) => access & ACCESS.forgotten && access & ACCESS.enter);
      assert.deepEqual(
        listed(lzrm),
        zapped.map(({ room }) => shownName(room, user)),
        note,
      );
      const open = all.filter(({ room }) => !(room.flags & (ROOM_FLAG.private | ROOM_FLAG.personal)));
      const shown = open.filter(({ access }) => access & (ACCESS.known | ACCESS.forgotten));
      assert.deepEqual(
        listed(lprm),
        shown.map(({ room }) => shownName(room, user)),
        note,
      );
    }
  };
  check();
  for (const room of [...roomCache(store).byId.values()].filter(({ owner }) => owner === null)) {
    if (random(3) === 0) updateRoom(store, room, { flags: pick(FLAGS) });
    if (random(3) === 0) updateRoom(store, room, { admin: pick([null, ...users.map(({ id }) => id)]) });
    if (random(3) === 0) updateRoom(store, room, { name: `Renamed ${random(1e9)}` });
  }
  check();
});

it('LKRN and LKRO part the known rooms by whether the highest number has been read', (t) => {
  const w = messageWorld(t);
  const ann = w.user('ann');
  const [read, fresh, empty] = [w.room('Read'), w.room('Fresh'), w.room('Empty')];
  for (const room of [read, fresh]) {
    for (let i = 0; i < 2; i++) run(w.session(ann, room), ent0, '1|||1|s||1', 'x\n');
  }
  const names = (verb: typeof lkra, args = '') =>
    run(w.session(ann, empty), verb, args)
      .split('\n')
      .map((row) => row.split('|')[0])
      .filter((name) => name === 'Read' || name === 'Fresh' || name === 'Empty')
      .sort();
  assert.deepEqual([names(lkrn), names(lkro)], [['Fresh', 'Read'], ['Empty']]);
  run(w.session(ann, read), seen, '2|1');
  assert.deepEqual([names(lkrn), names(lkro)], [['Fresh'], ['Empty', 'Read']]);
  run(w.session(ann, read), seen, '1|1');
  run(w.session(ann, read), seen, '2|0');
  assert.deepEqual([names(lkrn), names(lkro)], [['Fresh', 'Read'], ['Empty']]);
  assert.deepEqual([names(lkrn, '7'), names(lkro, '7'), names(lkrn, '0')], [[], [], ['Fresh', 'Read']]);
});
