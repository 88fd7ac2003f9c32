// Tries to break each rule of access over the wire: what an outsider is told, whatever he asks, must not hold a word of
// what he may not read.

import assert from 'node:assert/strict';
import { describe, it, type TestContext } from 'node:test';
import { startRoomServer } from '../../../support/room-server.ts';
import { WireClient } from '../../../support/wire-client.ts';

const SECRET = 'zebra';
const BODY = `Content-type: text/plain; charset=utf-8\n\n${SECRET} stripes\n`;

interface World {
  admin: WireClient;
  /** number of the message in the room */
  number: number;
  login(name: string): Promise<WireClient>;
  guest(): Promise<WireClient>;
  store: Awaited<ReturnType<typeof startRoomServer>>['store'];
}

/** The room Vault of this kind (CRE8) with banner, message, event id and room admin `cy`; `more`: QRflags on top. */
async function vault(t: TestContext, kind: number, more = 0, view = 0): Promise<World> {
  const { socketPath, store } = await startRoomServer(t, { users: { ann: 4, bob: 4, cy: 4, dan: 5, new: 1, bad: 2 } });
  const login = (name: string) => WireClient.login(socketPath, name, `${name}pw`);
  const admin = await login('admin');
  await admin.expect(`CRE8 1|Vault|${kind}|sesame|0|0|${view}`, 200);
  await admin.expect('GOTO Vault|sesame', 200);
  if (more > 0) {
    const flags = Number((await admin.text('GETR')).split('|')[3]);
    await admin.expect(`SETR Vault|sesame||${flags | more}|0`, 200);
  }
  await admin.send('EINF 1', `banner ${SECRET}`);
  const [confirmed] = await admin.send(`ENT0 1|||4|${SECRET} subject||1|||page`, BODY);
  await admin.expect('SETA cy', 200);
  return { admin, number: Number(confirmed), login, guest: () => WireClient.connect(socketPath), store };
}

/** Everything an outsider might try from the room he stands in; what the server says to it. */
async function attack(client: WireClient, number: number): Promise<string> {
  const names = [
    'Vault',
    'vault',
    'VAULT ',
    ' Vault',
    'Vault|sesame1',
    'Vault||1',
    '0000000001.Vault',
    'Vault\0x',
    'Vault/',
  ];
  const lines = [
    ...names.map((name) => `GOTO ${name}`),
    `MSG0 ${number}`,
    `MSG2 ${number}`,
    `MSG4 ${number}`,
    `MSG4 ${number}|1`,
    `DLAT ${number}|1`,
    `OPNA ${number}|1`,
    'READ 0|100',
    'CLOS',
    'MSGS ALL|||1',
    'MSGS ALL|||9',
    `MSGS GT|0`,
    `MSGS SEARCH|${SECRET}`,
    `SRCH ${SECRET}`,
    'SRCH stripes',
    `FIND ${SECRET}`,
    'EUID page',
    'WIKI history|page',
    'ICAL getics',
    'AUTO Vault',
    'LKRA',
    'LKRN',
    'LKRO',
    'LRMS',
    'LZRM',
    'LPRM',
    'RINF',
    'GETR',
    'WHOK',
    'RWHO',
    'DLRI',
    'RDIR',
    'DVCA',
    'RCHT enter',
    'RCHT poll|0',
    'GPEX room',
    'LSUB subscribe|Vault|x@y|z',
    `MOVE ${number}|Mail|1`,
    `MOVE ${number}|Drafts|1`,
    `DELE ${number}`,
    'ENT0 0|room_Vault||4',
  ];
  const said: string[] = [];
  for (const line of lines) {
    const { line: first, lines: rows, bytes, code } = await client.ask(line);
    assert.ok(code < 400 || code >= 500, `${line}: ${first}`);
    // A refusal may repeat what was asked for.
    const echo = /'[^']*'/g;
    said.push(`${line} → ${code >= 500 ? first.replace(echo, '') : first}\n${rows.join('\n')}\n${bytes.toString()}`);
  }
  return said.join('\n');
}

function assertNothingTold(said: string): void {
  const answers = said.split('\n').map((row) => row.replace(/^.* → /, ''));
  for (const answer of answers) assert.doesNotMatch(answer, /zebra|stripes|vault|sesame/i);
}

