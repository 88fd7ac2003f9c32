// The table of app passwords: secrets that are found by their hash alone, and what ends them.

import assert from 'node:assert/strict';
import { it } from 'node:test';
import {
  appPasswordsOf,
  dropAppPassword,
  dropAppPasswordsOf,
  findAppPassword,
  noteAppPasswordUse,
  storeAppPassword,
} from '../../../../src/backend/store/keys.ts';
import { Refusal } from '../../../../src/backend/store/refusal.ts';
import { APP_PASSWORD_NOTE_SECONDS, MAX_APP_PASSWORDS_PER_USER } from '../../../../src/limits/sessions.ts';
import { messageWorld } from '../../../support/message-session.ts';

const of = (user: number) => ({ user, name: 'phone', scope: 'all', room: null }) as const;

it('a secret is found, and nothing of it is stored', (t) => {
  const { store, user } = messageWorld(t);
  const ann = user('ann').id;
  const { id, secret } = storeAppPassword(store, of(ann));
  const found = findAppPassword(store, secret);
  assert.deepEqual({ ...found, created: 0 }, { id, ...of(ann), created: 0, used: 0 });
  assert.equal(findAppPassword(store, secret.toUpperCase()), undefined);
  assert.equal(findAppPassword(store, ''), undefined);
  const row = JSON.stringify(store.prepare('SELECT * FROM app_password').all());
  assert.ok(!row.includes(secret) && !row.includes(secret.replaceAll('-', '')));
});

it('secrets are told apart by 125 bits, all characters alike', (t) => {
  const { store, user } = messageWorld(t);
  const ann = of(user('ann').id);
  const secrets = Array.from({ length: MAX_APP_PASSWORDS_PER_USER }, () => storeAppPassword(store, ann));
  assert.equal(new Set(secrets.map(({ secret }) => secret)).size, MAX_APP_PASSWORDS_PER_USER);
  assert.equal(new Set(secrets.flatMap(({ secret }) => [...secret.replaceAll('-', '')])).size, 32);
});

it('a user has so many, ends his own, and all of them go at once', (t) => {
  const { store, user } = messageWorld(t);
  const [ann, bob] = [user('ann').id, user('bob').id];
  const first = storeAppPassword(store, of(ann));
  for (let n = 1; n < MAX_APP_PASSWORDS_PER_USER; n++) storeAppPassword(store, of(ann));
  assert.throws(() => storeAppPassword(store, of(ann)), Refusal);
  storeAppPassword(store, of(bob));
  assert.equal(dropAppPassword(store, bob, first.id), false);
  assert.equal(dropAppPassword(store, ann, first.id), true);
  assert.equal(dropAppPassword(store, ann, first.id), false);
  assert.ok(storeAppPassword(store, of(ann)).id > first.id);
  store.transaction(() => dropAppPasswordsOf(store, ann));
  assert.deepEqual([appPasswordsOf(store, ann).length, appPasswordsOf(store, bob).length], [0, 1]);
});

it('its use is noted now and then', (t) => {
  t.mock.timers.enable({ apis: ['Date'], now: 1_700_000_000_000 });
  const { store, user } = messageWorld(t);
  const { secret } = storeAppPassword(store, of(user('ann').id));
  const use = () => store.transaction(() => noteAppPasswordUse(store, findAppPassword(store, secret)!));
  assert.equal(use(), true);
  assert.equal(findAppPassword(store, secret)!.used, 1_700_000_000);
  t.mock.timers.setTime(1_700_000_000_000 + (APP_PASSWORD_NOTE_SECONDS - 1) * 1000);
  assert.equal(use(), false);
  t.mock.timers.setTime(1_700_000_000_000 + APP_PASSWORD_NOTE_SECONDS * 1000);
  assert.equal(use(), true);
});
