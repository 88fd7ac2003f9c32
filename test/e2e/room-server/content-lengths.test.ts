// Lengths of messages that were not PUT under a name.

import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import type { HeaderFacts } from '../../../src/room-server/citadel/header-facts.ts';
import { ContentLengths } from '../../../src/room-server/citadel/member-contents.ts';
import { Pool } from '../../../src/room-server/connection/pool.ts';
import { postedNumber, startGateway } from '../../support/gateway.ts';

describe('measuring', () => {
  it('reads a bounded number of bytes, and none where the list of parts tells the length', async (t) => {
    const gateway = await startGateway(t, { demo: true, options: ['--line-listen', 'tcp://127.0.0.1:0'] });
    const { hostname, port } = new URL(gateway.lineUrl!);
    const pool = new Pool({ target: { host: hostname, port: Number(port) }, clientName: 'test', clientVersion: '1' });
    t.after(() => pool.close());
    const post = async (body: string, type: string) => {
      const init = { method: 'PUT', headers: { 'content-type': type }, body };
      return postedNumber(await gateway.as('alice')('r/Lobby/new', init));
    };
    const plain = await post('as it is\n'.repeat(200), 'text/plain');
    const packed = await post('x'.repeat(1000), 'application/octet-stream');
    const measured = async (msgnum: number, maxBytes: number) => {
      const facts: HeaderFacts = {
        euid: '',
        time: 0,
        name: undefined,
        stored: undefined,
        subject: '',
        contentType: '',
        size: undefined,
        object: undefined,
      };
      const identity = { user: 'alice', password: 'alice' };
      const room = { name: 'Lobby', password: '' };
      const complete = await new ContentLengths({ pool, identity, room }, maxBytes).complete(
        new Map([[msgnum, facts]]),
      );
      assert.equal(facts.size, undefined, 'what somebody else may hold does not change');
      return complete.get(msgnum)?.size;
    };
    assert.equal(await measured(packed, 999), undefined);
    assert.equal(await measured(packed, 1000), 1000);
    assert.equal(await measured(plain, 1), 1800);
    assert.equal(await measured(999999, 1000), undefined, 'a message that is gone');
  });
});
