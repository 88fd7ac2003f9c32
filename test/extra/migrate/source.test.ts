// What `vestibule copy` asks of an ordinary room server.

import assert from 'node:assert/strict';
import { it, type TestContext } from 'node:test';
import type { CopySource } from '../../../src/extra/migrate/model.ts';
import { openSource } from '../../../src/extra/migrate/source.ts';
import { Connection } from '../../../src/room-server/connection/connection.ts';
import { parseTranscript, type ScriptedPeer, scriptedPeer } from '../../support/scripted-peer.ts';

const SESSION = `# session one
S: 200 vm Citadel server ready.
C: LKRA -1
S: 100 Known rooms:
S: Lobby|2|0|0|0|0|1|0|0|
S: 000
C: LZRM -1
S: 100 Zapped rooms:
S: 000
C: GOTO Lobby||1
S: 200 Lobby|0|1|0|2|5|5|0|1|0|0|0|0|0|0|0|
C: GETR
S: 200 Lobby||0|2|0|0|0|0|0|
C: GETA
S: 200 
C: GOTO 0000000007.Mail||1
S: 200 Mail|0|1|0|6|9|9|1|1|0|0|1|1|0|0|0|
C: GOTO Lobby||1
S: 200 Lobby|0|1|0|2|5|5|0|1|0|0|0|0|0|0|0|
C: MSG0 0|3
S: 550 message 0 was not found in this room
C: MSGS ALL|||8
`;

// as recorded in 93-quirk-rooms (a room without a name), 50-wiki (pages) and 40-seen (read marks)
const SHARED = `# session one
S: 200 vm Citadel server ready.
C: LKRA -1
S: 100 Known rooms:
S: |2|0|64|0|486|0|0|1795220850|
S: Wiki|2|0|64|0|486|6|6|1795221535|
S: 9999999999.6B00E5AB.0000.Box|2|0|64|0|486|0|0|1795220850|
S: 000
C: LZRM -1
S: 100 Zapped rooms:
S: 000
C: GOTO ||1
S: 572 room '' not found
C: GOTO Wiki||1
S: 200 Wiki|1|2|0|2|9|8|0|1|0|0|6|6|0|0|1795221535|
C: GETR
S: 200 Wiki|||2|0|64|6|0|
C: GETA
S: 200 
C: GOTO 9999999999.6B00E5AB.0000.Box||1
S: 572 room '9999999999.6B00E5AB.0000.Box' not found
C: GOTO Wiki||1
S: 200 Wiki|1|2|0|2|9|8|0|1|0|0|6|6|0|0|1795221535|
C: MSG0 0|3
S: 550 message 0 was not found in this room
C: MSGS ALL|||8
S: 800 Send list of headers
C: msgn
C: exti
C: 000
S: 8|6B00E81F-00000007@vm/home_HISTORY_|home_HISTORY_
S: 9|6B00E81F-00000006@vm/home|home
S: 000
C: MSG0 0|3
S: 550 message 0 was not found in this room
C: MSG2 9|1
S: 100 msg:
S: Subject: home
S: 000
C: WHOK
S: 100 Who knows room:
S: admin
S: ann
S: 000
C: GTSN
S: 200 *:8
`;

async function scripted(t: TestContext, session: string): Promise<{ peer: ScriptedPeer; source: CopySource }> {
  const peer = await scriptedPeer(parseTranscript(session).get('one')!);
  const connection = await Connection.open({ path: peer.path });
  t.after(async () => {
    connection.close();
    await peer.close();
  });
  return { peer, source: openSource(connection, false, 'admin') };
}

it('goes back to the only shared room after it has looked at mailboxes', async (t) => {
  const usual = ['Sent Items', 'Drafts', 'Trash', 'Archive', 'Calendar', 'Tasks', 'Notes', 'Contacts'];
  const missing = usual.map((name) => `C: GOTO 0000000007.${name}||1\nS: 572 room '${name}' not found\n`).join('');
  const mail = /(?<=S: 200 Mail.*\n)/;
  const { peer, source } = await scripted(t, SESSION.replace(mail, missing));
  const ann = { num: 7, name: 'ann', level: 4, flags: 0, password: '', bio: '' };
  const rooms = await source.rooms([ann]);
  assert.deepEqual(
    rooms.map(({ name }) => name),
    ['Lobby', '0000000007.Mail'],
  );
  source.list(rooms[0]!).catch(() => undefined);
  await peer.done;
});

it('leaves out rooms that nobody can enter and the history of wiki pages; takes the read mark along', async (t) => {
  const { peer, source } = await scripted(t, SHARED);
  const rooms = await source.rooms([]);
  assert.deepEqual(
    rooms.map(({ name }) => name),
    ['Wiki'],
  );
  const listed = await source.list(rooms[0]!);
  assert.deepEqual(
    listed.map(({ msgnum }) => msgnum),
    [9],
  );
  const visits = await source.visits(rooms[0]!);
  assert.deepEqual(
    visits.map(({ user, lastRead, seen }) => [user, lastRead, String(seen)]),
    [
      ['admin', 8, '*:8'],
      ['ann', 0, 'undefined'],
    ],
  );
  await peer.done;
});
