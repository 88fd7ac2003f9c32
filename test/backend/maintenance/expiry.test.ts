import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { findFaults } from '../../../src/backend/maintenance/check.ts';
import { expiredPieces } from '../../../src/backend/maintenance/housekeeping.ts';
import { addFloor, updateRoom } from '../../../src/backend/store/rooms.ts';
import { personalRoom } from '../../../src/backend/store/users.ts';
import { BACKEND_SWEEP_MESSAGES, EXPIRY_PAGE_ROWS } from '../../../src/limits/backend.ts';
import { VIEW } from '../../../src/model.ts';
import { DAY, NOW, world } from '../../support/expiry-world.ts';

describe('an expiry policy', () => {
  it('of days removes what is older, whatever its number', (t) => {
    const { w, post, set, expire, numbers } = world(t);
    const box = w.room('Box');
    const [, young, , edge] = [40, 1, 31, 30].map((age) => post(box, age));
    set(box, 'room|3|30');
    expire();
    assert.deepEqual(numbers(box), [young, edge]);
    assert.deepEqual([box.total, box.highest], [2, edge]);
    expire(NOW + DAY);
    assert.deepEqual(numbers(box), [young]);
    assert.deepEqual([...findFaults(w.store)], []);
  });

  it('of a number keeps so many, the latest', (t) => {
    const { w, post, set, expire, numbers } = world(t);
    const box = w.room('Box');
    const posted = [1, 2, 3, 4].map((age) => post(box, age));
    set(box, 'room|2|3');
    expire();
    assert.deepEqual(numbers(box), posted.slice(1));
    expire();
    assert.deepEqual(numbers(box), posted.slice(1));
  });

  it('is that of the room, else of its floor or of mailboxes, else of the site', (t) => {
    const { w, ann, post, set, expire, numbers } = world(t);
    addFloor(w.store, 1, 'Upstairs');
    const own = w.room('Own');
    const never = w.room('Never');
    const upstairs = w.room('Up');
    updateRoom(w.store, upstairs, { floor: 1 });
    const plain = w.room('Plain');
    const mail = personalRoom(w.store, ann, 'Mail');
    const rooms = [own, never, upstairs, plain, mail];
    for (const room of rooms) for (const age of [50, 15, 5]) post(room, age);
    const counts = () => rooms.map((room) => numbers(room).length);
    expire();
    assert.deepEqual(counts(), [3, 3, 3, 3, 3], 'a new site keeps everything');
    set(own, 'room|2|1');
    set(never, 'room|1|0');
    set(upstairs, 'floor|3|10');
    set(plain, 'mailboxes|3|20');
    set(plain, 'site|3|40');
    expire();
    assert.deepEqual(counts(), [1, 3, 1, 2, 2]);
    set(plain, 'mailboxes|0|0');
    set(upstairs, 'floor|0|0');
    set(plain, 'site|3|10');
    expire();
    assert.deepEqual(counts(), [1, 3, 1, 1, 1]);
  });

  it('of the site leaves alone what is no post: contacts, events, pages', (t) => {
    const { w, post, set, expire, numbers } = world(t);
    const rooms = [VIEW.addressBook, VIEW.calendar, VIEW.tasks, VIEW.notes, VIEW.wiki].map((view) =>
      w.room(`View ${view}`, view),
    );
    for (const room of rooms) post(room, 1000);
    set(rooms[0]!, 'site|3|10');
    expire();
    for (const room of rooms) assert.equal(numbers(room).length, 1, room.name);
    set(rooms[0]!, 'room|3|10');
    expire();
    assert.deepEqual(
      rooms.map((room) => numbers(room).length),
      [0, 1, 1, 1, 1],
    );
  });

  it('works in pieces, in rooms of any size', (t) => {
    const { w, post, set, expire, numbers } = world(t);
    const [aged, counted] = [w.room('Aged'), w.room('Counted')];
    w.store.transaction(() => {
      for (let i = 0; i <= EXPIRY_PAGE_ROWS; i++) post(aged, i % 2 === 0 ? 20 : 1);
      for (let i = 0; i < 2 * BACKEND_SWEEP_MESSAGES + 1; i++) post(counted, 1);
    });
    set(aged, 'room|3|10');
    set(counted, 'room|2|1');
    const pieces = expiredPieces(w.store, NOW);
    const sizes = () => aged.total + counted.total;
    for (let before = sizes(); !pieces.next().done; before = sizes()) {
      assert.ok(before - sizes() <= BACKEND_SWEEP_MESSAGES);
    }
    assert.deepEqual([numbers(aged).length, numbers(counted).length], [EXPIRY_PAGE_ROWS / 2, 1]);
    assert.equal(expire(), 0);
  });
});
