// What the room server says of itself.

import assert from 'node:assert/strict';
import { after, describe, it } from 'node:test';
import { startGateway } from '../../support/gateway.ts';

const gateway = await startGateway({ after }, { demo: true });
const alice = gateway.as('alice');

describe('the server information', () => {
  it('has the names that front ends know', async () => {
    const info = (await (await alice('c/info')).json()) as Record<string, unknown>;
    const texts = [
      'nodename',
      'humannode',
      'fqdn',
      'software',
      'bbs_city',
      'sysadm',
      'default_cal_zone',
      'svn_revision',
    ];
    const booleans = ['newuser_disabled', 'fulltext_enabled'];
    for (const name of ['ldap', 'sieve', 'openid', 'guest', 'app_passwords']) booleans.push(`supports_${name}`);
    const wanted = [
      ...texts.map((name) => [`serv_${name}`, 'string']),
      ...['pid', 'rev_level'].map((name) => [`serv_${name}`, 'number']),
      ...booleans.map((name) => [`serv_${name}`, 'boolean']),
    ];
    const types = Object.fromEntries(Object.entries(info).map(([name, value]) => [name, typeof value]));
    assert.deepEqual(types, Object.fromEntries(wanted));
    assert.match(String(info.serv_software), /^Vestibule/);
  });
});