const CLOSED: [string, number, number][] = [
  ['an invitation room', 3, 0],
  ['a password room, without the password', 2, 0],
  ['a room for preferred users, to others', 0, 4096],
];

describe('a room that is closed', () => {
  for (const [name, kind, more] of CLOSED) {
    it(`tells outsiders nothing: ${name}`, async (t) => {
      const { login, number } = await vault(t, kind, more);
      for (const user of ['ann', 'new', 'bad']) assertNothingTold(await attack(await login(user), number));
    });

    it(`tells guests nothing: ${name}`, async (t) => {
      const { guest, number, admin } = await vault(t, kind, more);
      const stranger = await guest();
      assertNothingTold(await attack(stranger, number));
      await admin.expect('CONF PUTVAL|c_guest_logins|1', 200);
      assertNothingTold(await attack(await guest(), number));
    });
  }

  it('is not told by name where it is guessed', async (t) => {
    const { login, number } = await vault(t, 1);
    const ann = await login('ann');
    for (const line of ['LKRA', 'LRMS', 'LPRM', 'LZRM', 'SRCH zebra', `FIND zebra`, `MSG0 ${number}`]) {
      assert.doesNotMatch(await ann.text(line), /vault|zebra \w/i, line);
    }
    await ann.expect('GOTO vAULT', 200);
    await ann.expect(`MSG0 ${number}`, 100);
  });

  it('of another user is reached by no form of its name', async (t) => {
    const { login, store } = await vault(t, 0);
    const bob = await login('bob');
    await bob.expect('CRE8 1|Vault2|4', 200);
    await bob.expect('GOTO Vault2', 200);
    await bob.send('EINF 1', `banner ${SECRET}`);
    const [number] = await bob.send(`ENT0 1|||4|${SECRET}||1`, BODY);
    const { id } = store.db.prepare("SELECT id FROM user WHERE name = 'bob'").get() as { id: number };
    const full = `${String(id).padStart(10, '0')}.Vault2`;
    const ann = await login('ann');
    for (const name of [
      'Vault2',
      full,
      full.toUpperCase(),
      ` ${full}`,
      `${full} `,
      full.slice(1),
      `0${full}`,
      `${id}.Vault2`,
    ]) {
      await ann.expect(`GOTO ${name}`, 572);
    }
    for (const line of [
      `MSG0 ${number}`,
      `DLAT ${number}|1`,
      `MOVE ${number}|Mail|1`,
      `ENT0 0|room_${full}||4`,
      'SRCH zebra',
    ]) {
      assert.doesNotMatch(await ann.text(line), /zebra/, line);
    }
    assert.doesNotMatch(await ann.text('LKRA'), /Vault2/);
    // Nor can a room be made that passes for it.
    for (const name of [full, ` ${full}`, full.toLowerCase()]) {
      await ann.expect(`CRE8 1|${name}|0`, 512);
      await ann.expect(`CRE8 1|${name}|5`, 550);
    }
    await ann.expect('GOTO Vault2', 572);
  });
});

