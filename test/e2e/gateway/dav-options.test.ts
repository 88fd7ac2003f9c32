// What OPTIONS tells of a room to who is logged in, and what is told of quotas (RFC 4331): on the embedded room server,
// and on one that behaves as a real one.

import assert from 'node:assert/strict';
import { after, describe, it } from 'node:test';
import { startGateway } from '../../support/gateway.ts';
import { startRealServer } from '../../support/real-server.ts';

const real = await startRealServer({ after }, { users: { alice: 4, bob: 4 } });
const ours = await startGateway({ after }, { demo: true });
const inFront = await startGateway({ after }, { backend: `unix:${real.path}` });

for (const { where, isOurs, gateway } of [
  { where: 'the embedded room server', isOurs: true, gateway: ours },
  { where: 'a real one', isOurs: false, gateway: inFront },
]) {
  const alice = gateway.as('alice', isOurs ? 'alice' : 'alicepw');
  const made = async (name: string, view: number) => {
    const headers = { 'content-type': 'application/json' };
    const answer = await alice('r/', { method: 'POST', headers, body: JSON.stringify({ name, view }) });
    assert.equal(answer.status, 201, await answer.text());
    return `r/${name}/`;
  };

  describe(`OPTIONS on ${where}`, () => {
    const asked = async (path: string, api = alice) => {
      const answer = await api(path, { method: 'OPTIONS' });
      assert.equal(answer.status, 200, path);
      const list = (name: string) => answer.headers.get(name)!.split(', ');
      return { classes: list('dav').slice(3), allow: new Set(list('allow')) };
    };

    it('names the classes of the kind of room, and of all where a client looks for its rooms', async () => {
      const all = ['extended-mkcol', 'calendar-access', 'calendar-auto-schedule', 'addressbook'];
      const calendar = ['calendar-access', 'calendar-auto-schedule'];
      for (const [path, classes] of [
        [await made('Times', 3), calendar],
        [await made('Jobs', 4), calendar],
        [await made('People', 2), ['addressbook']],
        [await made('Talk', 0), []],
        ['r/Times/any.ics', calendar],
        ['r/', all],
        ['', all],
        ['/', all],
        ['u/alice/', all],
        ['r/Nowhere/', all],
      ] as const) {
        assert.deepEqual((await asked(path)).classes, classes, path);
        assert.deepEqual((await asked(path, gateway.api)).classes, all, `${path}, of nobody`);
        assert.deepEqual((await asked(path, gateway.as('alice', 'wrong'))).classes, all, `${path}, wrong password`);
      }
    });

    it('names the methods that can be used there', async () => {
      const room = await asked('r/Times/');
      assert.ok(['PROPFIND', 'REPORT', 'DELETE', 'MOVE', 'LOCK'].every((method) => room.allow.has(method)));
      assert.ok(!room.allow.has('MKCOL') && !room.allow.has('MKCALENDAR'), 'it is there');
      const free = await asked('r/Nowhere/');
      assert.deepEqual([...free.allow].sort(), ['MKCALENDAR', 'MKCOL', 'OPTIONS']);
      assert.ok(!(await asked('r/Times/x/')).allow.has('MKCOL'), 'no folders in it');
      if (isOurs) {
        await alice('r/Files/', { method: 'MKCOL' });
        assert.ok((await asked('r/Files/x/')).allow.has('MKCOL'));
      }
    });
  });

  describe(`quotas on ${where}`, () => {
    const quota = async (path: string, names = '<quota-used-bytes/><quota-available-bytes/>') => {
      const body = `<propfind xmlns="DAV:">${names === '' ? '<allprop/>' : `<prop>${names}</prop>`}</propfind>`;
      const answer = await alice(path, { method: 'PROPFIND', headers: { depth: '0' }, body });
      const text = await answer.text();
      const number = (name: string) =>
        Number(new RegExp(`<D:quota-${name}-bytes>(\\d+)<`).exec(text)?.[1] ?? Number.NaN);
      return { text, used: number('used'), available: number('available') };
    };

    it('tell what a collection takes, and what is left', async () => {
      const room = await made('Weighed', isOurs ? 12 : 0);
      const before = await quota(room);
      await alice(`${room}file`, {
        method: 'PUT',
        body: 'x'.repeat(100_000),
        headers: { 'content-type': 'text/plain' },
      });
      const now = await quota(room);
      for (const path of ['/', '', 'r/']) {
        const around = await quota(path);
        assert.equal(around.used >= 100_000 && around.available > 0, isOurs, around.text);
      }
      if (!isOurs) {
        assert.match(now.text, /<D:quota-used-bytes\/><D:quota-available-bytes\/><\/D:prop><D:status>HTTP\/1.1 404 /);
        return;
      }
      assert.equal(before.used, 0);
      assert.ok(now.used >= 100_000 && now.used < 110_000, String(now.used));
      assert.ok(now.available > 0);
      await alice(`${room}folder/`, { method: 'MKCOL' });
      assert.ok((await quota(`${room}folder/`)).used >= now.used, 'a folder counts with its room');
      assert.ok(Number.isNaN((await quota(`${room}file`)).used), 'a file has none');
    });

    it('are told only to who asks for them', async () => {
      assert.doesNotMatch((await quota('r/', '')).text, /quota/);
    });
  });
}
