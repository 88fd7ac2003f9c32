// Bodies of HTML forms; parameters of addresses are tested in exchange.test.ts.

import assert from 'node:assert/strict';
import { it } from 'node:test';
import type { AppError } from '../../src/errors.ts';
import { parseForm } from '../../src/http/query.ts';

it('reads forms, the first of a name winning', () => {
  const form = parseForm(Buffer.from('a=1&b=x+y&a=2&c=%0D%0A&d=%C3%AB&e=ë').toString('latin1'));
  assert.deepEqual(Object.fromEntries(form), { a: '1', b: 'x y', c: '\r\n', d: 'ë', e: 'ë' });
});

it('refuses NUL and malformed encoding in a form', () => {
  for (const text of ['a=%00', 'a=\0', 'a=%f', '%zz=a', 'a=%ff', 'a=\xff']) {
    assert.throws(
      () => parseForm(text),
      (error: AppError) => error.code === 'bad_request',
      text,
    );
  }
});