describe('a member who is put out', () => {
  it('of a public room learns nothing more, wherever he stands and whatever he had open', async (t) => {
    const { admin, login, number } = await vault(t, 0);
    const ann = await login('ann');
    await ann.expect('GOTO Vault', 200);
    await ann.expect(`OPNA ${number}|1`, 200);
    await admin.expect('KICK ann', 200);
    await ann.expect('READ 0|10', 550);
    await ann.expect('CLOS', 200);
    const inside = await attack(ann, number);
    assert.doesNotMatch(inside.replace(/^.* → /gm, ''), /zebra|stripes/);
    await ann.expect('GOTO Lobby', 200);
    // The name of a public room is no secret: LRMS shows it as one he may not enter.
    assert.doesNotMatch((await attack(ann, number)).replace(/^.* → /gm, ''), /zebra|stripes/);
    for (const line of ['FORG', 'GOTO Vault', 'GOTO Vault||1']) await ann.ask(line);
    assert.match(await ann.text('STAT'), /^200 Lobby\|/);
    await admin.expect('INVT ann', 200);
    await ann.expect('GOTO Vault', 200);
  });

  it('posts nothing, not even what he had begun', async (t) => {
    const { admin, login } = await vault(t, 0);
    const ann = await login('ann');
    await ann.expect('GOTO Vault', 200);
    await ann.expect('ENT0 1|||4|late||1', 800);
    await admin.expect('KICK ann', 200);
    ann.write(`${BODY}000\n`);
    const [number] = await ann.listing();
    assert.ok(Number(number) < 0, `posted as ${number}`);
    await ann.expect('ENT0 0|||4', 550);
    assert.equal((await admin.ask('MSGS ALL')).lines.length, 1);
  });

  it('of a room that others may enter by its name or its password is not let in by them', async (t) => {
    for (const kind of [1, 2]) {
      const { admin, login, number } = await vault(t, kind);
      const ann = await login('ann');
      await ann.expect('GOTO Vault|sesame', 200);
      await admin.expect('KICK ann', 200);
      for (const line of ['GOTO Vault|sesame', 'GOTO Vault|sesame|1']) await ann.expect(line, 572);
      assert.doesNotMatch((await attack(ann, number)).replace(/^.* → /gm, ''), /zebra|stripes/);
      await ann.expect('GOTO Lobby', 200);
      for (const line of ['GOTO Vault|sesame', 'GOTO Vault|sesame|1']) await ann.expect(line, 572);
    }
  });

  it('of his own personal room by an administrator is not: it stays his', async (t) => {
    const { admin, login, store } = await vault(t, 0);
    const ann = await login('ann');
    const { id } = store.db.prepare("SELECT id FROM user WHERE name = 'ann'").get() as { id: number };
    await admin.expect(`GOTO ${String(id).padStart(10, '0')}.Notes`, 200);
    await admin.expect('KICK ann', 200);
    await ann.expect('GOTO Notes', 200);
    await ann.expect('MSGS ALL', 100);
    await ann.expect('ENT0 0|||4', 200);
  });

  it('takes nothing along that he has left behind in a list', async (t) => {
    const { admin, login, number } = await vault(t, 3);
    await admin.expect('INVT ann', 200);
    const ann = await login('ann');
    await ann.expect('GOTO Vault', 200);
    await ann.expect('MSGS ALL', 100);
    await ann.expect('GOTO Lobby', 200);
    for (const line of [`MSG0 ${number}`, `MSG2 ${number}`, `DLAT ${number}|1`, `OPNA ${number}|1`]) {
      await ann.expect(line, 550);
    }
    await ann.expect('GOTO Mail', 200);
    await ann.expect(`MOVE ${number}|Drafts|1`, 575);
  });
});

