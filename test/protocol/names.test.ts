// How names are folded where they are compared, counted or looked up.

import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { accountName, localPartOf, nameKey, splitAddress } from '../../src/protocol/names.ts';

const KELVIN = '\u212A';

describe('the account that a name stands for', () => {
  it('is its ASCII letters and digits in any case, of an address those before the last @', () => {
    for (const name of ['alice', 'AL.ICE', ' a l-i_c!e ', `alice${KELVIN}`, 'älice', 'alice@localhost', 'a@lice@x']) {
      assert.equal(accountName(name), name.startsWith('ä') ? 'lice' : 'alice', name);
    }
    assert.equal(accountName('bob smith 2'), 'bobsmith2');
    for (const name of ['', '@', '@alice', KELVIN, 'ß@x']) assert.equal(accountName(name), '', name);
  });

  it('does not change when it is folded again', () => {
    for (const name of ['A.1@b', `K${KELVIN}k`, 'İi', 'ſs']) {
      assert.equal(accountName(accountName(name)), accountName(name));
      assert.equal(nameKey(nameKey(name)), nameKey(name));
    }
  });
});

it('compares rooms and floors by ASCII letters, as the room server does', () => {
  assert.equal(nameKey('GrÖße'), 'grÖße');
  assert.notEqual(nameKey('grÖße'), nameKey('größe'));
  assert.notEqual(nameKey(KELVIN), nameKey('k'));
});

it('takes an address apart at its last @', () => {
  assert.deepEqual(splitAddress('a@b@c'), { local: 'a@b', domain: 'c' });
  assert.deepEqual(splitAddress('a@'), { local: 'a', domain: '' });
  assert.deepEqual(splitAddress('a'), { local: 'a', domain: undefined });
});

it('makes an address of a name that leads back to the account', () => {
  for (const name of ['Bob Smith', 'a.b-c', "O'Neil"]) {
    assert.equal(accountName(`${localPartOf(name)}@x`), accountName(name));
  }
});
