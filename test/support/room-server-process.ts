// Runs the embedded room server as the whole of a process, so that tests can kill it. Arguments: a folder, the name of
// the socket in it, and before which change of the database it kills itself, counted from `ready` on; 0: never.

import { join } from 'node:path';
import { StatementSync } from 'node:sqlite';
import { RoomServer } from '../../src/backend/wire/server.ts';
import { firstStart, LOW_PASSWORD_COST } from './first-start.ts';

const [folder = '', socketName = '', killAt = '0'] = process.argv.slice(2);
const store = await firstStart(join(folder, 'data'), { adminPassword: 'adminpw', demo: false, users: [] });
const server = new RoomServer(store, {
  passwordCost: LOW_PASSWORD_COST,
  onFault: (error) => {
    console.error(error);
    process.exit(1);
  },
});
await server.listen({ path: join(folder, socketName) });

let left = Number(killAt);
const { run } = StatementSync.prototype;
StatementSync.prototype.run = function (this: StatementSync, ...values: Parameters<typeof run>) {
  if (--left === 0) process.kill(process.pid, 'SIGKILL');
  return run.apply(this, values);
} as typeof run;
console.log('ready');