describe('rights inside a room', () => {
  it('to change, delete and administer it are those of its administrators alone', async (t) => {
    const { login, number, admin } = await vault(t, 0);
    const ann = await login('ann');
    await ann.expect('GOTO Vault', 200);
    const refused = [
      'GETR',
      'SETR Mine|||2|0',
      'SETA ann',
      'KILL 1',
      'EINF 1',
      'INVT ann',
      'KICK bob',
      'ULRI 100|image/png',
      'SPEX room|1|0',
      'GNET',
      'SNET',
      `DELE ${number}`,
      `MOVE ${number}|Drafts|0`,
      `MOVE ${number}|Trashcan|1`,
      'ENT0 1|||4|x|admin|1',
      'ENT0 1|||4|x|Vestibule|1',
      'ENT0 1|||4|x||1||||admin@localhost',
    ];
    for (const line of refused) assert.match(await ann.text(line), /^5[56]0 /, line);
    const cy = await login('cy');
    await cy.expect('GOTO Vault', 200);
    for (const line of ['GETR', 'EINF 0', 'KILL 0', 'INVT ann']) await cy.expect(line, 200);
    assert.match(await admin.text('GETR'), /^200 Vault\|/);
    assert.equal((await admin.ask('MSGS ALL')).lines.length, 1);
  });

  it('of a room admin end at the door of the room', async (t) => {
    const { login } = await vault(t, 0);
    const cy = await login('cy');
    const users = [
      'CREU x|y',
      'ASUP cy|||||6',
      'VALI cy|6',
      'AGUP cy',
      'RENU ann|anna',
      'ASEA cy',
      'GNUR',
      'CONF LISTVAL',
    ];
    const site = ['CFLR New|1', 'EFLR 0|x', 'KFLR 0|1', 'TDAP', 'DOWN', 'REQT 0', 'EMSG hello', 'SPEX site|1|0'];
    for (const line of [...users, ...site]) await cy.expect(line, 550);
    await cy.expect('GOTO Lobby', 200);
    for (const line of ['GETR', 'SETA cy', 'EINF 1']) await cy.expect(line, 550);
    await cy.expect('KILL 1', 560);
    await cy.expect('SEXP broadcast|x', 550);
  });

  it('do not let a read-only room be written, by posts, copies, mail or files', async (t) => {
    const { admin, login } = await vault(t, 0, 8192);
    const ann = await login('ann');
    await ann.expect('CRE8 1|Own|4', 200);
    await ann.expect('GOTO Own', 200);
    const [own] = await ann.send('ENT0 1|||4|x||1', BODY);
    await ann.expect(`MOVE ${own}|Vault|1`, 550);
    await ann.expect('GOTO Mail', 200);
    await ann.expect('ENT0 0|room_Vault||4', 570);
    await ann.expect('GOTO Vault', 200);
    await ann.expect('ENT0 0|||4', 550);
    await ann.expect('RCHT enter', 200);
    await ann.expect('RCHT send', 550);
    assert.equal((await admin.ask('MSGS ALL')).lines.length, 1);
  });

  it('of users who are not validated, or a problem, are less', async (t) => {
    const { login } = await vault(t, 0);
    const fresh = await login('new');
    await fresh.expect('GOTO Vault', 200);
    await fresh.expect('ENT0 0|||4', 550);
    await fresh.expect('RCHT enter', 200);
    await fresh.expect('RCHT send', 550);
    await fresh.expect('CRE8 0|x|0', 550);
    const bad = await login('bad');
    await bad.expect('CRE8 0|x|0', 550);
    for (const client of [fresh, bad]) await client.expect('ASUP new|||||6', 550);
  });

  it('of preferred users open the room to them', async (t) => {
    const { login, number } = await vault(t, 0, 4096);
    const dan = await login('dan');
    await dan.expect('GOTO Vault', 200);
    await dan.expect(`MSG0 ${number}`, 100);
  });
});

describe('an anonymous room', () => {
  it('tells nobody but its administrators who wrote, whatever he asks', async (t) => {
    const { login } = await vault(t, 0, 512);
    const ann = await login('ann');
    await ann.expect('GOTO Vault', 200);
    const [number] = await ann.send('ENT0 1||0|4|who|ann|1', BODY);
    for (const user of ['bob', 'dan', 'bad']) {
      const client = await login(user);
      await client.expect('GOTO Vault', 200);
      const ways = [
        `MSG0 ${number}`,
        `MSG0 ${number}|1`,
        `MSG2 ${number}`,
        `MSG4 ${number}`,
        'MSGS ALL|||1',
        'MSGS ALL|||9',
      ];
      ways.push('SRCH ann', 'MSGS SEARCH|ann', 'FIND 10|ann', 'ICAL getics', 'DVCA');
      if ((await client.ask(`MOVE ${number}|Drafts|1`)).code === 200) {
        await client.expect('GOTO Drafts', 200);
        ways.push(`MSG0 ${number}`, `MSG2 ${number}`, 'MSGS ALL|||1', 'MSGS ALL|||9', 'GOTO Vault', ...ways);
      }
      for (const way of ways) {
        const { lines } = await client.ask(way);
        for (const row of lines) assert.doesNotMatch(row, /\bann\b/, `${user}: ${way}`);
      }
    }
  });
});

describe('a room that its reader has forgotten', () => {
  it('is out of his lists and searches, and a closed one stays shut', async (t) => {
    const { admin, login, number } = await vault(t, 3);
    await admin.expect('INVT ann', 200);
    const ann = await login('ann');
    await ann.expect('GOTO Vault', 200);
    await ann.expect(`OPNA ${number}|1`, 200);
    await ann.expect('FORG', 200);
    assertNothingTold(await attack(ann, number));
    assertNothingTold(await attack(await login('ann'), number));
    await admin.expect('INVT ann', 200);
    await ann.expect('GOTO Vault', 200);
    await ann.expect(`MSG0 ${number}`, 100);
  });
});

