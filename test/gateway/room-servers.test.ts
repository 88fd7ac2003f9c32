// The room server of a request is that of the host it names; requests to each of several are bounded.

import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import type { App } from '../../src/gateway/app.ts';
import { RoomServers } from '../../src/gateway/new-app.ts';
import type { Exchange } from '../../src/http/exchange.ts';
import { MAX_REQUESTS_OF_ONE_SERVER } from '../../src/limits/http.ts';

const asked = (authority: string | undefined) => ({ authority }) as Exchange;
const server = (name: string, ...hosts: string[]) => ({ name, hosts, app: { landing: name } as App });

async function nameOf(servers: RoomServers, authority: string | undefined): Promise<string | undefined> {
  let name: string | undefined;
  await servers.serve(asked(authority), async (_, { landing }) => void (name = landing));
  return name;
}

describe('the room server of a request', () => {
  it('is that of its host, however spelt, else the one for all other hosts', async () => {
    const servers = new RoomServers([server('a', 'a.example', 'also.a.example'), server(''), server('b', 'b.example')]);
    assert.equal(await nameOf(servers, 'a.example'), 'a');
    assert.equal(await nameOf(servers, 'Also.A.EXAMPLE.:8080'), 'a');
    assert.equal(await nameOf(servers, 'b.example:443'), 'b');
    for (const other of ['c.example', 'x.a.example', 'a.example.evil', '', undefined]) {
      assert.equal(await nameOf(servers, other), '', `for ${other}`);
    }
  });

  it('is none, 421, where no host is left over for it', async () => {
    const servers = new RoomServers([server('a', 'a.example')]);
    assert.equal(await nameOf(servers, 'a.example'), 'a');
    for (const other of ['b.example', '', undefined]) {
      await assert.rejects(nameOf(servers, other), { code: 'misdirected_request' });
    }
  });

  it('gets so many requests at a time and no more, whatever the others have', async () => {
    const servers = new RoomServers([server('a', 'a.example'), server('')]);
    const never = Promise.withResolvers<void>();
    const running = Array.from({ length: MAX_REQUESTS_OF_ONE_SERVER }, () =>
      servers.serve(asked('a.example'), () => never.promise),
    );
    await assert.rejects(nameOf(servers, 'a.example'), { code: 'busy', retryAfterSeconds: 5 });
    assert.equal(await nameOf(servers, 'b.example'), '');
    never.reject(new Error('lost'));
    await Promise.allSettled(running);
    assert.equal(await nameOf(servers, 'a.example'), 'a');
  });

  it('gets as many as there are where it is the only one', async () => {
    const servers = new RoomServers([server('')], 1);
    await servers.serve(asked('a.example'), async () => void (await nameOf(servers, 'a.example')));
  });
});
