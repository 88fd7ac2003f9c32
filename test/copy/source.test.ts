// What `vestibule copy` asks of an ordinary room server.

import assert from 'node:assert/strict';
import { it } from 'node:test';
import { Connection } from '../../src/client/connection.ts';
import { openSource } from '../../src/copy/source.ts';
import { parseTranscript, scriptedPeer } from '../support/scripted-peer.ts';

const SESSION = `# session one
S: 200 vm Citadel server ready.
C: LKRA -1
S: 100 Known rooms:
S: Lobby|2|0|0|0|0|1|0|0|
S: 000
C: LZRM -1
S: 100 Zapped rooms:
S: 000
C: GOTO Lobby||0
S: 200 Lobby|0|1|0|2|5|5|0|1|0|0|0|0|0|0|0|
C: MSGS LAST|0
S: 100 0 messages...
S: 000
C: GETR
S: 200 Lobby||0|2|0|0|0|0|0|
C: GETA
S: 200 
C: GOTO 0000000007.Mail||0
S: 200 Mail|0|1|0|6|9|9|1|1|0|0|1|1|0|0|0|
C: GOTO Lobby||0
S: 200 Lobby|0|1|0|2|5|5|0|1|0|0|0|0|0|0|0|
C: MSGS LAST|0
S: 100 0 messages...
S: 000
C: MSGS ALL|||8
`;

it('goes back to the only shared room after it has looked at mailboxes', async (t) => {
  const usual = ['Sent Items', 'Drafts', 'Trash', 'Calendar', 'Tasks', 'Contacts', 'Notes'];
  const missing = usual.map((name) => `C: GOTO 0000000007.${name}||0\nS: 572 room '${name}' not found\n`).join('');
  const mail = /(?<=S: 200 Mail.*\n)/;
  const peer = await scriptedPeer(parseTranscript(SESSION.replace(mail, missing)).get('one')!);
  const connection = await Connection.open({ path: peer.path });
  t.after(async () => {
    connection.close();
    await peer.close();
  });
  const source = openSource(connection, false, 'admin');
  const ann = { num: 7, name: 'ann', level: 4, flags: 0, password: '', bio: '' };
  const rooms = await source.rooms([ann]);
  assert.deepEqual(
    rooms.map(({ name }) => name),
    ['Lobby', '0000000007.Mail'],
  );
  source.list(rooms[0]!).catch(() => undefined);
  await peer.done;
});
