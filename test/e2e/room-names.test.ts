// Names that rooms, floors and accounts cannot be given because nobody could tell them from others, through every way
// that makes or renames one: with the embedded room server, over the line protocol, and in front of a server that takes
// any.

import assert from 'node:assert/strict';
import { after, describe, it } from 'node:test';
import { ROOM_FLAG } from '../../src/model.ts';
import { type Answers, faultServer } from '../support/fault-server.ts';
import { ADMIN_PASSWORD, type Api, startBoth, startGateway, type TestGateway } from '../support/gateway.ts';
import { WireClient } from '../support/wire-client.ts';

const JSON_TYPE = { 'content-type': 'application/json' };
const USERS = ['ann', 'bob'].map((name) => ({ name, password: name }));
const HIDDEN = [
  'Lob\u200Bby',
  'Lobby\u202E',
  'Lob\uFEFFby',
  'Lob\u00ADby',
  'Team\u2060',
  '\u2800',
  '\u3164',
  'a\u0301\u0301',
];
const MIXED = ['Lоbby', 'Αlice', 'Tеam', 'ꓡobby'];
const LIKE_LOBBY = ['L0bby', 'Ｌｏｂｂｙ', '𝐋𝐨𝐛𝐛𝐲', 'LObby', '1obby', 'ꓡꓳꓐꓐꓬ', 'Lobby ', '\u3000Lobby\u00A0'];
const LIKE_OTHERS = ['A1de', 'Rnail', 'Mai1', 'Draf𝘁s', 'TRASH', 'Senт Items', 'C0ntacts', 'Trashcan\u2003'];

function apiOf(api: Api) {
  const send = (method: string, path: string, fields?: object, headers = {}) =>
    api(path, { method, headers: { ...JSON_TYPE, ...headers }, ...(fields && { body: JSON.stringify(fields) }) });
  return {
    post: (path: string, fields: object) => send('POST', path, fields),
    patch: (path: string, fields: object) => send('PATCH', path, fields),
    transfer: (method: 'MOVE' | 'COPY', room: string, to: string) =>
      api(at(room), { method, headers: { destination: `/svc/${at(to)}` } }),
    mkcol: (room: string) => api(at(room), { method: 'MKCOL' }),
    get: (room: string) => api(at(room)),
  };
}

const at = (room: string) => `r/${encodeURIComponent(room)}/`;
const detail = async (response: Response) => ((await response.json()) as { detail: string }).detail;

