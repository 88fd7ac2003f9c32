// Who may do what by the line protocol: every verb, sent by everybody, in one table (test/fixtures/line-access.txt) of
// place, command and a status for each who asks. Rooms and accounts are made anew for each command, so none depends on
// another. Outside a hidden room its name means no more than one that nobody has.

import assert from 'node:assert/strict';
import { readFile } from 'node:fs/promises';
import { after, describe, it } from 'node:test';
import { VERBS } from '../../src/backend/verbs/table.ts';
import { startRoomServer } from '../support/room-server.ts';
import { WireClient } from '../support/wire-client.ts';

/** by level; a newcomer has not been validated */
const USERS = { newcomer: 1, other: 4, member: 4, keeper: 4, spare: 4 };
const ASKERS = ['nobody', 'newcomer', 'other', 'member', 'keeper', 'admin'] as const;
const PLACES = ['site', 'open', 'closed', 'own'] as const;
type Asker = (typeof ASKERS)[number];
type Place = (typeof PLACES)[number];
/** those who may not see these rooms */
const OUTSIDE: Readonly<Record<Place, readonly Asker[]>> = {
  site: [],
  open: [],
  closed: ['nobody', 'newcomer', 'other'],
  own: ['nobody', 'newcomer', 'other', 'member'],
};
/** They end the connection or the server, or have no reply. */
const NOT_ASKED = new Set([
  'QUIT',
  'QNOP',
  'DOWN',
  'HALT',
  'SCDN',
  'RBDI',
  'MIGR',
  'STLS',
  'PASS',
  'USER',
  'LOUT',
  'TERM',
  'REQT',
]);

/** `N`: a number of its own, `USER`: an account made for this command, `SELF`: who asks. */
const SITE = `
  NOOP;TIME;IDEN 0|8|4|x|host;INFO;ECHO x;MORE;MESG hello;EMSG hello;GTLS;BIFF;MSGP text/plain;ASYN 1;NTFY 1
  RWHO;GEXP;DEXP 1;SEXP spare|hello;READ 0|1;CLOS;WRIT 1;UCLS 0;RCHT poll;STEL 0
  CONF GETVAL|c_humannode;CONF PUTVAL|c_humannode|x;CONF LISTVAL;TDAP;GPEX site;SPEX site|0|0;LSUB list|x|y|z
  NEWU N;CREU userN|pw;SETP SELFpw;SKEY new;SKEY login|x;SKEY end;APPW new|read|x;APPW list;APPW end|9999
  CHEK;RBIO keeper;EBIO;GVEA;AGUP keeper;ASUP USER|0|0|0|4|4|0|0;AGEA keeper;ASEA USER;LIST;QUSR keeper
  GNUR;VALI USER|4;RENU USER|renamedN;REGI;GREG _SELF_;GREG keeper;GETU;SETU 80|24|0;GVSN;GVDN;ISME keeper;QDIR keeper;DVCA
  COUN;LKRA;LZRM;LFLR;LKRN;LKRO;LRMS;LPRM;CFLR Floor N|1;EFLR 7|x;KFLR 7|1
  CRE8 1|Room N|0;CRE8 1|Room N|3;CRE8 1|Room N|4;CRE8 1|0000000005.N|5
  FIND 10|words;HITS 0|10|||||||0|words;AUTO kee;ULUI 0|image/png;ULUI 0|image/png|keeper;DLUI keeper
  ICAL test;ICAL freebusy|keeper;SCHD inbox;SCHD default;SCHD addresses;SCHD where|x;SCHD drop;SCHD busy|1|2
  XFER;XFER rooms;XFER steps;XFER brought|x;MEMB quota|all;PROP rooms
`;
/** `ROOM`: the room, `MSG`: the message that the keeper has posted in it. */
const IN_ROOM = `
  GOTO ROOM;STAT;WHOK;RINF;GETA;GETR;VIEW 0;GTSN;SLRP HIGHEST;SEEN MSG|1;FORG
  MSGS ALL;ROWS;MSG0 MSG;MSG2 MSG;MSG4 MSG;DLAT MSG|1;OPNA MSG|1;EUID x;WIKI history|x;SRCH words
  ENT0 0;ENT0 1|||1|hi||1;DELE MSG;MOVE MSG|Lobby|1;MOVE MSG|Lobby|0
  MEMB list;MEMB changes|0;MEMB removed|0;MEMB find|x;MEMB read|x;MEMB contents|MSG;MEMB place|0||0;MEMB tree|remove|x/
  MEMB quota;PROP of|;PROP of|MSG;PROP all;PROP set|;PROP set|MSG;SCHD send|x|1;SCHD tags
  SETR ROOM||||0||||;SETA member;KILL 0;KILL 1;EINF;INVT spare;KICK member;GPEX room;SPEX room|1|0;GNET;SNET;GIBR;PIBR
  RDIR;OPEN x;UOPN x|y|z;DELF x;MOVF x|Lobby;RCHT enter;DLRI;ULRI 0|image/png;ICAL getics;ICAL putics;XFER visits
`;
const FLAGS: Readonly<Record<Exclude<Place, 'site'>, string>> = { open: '0', closed: '3', own: '4' };

