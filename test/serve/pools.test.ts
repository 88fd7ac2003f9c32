// How a gateway reaches its room servers.

import assert from 'node:assert/strict';
import { it } from 'node:test';
import { parseCommandLine } from '../../src/cli/options.ts';
import { EMBEDDED_MAX_CONNECTIONS } from '../../src/limits/protocol.ts';
import { countsPathIn, poolOptions } from '../../src/serve/pools.ts';
import { ChangeCounts } from '../../src/system/change-counts.ts';

function optionsOf(...words: string[]) {
  const { command, options } = parseCommandLine(words, {}) as {
    command: string;
    options: Parameters<typeof poolOptions>[0];
  };
  assert.equal(command, 'serve');
  return options;
}

it('the processes of one server share out the connections to the room server', () => {
  const changes = new ChangeCounts();
  const own = poolOptions(optionsOf('--workers', '3'), 'embedded', '/run/socket', changes);
  assert.deepEqual(
    [own.target, own.maxConnections],
    [{ path: '/run/socket' }, Math.floor(EMBEDDED_MAX_CONNECTIONS / 3)],
  );
  const options = optionsOf('--workers', '2', '--backend', 'tcp://bbs:504', '--backend-connections', '9');
  const other = poolOptions(options, options.backends[0]!.address, undefined, undefined);
  assert.deepEqual([other.target, other.maxConnections], [{ host: 'bbs', port: 504 }, 4]);
});

it('of a room server elsewhere nothing is kept: its changes are not seen', () => {
  const changes = new ChangeCounts();
  const options = optionsOf('--backend', 'unix:/run/citadel.socket');
  assert.equal('changes' in poolOptions(options, options.backends[0]!.address, undefined, changes), false);
  const own = poolOptions(optionsOf(), 'embedded', '/run/socket', changes);
  assert.equal('changes' in own && own.changes, changes);
});

it('changes are counted in the data folder', () => {
  assert.equal(countsPathIn('/var/lib/vestibule'), '/var/lib/vestibule/change-counts');
});
