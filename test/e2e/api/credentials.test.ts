// The body of a log-in, in the three forms that clients send.

import assert from 'node:assert/strict';
import { after, describe, it } from 'node:test';
import { cookieOf, startBoth } from '../../support/gateway.ts';

const JSON_TYPE = { 'content-type': 'application/json' };

for (const [name, { api }] of await startBoth({ after }, { demo: true })) {
  const logIn = (body: string, headers: Record<string, string>) => api('a/login', { method: 'POST', body, headers });

  describe(`a log-in on ${name}`, () => {
    const form = { 'content-type': 'application/x-www-form-urlencoded' };
    const bodies: [string, string, Record<string, string>][] = [
      ['JSON', '{"username":"alice","password":"alice"}', JSON_TYPE],
      ['a form', 'username=alice&password=alice', form],
      ['username|password as text', 'alice|alice', { 'content-type': 'text/plain' }],
      ['username|password as curl -d sends it', 'alice|alice', form],
      ['username|password with a line end', 'alice|alice\r\n', { 'content-type': 'text/plain' }],
      ['a name in other letters', '{"username":" ALICE ","password":"alice"}', JSON_TYPE],
    ];
    for (const [kind, body, headers] of bodies) {
      it(`takes ${kind}`, async () => {
        const response = await logIn(body, headers);
        assert.equal(response.status, 200);
        const { result, fullname, axlevel, message, usernum, timescalled, posted, previous_login } =
          (await response.json()) as Record<string, unknown>;
        assert.deepEqual([result, fullname, axlevel], [true, 'alice', 4]);
        assert.equal(typeof message, 'string');
        for (const number of [usernum, timescalled, posted, previous_login]) assert.equal(typeof number, 'number');
        const whoami = await api('a/whoami', { headers: { cookie: cookieOf(response) } });
        assert.equal(((await whoami.json()) as { username: string }).username, 'alice');
      });
    }

    it('takes a body without a type as text', async () => {
      assert.equal((await api('a/login', { method: 'POST', body: 'alice|alice' })).status, 200);
    });

    it('that cannot be read is 400, or 415 for a type that nobody knows', async () => {
      const json = 'application/json';
      const wrong: [string, string, number][] = [
        [json, '', 400],
        [json, '{', 400],
        [json, 'null', 400],
        [json, '[]', 400],
        [json, '""', 400],
        [json, '{"username":"alice"}', 400],
        [json, '{"username":1,"password":"x"}', 400],
        [json, '{"username":"alice","password":["alice"]}', 400],
        [json, '{"username":" ","password":"x"}', 400],
        ['application/x-www-form-urlencoded', 'username=alice', 400],
        ['text/plain', 'alice', 400],
        ['text/plain', '|alice', 400],
        ['text/plain', '', 400],
        ['image/png', 'alice|alice', 415],
      ];
      for (const [type, body, status] of wrong) {
        const response = await api('a/login', { method: 'POST', headers: { 'content-type': type }, body });
        assert.equal(response.status, status, `${type}: ${body}`);
        assert.deepEqual(response.headers.getSetCookie(), []);
      }
    });
  });
}
