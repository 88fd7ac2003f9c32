import { describe, it } from 'node:test';
import { startRoomServer } from '../../../support/room-server.ts';
import { WireClient } from '../../../support/wire-client.ts';
import { answers } from '../../../support/wire-users.ts';

describe('users', () => {
  it('are the same for a log-in, a look-up and a mail, however the name is spelled', async (t) => {
    const { socketPath } = await startRoomServer(t, { users: { ann: 4, bob: 4 } });
    const bob = await WireClient.login(socketPath, 'bob', 'bobpw');
    await bob.expect('GOTO _MAIL_', 200);
    const anns = ['ann', 'A.N-N', 'ann\u212A', 'ann@localhost', 'a@nn@localhost', 'ANN@LOCALHOST'];
    const nobodys = ['annk', 'ann@elsewhere', 'ann@', '@localhost', 'ann@localhos\u212A', 'ann@x@elsewhere', '\u212A'];
    for (const name of [...anns, ...nobodys]) {
      const isAnn = anns.includes(name);
      const stranger = await WireClient.connect(socketPath);
      await answers(stranger, [[`USER ${name}`, isAnn ? '300 Password required for ann' : `570 ${name} not found.`]]);
      stranger.close();
      await answers(bob, [
        [`QUSR ${name}`, isAnn ? '200 ann' : '570 No such user.'],
        [`ENT0 0|${name}`, isAnn ? /^200/ : /^570/],
      ]);
    }
  });
});
