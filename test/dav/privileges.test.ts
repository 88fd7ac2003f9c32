// Privileges as elements (RFC 3744 section 3).

import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { privilegeSet, SUPPORTED_PRIVILEGES } from '../../src/dav/properties/webdav.ts';
import { PRIVILEGE } from '../../src/gateway/collection/properties.ts';
import { told } from './properties/told.ts';

describe('the privileges of the caller', () => {
  it('are told, those that contain others too', () => {
    const told2 = told('D:current-user-privilege-set', { kind: 'room', privileges: PRIVILEGE.read | PRIVILEGE.write })!;
    for (const name of ['read', 'write', 'write-content', 'write-properties', 'bind', 'unbind', 'unlock']) {
      assert.ok(told2.includes(`<D:privilege><D:${name}/></D:privilege>`), name);
    }
    const mayAdd = told('D:current-user-privilege-set', { privileges: PRIVILEGE.read | PRIVILEGE.bind })!;
    assert.doesNotMatch(mayAdd, /write/);
    assert.equal(told('D:current-user-privilege-set', {}), undefined);
  });
});

describe('privileges as elements', () => {
  const names = (bits: number) =>
    privilegeSet(bits)
      .text.match(/<D:privilege><[^/]+/g)
      ?.map((one) => one.slice(14)) ?? [];

  it('are none for none, and read busy times of their own', () => {
    assert.deepEqual(names(0), []);
    assert.equal(privilegeSet(0).text, '<D:current-user-privilege-set/>');
    assert.deepEqual(names(PRIVILEGE.readFreeBusy), ['C:read-free-busy']);
    assert.deepEqual(names(PRIVILEGE.read), ['D:read', 'D:read-current-user-privilege-set']);
  });

  it('hold write only where all that it contains are there', () => {
    for (const bit of [
      PRIVILEGE.writeProperties,
      PRIVILEGE.writeContent,
      PRIVILEGE.bind,
      PRIVILEGE.unbind,
      PRIVILEGE.unlock,
    ]) {
      assert.ok(!names(PRIVILEGE.write & ~bit).includes('D:write'), String(bit));
    }
    assert.ok(names(PRIVILEGE.write).includes('D:write'));
  });

  it('are all among those that are supported', () => {
    for (const name of names(PRIVILEGE.read | PRIVILEGE.readFreeBusy | PRIVILEGE.write)) {
      assert.ok(
        SUPPORTED_PRIVILEGES.text.includes(`<D:supported-privilege><D:privilege><${name}/></D:privilege>`),
        name,
      );
    }
  });
});
