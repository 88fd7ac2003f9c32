// Floors: one of them, making, naming, removing. Their list is in rooms.ts.

import { AppError } from '../errors.ts';
import type { App } from '../gateway/app.ts';
import { callerOf, userOf } from '../gateway/caller.ts';
import type { Exchange } from '../http/exchange.ts';
import { asJson, send, sendEmpty } from '../http/respond.ts';
import { MAX_FLOOR_NAME_BYTES } from '../limits/backend.ts';
import { foldName, nameFault } from '../protocol/name-rules.ts';
import { createFloor, deleteFloor, renameFloor } from '../room-server/floors.ts';
import { listFloors } from '../room-server/rooms.ts';
import { type Check, line, readJsonFields, required } from './json-fields.ts';

const floorName: Check<string> = (value, field) => {
  const name = foldName(line(MAX_FLOOR_NAME_BYTES)(value, field));
  const fault = nameFault(name) ?? (name === '' ? 'A floor needs a name.' : undefined);
  if (fault !== undefined) throw new AppError('bad_request', fault);
  return line(MAX_FLOOR_NAME_BYTES)(name, field); // composing makes some letters longer
};

const FLOOR = { name: floorName };

/** GET f/:num */
export async function getFloor(exchange: Exchange, app: App): Promise<void> {
  const num = numberOf(exchange);
  const { identity } = await callerOf(exchange, app);
  const floor = (await listFloors(app.pool, identity)).find((one) => one.num === num);
  if (!floor) throw noSuchFloor();
  await send(exchange, 200, asJson(floor));
}

/** POST f/ → 201 */
export async function postFloor(exchange: Exchange, app: App): Promise<void> {
  const { identity } = await userOf(exchange, app);
  const name = required((await readJsonFields(exchange, FLOOR)).name, 'name');
  const num = await createFloor(app.pool, identity, name);
  await sendEmpty(exchange, 201, { Location: `${app.prefix}f/${num}` });
}

/** PATCH f/:num → 204 */
export async function patchFloor(exchange: Exchange, app: App): Promise<void> {
  const { identity } = await userOf(exchange, app);
  const num = numberOf(exchange);
  const name = required((await readJsonFields(exchange, FLOOR)).name, 'name');
  await renameFloor(app.pool, identity, num, name);
  await sendEmpty(exchange, 204);
}

/** DELETE f/:num → 204 */
export async function removeFloor(exchange: Exchange, app: App): Promise<void> {
  const { identity } = await userOf(exchange, app);
  await deleteFloor(app.pool, identity, numberOf(exchange));
  await sendEmpty(exchange, 204);
}

function numberOf(exchange: Exchange): number {
  const text = exchange.params.num!;
  if (!/^(0|[1-9]\d{0,3})$/.test(text)) throw noSuchFloor();
  return Number(text);
}

function noSuchFloor(): AppError {
  return new AppError('not_found', 'There is no such floor.');
}