for (const [name, gateway] of await startBoth({ after }, { users: USERS })) {
  const ann = apiOf(gateway.as('ann'));
  const bob = apiOf(gateway.as('bob'));
  let count = 0;
  const makeRoom = async (fields: object = {}): Promise<string> => {
    const room = `Kept ${name} ${++count}`;
    assert.equal((await ann.post('r/', { name: room, ...fields })).status, 201);
    return room;
  };

  describe(`the name of a room on ${name}`, () => {
    it('holds nothing hidden and mixes no alphabets, whichever way the room is made or renamed', async () => {
      const room = await makeRoom();
      const own = await makeRoom({ kind: 'personal' });
      for (const wanted of [...HIDDEN, ...MIXED]) {
        for (const kind of ['public', 'invitation', 'personal']) {
          const refused = await ann.post('r/', { name: wanted, kind });
          assert.equal(refused.status, 400, `${JSON.stringify(wanted)} ${kind}`);
          assert.match(await detail(refused), /^(A|In a) (name|word|combining mark)/);
        }
        for (const each of [room, own]) {
          assert.equal((await ann.patch(at(each), { name: wanted })).status, 400, wanted);
          assert.equal((await ann.transfer('MOVE', each, wanted)).status, 400, wanted);
        }
        assert.equal((await ann.transfer('COPY', room, wanted)).status, 400, wanted);
        assert.equal((await ann.mkcol(wanted)).status, 400, wanted);
      }
      assert.equal((await ann.get(room)).status, 200);
      assert.equal((await ann.get(own)).status, 200);
    });

    it('is not like that of a public room, or of one that everybody has', async () => {
      const room = await makeRoom();
      const hidden = await makeRoom({ kind: 'invitation' });
      for (const wanted of [...LIKE_LOBBY, ...LIKE_OTHERS]) {
        for (const kind of ['public', 'guessname', 'invitation']) {
          const refused = await bob.post('r/', { name: wanted, kind });
          assert.ok([400, 409].includes(refused.status), `${JSON.stringify(wanted)} ${refused.status}`);
        }
        assert.ok([400, 403, 409].includes((await ann.transfer('MOVE', hidden, wanted)).status), wanted);
        assert.ok([400, 409].includes((await ann.patch(at(room), { name: wanted })).status), wanted);
      }
      assert.match(await detail(await bob.post('r/', { name: 'L0bby' })), /“Lobby”.*this name looks similar/);
    });

    it('may be like that of a room that is not public: nobody is told of those', async () => {
      const hidden = await makeRoom({ kind: 'invitation' });
      const like = hidden.replace('K', 'Ｋ');
      assert.equal((await bob.post('r/', { name: like })).status, 201);
      // but then it cannot become public itself
      const refused = await ann.patch(at(hidden), { kind: 'public' });
      assert.equal(refused.status, 409);
      assert.equal((await ann.patch(at(hidden), { kind: 'guessname' })).status, 204);
    });

    it('of a personal room may be like that of a public one: nobody else sees it', async () => {
      for (const wanted of ['L0bby', 'ꓡꓳꓐꓐꓬ']) {
        assert.equal((await ann.post('r/', { name: wanted, kind: 'personal' })).status, 201);
        assert.equal((await bob.mkcol(wanted)).status, 201);
      }
      for (const user of [ann, bob])
        for (const room of ['L0bby', 'ꓡꓳꓐꓐꓬ']) assert.equal((await user.get(room)).status, 200);
      for (const gone of [gateway.as('ann'), gateway.as('bob')])
        for (const room of ['L0bby', 'ꓡꓳꓐꓐꓬ']) assert.equal((await gone(at(room), { method: 'DELETE' })).status, 204);
    });

    it('is kept composed and with single blanks, and found however it is typed', async () => {
      const made = await ann.post('r/', { name: `  Cafe\u0301\u00A0 du\u3000${name} ` });
      assert.equal(made.status, 201);
      const kept = `Café du ${name}`;
      assert.equal(made.headers.get('location'), `/svc/${at(kept)}`);
      for (const typed of [kept, kept.normalize('NFD'), kept.replace(' ', '\u00A0')]) {
        const found = await bob.get(typed);
        assert.equal(found.status, 200, JSON.stringify(typed));
        assert.equal(((await found.json()) as { name: string }).name, kept);
      }
      const folder = await ann.mkcol(`Re\u0301sume\u0301 ${name}`);
      assert.equal(folder.headers.get('location'), `/svc/${at(`Résumé ${name}`)}`);
      const moved = await ann.transfer('MOVE', `Résumé ${name}`, `E\u0301te\u0301  ${name}`);
      assert.equal(moved.headers.get('location'), `/svc/${at(`Été ${name}`)}`);
      assert.equal((await ann.get(`Été ${name}`)).status, 200);
    });

    it('may be changed to another spelling of itself, and to any alphabet', async () => {
      let room = await makeRoom();
      const others = [`Привет ${name}`, `Família 👨‍👩‍👧 ${name}`, `می‌خواهم ${name}`];
      for (const next of [room.toUpperCase(), ...others, room]) {
        const renamed = await ann.patch(at(room), { name: next });
        assert.equal(renamed.status, 204, next);
        room = next;
      }
    });
  });

  describe(`names of floors and accounts on ${name}`, () => {
    const admin = apiOf(gateway.as('admin', ADMIN_PASSWORD));

    it('of floors hold nothing hidden, and are not like each other', async () => {
      const floor = `Loft ${name}`;
      const made = await admin.post('f/', { name: ` ${floor}\u00A0` });
      assert.equal(made.status, 201);
      for (const wanted of [...HIDDEN, ...MIXED, '\u3000']) {
        assert.equal((await admin.post('f/', { name: wanted })).status, 400, JSON.stringify(wanted));
      }
      for (const wanted of ['MAIN FL00R', 'Ｍain Floor', floor.replace('o', '0'), floor.toUpperCase()]) {
        assert.equal((await admin.post('f/', { name: wanted })).status, 409, wanted);
        const path = made.headers.get('location')!.replace('/svc/', '');
        if (wanted.startsWith('M') || wanted.startsWith('Ｍ'))
          assert.equal((await admin.patch(path, { name: wanted })).status, 409, wanted);
        else assert.equal((await admin.patch(path, { name: wanted })).status, 204, wanted);
        assert.equal((await admin.patch(path, { name: floor })).status, 204);
      }
    });

    it('of accounts are ASCII, and not like each other', async () => {
      const taken = `Bill${name.length}ng`;
      assert.equal((await admin.post('u/', { username: taken, password: 'x' })).status, 201);
      for (const username of ['аnn', 'a\u200Bnn', 'ann\u202E', 'ａnn']) {
        assert.equal((await admin.post('u/', { username, password: 'x' })).status, 400, username);
      }
      for (const username of [taken.replace('ll', 'lI'), taken.replace('Bi', 'B1'), 'adrnin', 'B0b', 'b-0-b']) {
        assert.equal((await admin.post('u/', { username, password: 'x' })).status, 409, username);
      }
    });
  });
}