const commandsOf = (text: string) =>
  text
    .split(/[;\n]/)
    .map((line) => line.trim())
    .filter((line) => line !== '');
const rows = [
  ...commandsOf(SITE).map((command) => ({ place: 'site' as Place, command })),
  ...PLACES.slice(1).flatMap((place) => commandsOf(IN_ROOM).map((command) => ({ place, command }))),
];

const site = await startRoomServer({ after }, { users: USERS });
const admin = await WireClient.connect(site.adminSocketPath);
const numberOf = new Map<string, string>();
for (const line of (await admin.ask('LIST')).lines) numberOf.set(line.split('|')[0]!, line.split('|')[2]!);
let count = 0;

async function login(asker: Asker): Promise<WireClient> {
  if (asker === 'nobody') return WireClient.connect(site.socketPath);
  return WireClient.login(site.socketPath, asker, `${asker}pw`);
}

/** A room of the keeper with one message, and how others call it. */
async function newRoom(place: Exclude<Place, 'site'>): Promise<{ name: string; full: string; message: string }> {
  const name = `Room ${++count}`;
  const keeper = await login('keeper');
  await keeper.expect(`CRE8 1|${name}|${FLAGS[place]}||0|0|0`, 200);
  await keeper.expect(`GOTO ${name}`, 200);
  if (place === 'closed') await keeper.expect('INVT member', 200);
  const [message = ''] = await keeper.send('ENT0 1|||1|Subject||1', 'words\n');
  const full = place === 'own' ? `${numberOf.get('keeper')!.padStart(10, '0')}.${name}` : name;
  keeper.close();
  return { name, full, message };
}

async function makeUser(name: string): Promise<void> {
  const client = await WireClient.connect(site.adminSocketPath);
  await client.expect(`CREU ${name}|pw`, 200);
  client.close();
}

/** One user may have so many rooms only. */
async function remove(room: string): Promise<void> {
  const client = await login('admin');
  if ((await client.ask(`GOTO ${room}`)).code === 200) await client.expect('KILL 1', 200);
  client.close();
}

/** The status; of a body that was taken and then refused, the one that the confirmation has. */
async function statusOf(client: WireClient, command: string): Promise<number> {
  const reply = await client.ask(command);
  if (reply.code >= 700 && reply.code < 800) client.write(Buffer.alloc(Number(reply.line.slice(4)) || 0));
  if (Math.floor(reply.code / 100) === 4) client.write('000\n');
  if (reply.code < 800) return reply.code;
  client.write('words\n000\n');
  const [first = ''] = await client.listing();
  return Number(first.split('|')[0]) <= -100 ? -Number(first.split('|')[0]) : reply.code;
}

async function askAs(asker: Asker, place: Place, command: string, isThere = true): Promise<number> {
  const room = place === 'site' ? undefined : await newRoom(place);
  const n = String(++count);
  if (command.includes('USER')) await makeUser(`Spare ${n}`);
  const called = asker === 'keeper' ? room?.name : room?.full;
  const words: Record<string, string> = {
    N: n,
    USER: `Spare ${n}`,
    SELF: asker,
    ROOM: isThere ? (called ?? '') : `nowhere ${n}`,
    MSG: room?.message ?? '',
  };
  const client = await login(asker);
  try {
    if (room) await client.ask(`GOTO ${words.ROOM}`);
    return await statusOf(
      client,
      command.replace(/\b(?:N|USER|ROOM|MSG)\b|(?<=user|renamed)N|SELF(?=pw)/g, (word) => words[word]!),
    );
  } finally {
    client.close();
    if (room) await remove(room.full);
  }
}

const agreed = (await readFile(new URL('../fixtures/line-access.txt', import.meta.url), 'utf8'))
  .split('\n')
  .filter((line) => line !== '' && !line.startsWith('#'));

describe('the table of who may do what by line', () => {
  it('has every verb', () => {
    const asked = new Set(rows.map(({ command }) => command.slice(0, 4)));
    const missing = [...VERBS.keys()].filter((verb) => !asked.has(verb) && !NOT_ASKED.has(verb));
    assert.deepEqual(missing, []);
  });

  it('is what the server answers', async () => {
    const seen: string[] = [];
    for (const { place, command } of rows) {
      const statuses = await Promise.all(ASKERS.map((asker) => askAs(asker, place, command)));
      seen.push(`${place.padEnd(6)} ${command.padEnd(34)} ${statuses.join(' ')}`);
    }
    assert.deepEqual(seen, agreed);
    assert.deepEqual(site.faults, []);
  });

  it('does not tell a hidden room from one that is not there', async () => {
    for (const { place, command } of rows) {
      for (const asker of OUTSIDE[place]) {
        const [hidden, missing] = [await askAs(asker, place, command), await askAs(asker, place, command, false)];
        assert.equal(hidden, missing, `${asker} ${place} ${command}`);
      }
    }
  });
});
