import { it } from 'node:test';
import { StoreClient } from '../../../../src/extra/resp/store-client.ts';
import { Subscription } from '../../../../src/extra/resp/subscription.ts';
import { eventually } from '../../../support/eventually.ts';
import { startRedis } from '../../../support/redis-server.ts';

it('what is published is heard, again after the server was away, and each gap is told of', async (t) => {
  const store = await startRedis(t);
  const client = new StoreClient(store.address, undefined);
  const heard: string[] = [];
  let joined = 0;
  const subscription = new Subscription(client, 'key', ['one', 'two'], {
    onMessage: (channel, text) => void heard.push(`${channel} ${text}`),
    onJoined: () => void joined++,
  });
  t.after(() => {
    subscription.close();
    client.close();
  });
  await eventually(async () => joined, 1);
  await store.ask('PUBLISH', 'one', 'a');
  await store.ask('PUBLISH', 'three', 'b');
  await store.ask('PUBLISH', 'two', 'c d');
  await eventually(async () => heard, ['one a', 'two c d']);
  await store.stop();
  await store.start();
  await eventually(async () => joined, 2);
  await store.ask('PUBLISH', 'one', 'again');
  await eventually(async () => heard.at(-1), 'one again');
  await store.ask('CLIENT', 'KILL', 'TYPE', 'pubsub');
  await eventually(async () => joined, 3);
  subscription.close();
  await eventually(async () => store.ask('PUBLISH', 'one', 'nobody'), 0);
});