describe('over the line protocol', async () => {
  const gateway: TestGateway = await startGateway({ after }, { users: USERS });
  const login = (user: string) => WireClient.login(`${gateway.dataFolder}/citadel.socket`, user, user);

  it('CRE8 and SETR, CFLR and EFLR, CREU and RENU keep the same rules', async () => {
    const ann = await login('ann');
    const operator = await WireClient.connect(`${gateway.dataFolder}/citadel-admin.socket`);
    for (const name of [...HIDDEN, ...MIXED]) {
      for (const kind of [0, 1, 3, 4])
        assert.match(await ann.text(`CRE8 1|${name}|${kind}`), /^512 Invalid room name\./, name);
      assert.match(await operator.text(`CFLR ${name}|1`), /^512 Invalid floor name\./, name);
    }
    for (const name of ['L0bby', 'ꓡꓳꓐꓐꓬ', 'Lobby ', 'A1de', 'Mai1']) await ann.expect(`CRE8 1|${name}|0`, 574);
    assert.equal(await ann.text('CRE8 1|L0bby|0'), "574 'L0bby' looks like 'Lobby', which already exists.");
    await ann.expect('CRE8 1|Team|0', 200);
    await ann.expect('GOTO Team', 200);
    for (const name of ['Lob\u200Bby', 'Tеam']) await ann.expect(`SETR ${name}|||2|0`, 512);
    await ann.expect('SETR L0bby|||2|0', 574);
    await ann.expect('SETR TEAM|||2|0', 200);
    await operator.expect('CFLR MAIN FL00R|1', 574);
    for (const name of ['аnn', 'ann\u202E', 'a\u200Bnn', 'Ｃarol'])
      assert.match(await operator.text(`CREU ${name}|x`), /^5(12|74) /, name);
    await operator.expect('CREU B0B|x', 574);
    await operator.expect('CREU Carol|x', 200);
    await operator.expect('RENU Carol|B0b', 574);
    await operator.expect('RENU Carol|cаrol', 512);
    await operator.expect('RENU Carol|Car0l', 200);
    for (const client of [ann, operator]) client.close();
  });

  it('a room that may not be known is not named', async () => {
    const [ann, operator] = [
      await login('ann'),
      await WireClient.connect(`${gateway.dataFolder}/citadel-admin.socket`),
    ];
    await operator.expect('CRE8 1|Preferred|0', 200);
    await operator.expect('GOTO Preferred', 200);
    await operator.expect(`SETR Preferred|||${ROOM_FLAG.inUse | ROOM_FLAG.preferredOnly}|0`, 200);
    assert.equal(await ann.text('CRE8 1|Ｐreferred|0'), "574 'Ｐreferred' looks like a name that already exists.");
    for (const client of [ann, operator]) client.close();
  });
});

