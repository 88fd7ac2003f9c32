// What clients have set on the members of a room, found for a list of it: held while that is little, else asked for.

import assert from 'node:assert/strict';
import { it } from 'node:test';
import { changeProperties, deadPropertiesOf, propertyLookup } from '../../../../src/gateway/collection/properties.ts';
import { PROPERTY_MEMBERS_AT_ONCE } from '../../../../src/limits/dav.ts';
import { startGateway } from '../../../support/gateway.ts';
import { contextsAt } from '../../../support/room-context.ts';
import { startRoomServer } from '../../../support/room-server.ts';

it('properties of members are held up to a bound, and beyond it asked for a few members at once', async (t) => {
  const server = await startRoomServer(t, { users: { alice: 4 } });
  const gateway = await startGateway(t, { backend: `unix:${server.socketPath}` });
  const alice = gateway.as('alice', 'alicepw');
  const context = contextsAt(t, server.socketPath)('alice', 'Files');
  assert.equal((await alice('r/Files/', { method: 'MKCOL' })).status, 201);
  const names = ['a.txt', 'b.txt', 'c.txt'];
  const value = '<a>1</a>';
  for (const name of names) {
    assert.equal((await alice(`r/Files/${name}`, { method: 'PUT', body: name })).status, 201);
    assert.equal(await changeProperties(context, name, [{ namespace: '', name: 'a', value }]), true);
  }
  const expected = names.map((name) => [name, [{ namespace: '', name: 'a', value }]]);
  const bytes = names.length * value.length;
  const held = await propertyLookup(context, bytes);
  assert.equal(held.namesAtOnce, Number.POSITIVE_INFINITY);
  assert.deepEqual([...(await held.find(names))], expected);
  const asked = await propertyLookup(context, bytes - 1);
  assert.equal(asked.namesAtOnce, PROPERTY_MEMBERS_AT_ONCE);
  assert.deepEqual([...(await asked.find([...names, 'none.txt']))], [...expected, ['none.txt', []]]);
  assert.deepEqual(await deadPropertiesOf(context, 'gone.txt'), []);
});