describe('floors', () => {
  it('are made, named and removed by administrators alone', async (t) => {
    const { admin, login, guest } = await vault(t, 0);
    const { line } = await admin.expect('CFLR Loft|1', 200);
    const floor = line.split(' ')[1]!;
    const before = (await admin.ask('LFLR')).lines;
    for (const client of [
      await login('ann'),
      await login('cy'),
      await login('dan'),
      await login('new'),
      await guest(),
    ]) {
      for (const command of ['CFLR Attic|1', 'CFLR Attic|0', `EFLR ${floor}|Mine`, `KFLR ${floor}|1`, 'KFLR 0|1']) {
        const { code } = await client.ask(command);
        assert.ok(code === 550 || code === 520, `${command}: ${code}`);
      }
    }
    assert.deepEqual((await admin.ask('LFLR')).lines, before);
  });
});

describe('a password', () => {
  it('of a room is asked once, shown to nobody, and changes with it', async (t) => {
    const { admin, login, number } = await vault(t, 2);
    const ann = await login('ann');
    for (const wrong of ['', 'sesam', 'sesame ', ' sesame', 'sesame|']) {
      const { code } = await ann.ask(`GOTO Vault|${wrong}`);
      if (wrong !== 'sesame|') assert.equal(code, 540, JSON.stringify(wrong));
    }
    await ann.expect('GOTO Lobby', 200);
    await ann.expect('GOTO Vault', 200);
    await ann.expect('GETR', 550);
    await ann.expect(`MSG0 ${number}`, 100);
    assert.match(await admin.text('GETR'), /^200 Vault\|\|/);
    const bob = await login('bob');
    await admin.expect('SETR Vault|other||14|1', 200);
    await bob.expect('GOTO Vault|sesame', 540);
    await ann.expect(`MSG0 ${number}`, 550);
    await ann.expect('GOTO Lobby', 200);
    await ann.expect('GOTO Vault', 540);
  });
});

describe('MOVE', () => {
  it('answers alike for a room that is not there and for one that is not known', async (t) => {
    const { login } = await vault(t, 3);
    const ann = await login('ann');
    const [number] = await ann.send('ENT0 1|||4|x||1', BODY);
    const tried = async (name: string) => (await ann.text(`MOVE ${number}|${name}|1`)).replace(name, 'NAME');
    const unknown = await tried('Nowhere');
    for (const name of ['Vault', 'vault', 'Aide', '0000000001.Mail', '0000000003.Drafts']) {
      assert.equal(await tried(name), unknown, name);
    }
  });
});

describe('one user', () => {
  it('cannot act as another, or change what is his', async (t) => {
    const { login, guest } = await vault(t, 0);
    const ann = await login('ann');
    const bob = await login('bob');
    const sessions = (await ann.ask('RWHO')).lines;
    const bobsSession = sessions.find((row) => row.split('|')[1] === 'bob')!.split('|')[0];
    const refused = [
      `TERM ${bobsSession}`,
      `REQT ${bobsSession}`,
      'GREG bob',
      'AGUP bob',
      'AGEA bob',
      'ULUI 100|image/png|bob',
      'ENT0 0|||4||bob',
    ];
    for (const line of refused) await ann.expect(line, 550);
    await ann.expect('USER bob', 541);
    await ann.expect('PASS bobpw', 541);
    await ann.expect('NEWU x', 541);
    await bob.expect('NOOP', 200);
    const stranger = await guest();
    await stranger.expect('USER bob', 300);
    for (const line of ['SETP x', 'ENT0 0|||4', 'GOTO Mail', 'EBIO', 'PIBR', 'REGI', 'SLRP 1', 'CRE8 0']) {
      await stranger.expect(line, 520);
    }
  });

  it('keeps nothing of his rights when he has logged out', async (t) => {
    const { login, number } = await vault(t, 0);
    const cy = await login('cy');
    await cy.expect('GOTO Vault', 200);
    await cy.expect(`OPNA ${number}|1`, 200);
    await cy.expect('RCHT enter', 200);
    await cy.expect('LOUT', 200);
    await cy.expect('READ 0|10', 553);
    assertNothingTold(await attack(cy, number));
    for (const line of ['GETR', 'RCHT poll|0', 'GTSN']) await cy.expect(line, 520);
  });
});