describe('in front of a server that takes any name', () => {
  const row = (name: string, flags = 2) => `${name}|${flags}|0|64|0|302|0|0|1795221150|\n`;
  const goto = (name: string, flags = 2) => `200 ${name}|0|0|0|${flags}|0|0|0|1|0|0|0|0|0|0|1795221150|\n`;
  const ANSWERS: Answers = {
    LRMS: `100 Rooms\n${row('Lobby')}${row('Team')}${row('Den', 6)}${row('Od\u200Bd')}${row('Hall')}000\n`,
    LFLR: '100 Floors\n0|Main Floor|3\n1|Loft|0\n000\n',
    LIST: '100 Users\nann|4|2|0|0|0||\nbob|4|3|0|0|0||\n000\n',
    'GOTO _BASEROOM_||1': goto('Lobby'),
    'GOTO Team||1': goto('Team'),
    'GOTO Od\u200Bd||1': goto('Od\u200Bd'),
    GOTO: '572 not found\n',
    GETR: [...Array.from({ length: 3 }, () => '200 Team|||2|0|64|0|0|\n'), '200 Od\u200Bd|||2|0|64|0|0|\n'],
    PASS: '200 ann|6|0|0|0|2|0\n',
    SETR: '200 Ok\n',
    CRE8: '200 created\n',
    CFLR: '200 2\n',
    EFLR: '200 Ok\n',
    CREU: '200 created\n',
    KILL: '200 deleted\n',
  };

  it('the gateway refuses it, and sends on what is left', async (t) => {
    const peer = await faultServer(ANSWERS, []);
    t.after(() => peer.close());
    const gateway = await startGateway(t, { backend: `unix:${peer.path}` });
    const ann = apiOf(gateway.as('ann', 'ann'));
    for (const name of [...HIDDEN, ...MIXED]) assert.equal((await ann.post('r/', { name })).status, 400, name);
    for (const name of ['L0bby', 'TEAM', 'Ｔeam', 'HaII', 'Mai1', 'A1de']) {
      assert.equal((await ann.post('r/', { name })).status, 409, name);
    }
    assert.equal((await ann.patch(at('Team'), { name: 'L0bby' })).status, 409);
    assert.equal((await ann.transfer('MOVE', 'Team', 'HaII')).status, 409);
    assert.equal((await ann.post('f/', { name: 'L0ft' })).status, 409);
    assert.equal((await ann.patch('f/1', { name: 'Main Fl0or' })).status, 409);
    assert.equal((await ann.post('u/', { username: 'B0b', password: 'x' })).status, 409);
    const changes = () => peer.received.flat().filter((line) => /^(CRE8|SETR|CFLR|EFLR|CREU)/.test(line));
    assert.deepEqual(changes(), []);
    assert.equal((await ann.post('r/', { name: ' De\u0301n ' })).status, 201);
    assert.equal((await ann.post('r/', { name: 'Ｄen' })).status, 201);
    assert.equal((await ann.post('r/', { name: 'L0bby', kind: 'personal' })).status, 201);
    assert.equal((await ann.patch(at('Team'), { name: 'TEAM' })).status, 204);
    // an old one stays reachable, and can be renamed or deleted
    assert.equal((await ann.patch(at('Od\u200Bd'), { name: 'Odd' })).status, 204);
    assert.equal((await gateway.as('ann', 'ann')(at('Od\u200Bd'), { method: 'DELETE' })).status, 204);
    assert.deepEqual(changes(), [
      'CRE8 1|Dén|0||0||0',
      'CRE8 1|Ｄen|0||0||0',
      'CRE8 1|L0bby|4||0||0',
      'SETR TEAM|||2|0|-1',
      'SETR Odd|||2|0|-1',
    ]);
  });
});
