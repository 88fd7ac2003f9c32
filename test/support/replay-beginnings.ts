// What was there before the two recorded client sessions began; all other recordings make what they need themselves.

import { giveNextNumber } from './replay-run.ts';
import type { TestRoomServer } from './room-server.ts';
import { WireClient } from './wire-client.ts';

const USERS = ['CREU ann|annpw', 'CREU boss|bosspw', 'ASUP boss||10768|0|0|6'];

/** By the name of the recording without `.txt`. */
export const BEGINNINGS: Record<string, (server: TestRoomServer) => Promise<void>> = {
  'net-citadel': async (server) => {
    await administer(server, USERS);
  },
  'textclient-session': async (server) => {
    await administer(server, [...USERS, 'CREU Bob Smith|bobpw']);
    const { socketPath, store } = server;
    const ann = await WireClient.login(socketPath, 'ann', 'annpw');
    await ann.expect('QUIT', 200);
    const boss = await WireClient.login(socketPath, 'boss', 'bosspw');
    await boss.expect('CRE8 1|Team Chat|0', 200);
    await boss.expect('GOTO Team Chat', 200);
    await boss.send('EINF 1', 'This is the team room.');
    giveNextNumber(store, 9);
    await boss.send('ENT0 1|||4|Welcome||1', 'Content-type: text/plain; charset=utf-8\n\nHello team, please say hi.');
    await boss.send('ENT0 1|||0|Old style||1', 'A message in the old format.\n second paragraph');
    await boss.expect('GOTO Lobby', 200);
    giveNextNumber(store, 12);
    await boss.send('ENT0 1|||4|In the lobby||1', 'Content-type: text/html\n\n<p>hello <b>lobby</b></p>');
  },
};

async function administer({ adminSocketPath }: TestRoomServer, lines: readonly string[]): Promise<void> {
  const admin = await WireClient.connect(adminSocketPath);
  for (const line of [...lines, 'QUIT']) await admin.expect(line, 200);
}
