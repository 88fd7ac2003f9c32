import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { findFaults } from '../../../src/backend/maintenance/check.ts';
import { msgs } from '../../../src/backend/verbs/message-lists.ts';
import { dele } from '../../../src/backend/verbs/moving.ts';
import { msg0, msg2, wiki } from '../../../src/backend/verbs/reading.ts';
import { srch } from '../../../src/backend/verbs/search.ts';
import { ROOM_FLAG, VIEW } from '../../../src/model.ts';
import { longestPiece } from '../../support/longest-piece.ts';
import { run } from '../../support/message-session.ts';
import { history, textOf, texts, world } from '../../support/wiki-world.ts';

describe('WIKI', () => {
  it('lists every version of a page, the latest first, and reads each', (t) => {
    const { w, bob, room, session, save } = world(t);
    for (const text of ['one', 'two']) save(text);
    save('three', 'home', w.session(bob, room));
    assert.deepEqual(
      history(session).map(({ author, node }) => `${author}@${node}`),
      ['bob@vm', 'ann@vm', 'ann@vm'],
    );
    assert.deepEqual(texts(session), ['three', 'two', 'one']);
    assert.deepEqual([...findFaults(w.store)], []);
  });

  it('leaves others their turn while it lists the versions', (t) => {
    const { session, save } = world(t);
    for (let i = 0; i < 30; i++) save(`text ${i}`);
    const { lines, statements, text } = longestPiece(t, session, wiki, 'history|home');
    assert.ok(lines <= 11 && statements <= 20, `${lines} lines, ${statements} statements`);
    assert.equal(text, run(session, wiki, 'history|home'));
  });

  it('gives no version of a page of the same name in another room, to read or to go back to', (t) => {
    const { w, bob, session, save } = world(t);
    save('secret');
    const [foreign] = history(session);
    const own = w.session(bob, w.room('Own wiki', VIEW.wiki));
    save('mine', 'home', own);
    for (const operation of ['fetch', 'revert']) {
      const answer = run(own, wiki, `rev|home|${foreign!.uuid}|${operation}`);
      assert.equal(answer, `575 Revision '${foreign!.uuid}' of page 'home' was not found.\n`);
    }
    assert.deepEqual(texts(own), ['mine']);
  });

  it('answers what a real server answers to what is not there', (t) => {
    const { session, save } = world(t);
    save('one');
    const [first] = history(session);
    const answers: [string, string][] = [
      ['history|nosuch', "575 Revision history for 'nosuch' was not found."],
      ['history', "575 Revision history for '' was not found."],
      ['bogus|home', '530 Invalid subcommand'],
      ['', '530 Invalid subcommand'],
      ['rev|home|nosuch|fetch', "575 Revision 'nosuch' of page 'home' was not found."],
      ['rev|nosuch|x|fetch', "575 Page 'nosuch' was not found."],
      [`rev|home|${first!.uuid}|bogus`, '530 An unknown operation was requested.'],
      [`rev|home|${first!.uuid}|revert`, '510 The page has this text already.'],
    ];
    for (const [args, answer] of answers) assert.equal(run(session, wiki, args), `${answer}\n`, args);
  });

  it('goes back to a version, which is one more', (t) => {
    const { session, save, number } = world(t);
    for (const text of ['one', 'two', 'three']) save(text);
    const before = history(session);
    const reply = run(session, wiki, `rev|home|${before[2]!.uuid}|revert`);
    assert.equal(reply, `200 ${number()}\n`);
    assert.match(run(session, msg2, String(number())), /\r\n\r\none\r\n000\n$/);
    assert.deepEqual(texts(session), ['one', 'three', 'two', 'one']);
    assert.deepEqual(
      history(session)
        .slice(1)
        .map(({ uuid }) => uuid),
      before.map(({ uuid }) => uuid),
    );
    assert.equal(run(session, msgs, 'ALL').split('\n').length, 4, 'one page in the room');
  });

  it('lets only those go back who may post', (t) => {
    const { w, bob, session, save } = world(t);
    const locked = w.room('Locked', VIEW.wiki, { flags: ROOM_FLAG.readOnly });
    const author = w.session(w.user('root', 6), locked);
    for (const text of ['one', 'two']) save(text, 'home', author);
    const [, old] = history(author);
    const reader = w.session(bob, locked);
    assert.equal(textOf(reader, 'home', old!.uuid), 'one');
    assert.equal(run(reader, wiki, `rev|home|${old!.uuid}|revert`), '550 Higher access required.\n');
    assert.equal(run(w.session(undefined, locked), wiki, `rev|home|${old!.uuid}|revert`), '520 Not logged in.\n');
    assert.equal(session.fetchedRevision, undefined);
  });

  it('lets an old version be read only where it was fetched, and only in its room', (t) => {
    const { w, ann, room, session, save, number } = world(t);
    save('one');
    const old = number();
    save('two');
    assert.match(run(session, msg0, String(old)), /^550 /);
    const [, first] = history(session);
    assert.equal(run(session, wiki, `rev|home|${first!.uuid}|fetch`), `200 ${old}\n`);
    assert.match(run(session, msg0, String(old)), /\none\n/);
    assert.match(run(w.session(ann, room), msg0, String(old)), /^550 /);
    session.room = w.room('Box');
    assert.match(run(session, msg0, String(old)), /^550 /);
  });

  it('keeps the history of a page that was deleted, and brings it back', (t) => {
    const { w, session, save, number } = world(t);
    for (const text of ['one', 'two']) save(text);
    const deleted = number();
    assert.equal(run(session, dele, String(deleted)), '200 1 message deleted.\n');
    assert.match(run(session, msg0, String(deleted)), /^550 /);
    assert.deepEqual(texts(session), ['two', 'one']);
    assert.match(run(session, wiki, `rev|home|${history(session)[1]!.uuid}|revert`), /^200 /);
    assert.match(run(session, msg2, String(number())), /\r\n\r\none\r\n000\n$/);
    assert.deepEqual([...findFaults(w.store)], []);
  });

  it('finds words of the latest version only', (t) => {
    const { session, save, number } = world(t);
    for (const text of ['zebra', 'giraffe']) save(text);
    assert.equal(run(session, srch, 'zebra').split('\n')[1], '000');
    assert.equal(run(session, srch, 'giraffe').split('\n')[1], String(number()));
  });

  it('counts the versions of each page of each room on their own, in any case and with any letters', (t) => {
    const { w, ann, session, save } = world(t);
    const other = w.session(ann, w.room('Other', VIEW.wiki));
    for (const page of ['home', 'Home', 'Über uns/a b']) save(`${page} here`, page);
    save('there', 'home', other);
    for (const page of ['home', 'Home', 'Über uns/a b']) assert.deepEqual(texts(session, page), [`${page} here`]);
    assert.deepEqual(texts(other), ['there']);
  });
});
