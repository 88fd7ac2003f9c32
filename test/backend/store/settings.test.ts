// Settings of the server: what was stored, else the default.

import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import {
  guestsAllowed,
  isSetting,
  nodeName,
  numberSetting,
  setting,
  settingNames,
} from '../../../src/backend/store/store.ts';
import { messageWorld } from '../../support/message-session.ts';

describe('a setting', () => {
  it('is what was stored, else its default', (t) => {
    const { store } = messageWorld(t);
    assert.equal(setting(store, 'c_humannode'), 'Vestibule');
    store.setConfig('c_humannode', '');
    assert.equal(setting(store, 'c_humannode'), '', 'also where that is empty');
    for (const name of settingNames()) assert.equal(typeof setting(store, name), 'string', name);
  });

  it('that nobody knows has no value, by the name of what every object has either', (t) => {
    const { store } = messageWorld(t);
    for (const name of ['c_none', '', 'constructor', '__proto__', 'toString']) {
      assert.deepEqual([isSetting(name), setting(store, name)], [false, undefined], name);
    }
  });

  it('that should be a number is 0 where it is none', (t) => {
    const { store } = messageWorld(t);
    assert.equal(numberSetting(store, 'c_initax'), 4);
    for (const [text, value] of [
      ['12', 12],
      ['-1', -1],
      ['', 0],
      ['many', 0],
    ] as const) {
      store.setConfig('c_maxsessions', text);
      assert.equal(numberSetting(store, 'c_maxsessions'), value, text);
    }
    assert.equal(numberSetting(store, 'c_none'), 0);
  });

  it('lets guests in when it is 1, and else not', (t) => {
    const { store } = messageWorld(t);
    assert.equal(guestsAllowed(store), false, 'by default');
    for (const [text, value] of [
      ['1', true],
      ['0', false],
      ['', false],
      ['yes', false],
    ] as const) {
      store.setConfig('c_guest_logins', text);
      assert.equal(guestsAllowed(store), value, text);
    }
  });
});

it('the name of the server is one that addresses can hold', (t) => {
  const { store } = messageWorld(t);
  assert.equal(nodeName(store), 'vm');
  store.prepare('DELETE FROM config').run();
  assert.match(nodeName(store), /^[^\s@]+$/);
});
