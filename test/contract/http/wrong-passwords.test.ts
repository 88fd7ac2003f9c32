// Log-ins that fail, in a file of its own that comes last: a deployment that is checked again and again lets this
// address wait after some of them.

import assert from 'node:assert/strict';
import { after, describe } from 'node:test';
import { assertFields, holds, jsonOf, problemOf, targets } from '../../support/conformance.ts';
import { basic } from '../../support/gateway.ts';

const LOCKED_OUT = 'this address has to wait, after the wrong passwords of earlier runs';

for (const target of await targets({ after })) {
  const { user, nobody } = target;
  const api = user.api;
  const { name, password } = user;
  const logIn = (body: string, type?: string) =>
    nobody('a/login', { method: 'POST', body, headers: type === undefined ? {} : { 'content-type': type } });

  describe(target.name, () => {
    holds('caller 3', 'a failed log-in is 401 with result, message and code, alike for unknown accounts', async (t) => {
      const answers = await Promise.all([name, `nobody ${Date.now()}`].map((one) => logIn(`${one}|wrong ${password}`)));
      if (!target.isOwn && answers.some(({ status }) => status === 429)) return t.skip(LOCKED_OUT);
      for (const answer of answers) {
        const refused = await jsonOf(answer, 401);
        assert.equal(refused.result, false);
        assertFields(refused, { message: 'string', code: 'number' });
      }
    });

    holds('caller 10', 'wrong credentials are 401, also where nobody needs any', async (t) => {
      const headers = { authorization: basic(name, `wrong ${password}`) };
      for (const one of ['c/info', 's/landing.html']) {
        const response = await nobody(one, { headers });
        if (!target.isOwn && response.status === 429) return t.skip(LOCKED_OUT);
        await problemOf(response, 401);
      }
    });

    holds('caller 22', 'a name or password that no account can have is wrong, not malformed: 401', async () => {
      for (const [user, secret] of [
        ['a|b', 'x'],
        [name, 'a|b'],
        [name, 'a\nb'],
        [name, 'x'.repeat(5000)],
      ] as const) {
        await problemOf(nobody('a/whoami', { headers: { authorization: basic(user, secret) } }), 401);
        const refused = await jsonOf(
          logIn(JSON.stringify({ username: user, password: secret }), 'application/json'),
          401,
        );
        assert.equal(refused.result, false);
      }
      for (const authorization of ['Basic', 'Basic !!!', 'Bearer x', basic('', 'x')]) {
        await problemOf(nobody('a/whoami', { headers: { authorization } }), 401);
      }
    });

    // the last one, for from then on this address has to wait
    holds('caller 5', 'failed log-ins are throttled: 429 with Retry-After', async (t) => {
      if (!target.isOwn) return t.skip('would lock this address out');
      assert.equal((await api('a/whoami')).status, 200);
      const guesses = await Promise.all(Array.from({ length: 12 }, () => logIn('carol|guess')));
      const throttled = guesses.filter(({ status }) => status === 429);
      assert.ok(throttled.length > 0);
      assert.match(throttled[0]!.headers.get('retry-after')!, /^[1-9]\d*$/);
      await problemOf(throttled[0]!, 429);
      await problemOf(nobody('a/whoami', { headers: { authorization: basic('dora', 'guess') } }), 429);
      assert.equal((await api('a/whoami')).status, 200, 'who is known goes on');
    });
  });
}
