// GET a/news: what is new, room by room.

import assert from 'node:assert/strict';
import { after, it } from 'node:test';
import { MAX_NEWS_MESSAGES, MAX_NEWS_ROOMS } from '../../../src/limits/http.ts';
import { type Api, postedNumber, startBoth } from '../../support/gateway.ts';

const gateways = await startBoth({ after }, { demo: true, users: [{ name: 'carol', password: 'carol' }] });
interface News {
  room: string;
  unread: number;
  msgs: { msgnum: number; subject: string; snippet: string; seen: boolean }[];
}

const newsFor = async (api: Api, query = '') => (await (await api(`a/news${query}`)).json()) as News[];

for (const [name, gateway] of gateways) {
  const alice = gateway.as('alice');
  const bob = gateway.as('bob');
  const post = async (room: string, subject: string) =>
    postedNumber(
      await bob(`r/${encodeURIComponent(room)}/new?subj=${subject}`, { method: 'PUT', body: `body of ${subject}` }),
    );

  it(`shows on ${name} the newest unread messages, newest room first`, async () => {
    await alice('r/Lobby/slrp?last=HIGHEST');
    const [one, two, three] = [await post('Lobby', 'one'), await post('Lobby', 'two'), await post('Lobby', 'three')];
    const [lobby] = await newsFor(alice, '?messages=2');
    assert.equal(lobby!.room, 'Lobby');
    assert.equal(lobby!.unread, 3);
    const shown = lobby!.msgs.map(({ msgnum, subject, snippet, seen }) => [msgnum, subject, snippet, seen]);
    assert.deepEqual(shown, [
      [three, 'three', 'body of three', false],
      [two, 'two', 'body of two', false],
    ]);
    await alice(`r/Lobby/${three}`, { method: 'PATCH', body: '{"seen":true}' });
    const [newest] = await newsFor(alice, '?rooms=1');
    assert.deepEqual(
      newest!.msgs.map(({ msgnum }) => msgnum),
      [two, one],
    );
    await alice('r/Lobby/slrp?last=HIGHEST');
    const rooms = (await newsFor(alice)).map(({ room }) => room);
    assert.ok(!rooms.includes('Lobby'), 'all of it is read');
  });

  it(`is on ${name} for users, within its bounds`, async () => {
    assert.equal((await fetch(`${gateway.url}svc/a/news`)).status, 401);
    for (const [wanted, status] of [
      [`rooms=${MAX_NEWS_ROOMS}`, 200],
      [`rooms=${MAX_NEWS_ROOMS + 1}`, 400],
      ['rooms=0', 400],
      ['rooms=x', 400],
      [`messages=${MAX_NEWS_MESSAGES}`, 200],
      [`messages=${MAX_NEWS_MESSAGES + 1}`, 400],
    ] as const) {
      assert.equal((await alice(`a/news?${wanted}`)).status, status, wanted);
    }
  });
}
