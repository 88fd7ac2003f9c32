// The resource that an href in a report names.

import assert from 'node:assert/strict';
import { it } from 'node:test';
import { resourceAt } from '../../../src/dav/discovery.ts';
import { AppError } from '../../../src/errors.ts';
import type { App } from '../../../src/gateway/app.ts';
import { APP, exchangeWith } from '../asking.ts';

const CALLER = { identity: { user: 'anna', password: '' }, session: undefined, isGuest: false };

function at(href: string, refusal = new AppError('not_found', 'x')) {
  const refuse = () => Promise.reject(refusal);
  const pool = { identify: async () => ({ name: 'Anna' }), read: refuse, readInRoom: refuse };
  return resourceAt(exchangeWith(), { ...APP, pool } as unknown as App, CALLER, href, new Set());
}
const kindAt = async (href: string) => (await at(href))?.kind;

it('Places are what lies at their addresses', async () => {
  assert.equal(await kindAt('/svc/'), 'root');
  assert.equal(await kindAt('/svc/r/'), 'home');
  assert.equal(await kindAt('/svc/r'), 'home');
  assert.equal(await kindAt('/svc/u/'), 'principals');
  assert.equal(await kindAt('http://host.example/svc/u/ANNA/'), 'principal');
});

it('What is elsewhere, deeper, nothing or not readable is not shown', async () => {
  for (const href of [
    '/',
    '/other/',
    '/svc/x/',
    '/svc/u/anna/bio',
    '/svc/r/A/1',
    'http://other.example/svc/r/',
    '%',
    '',
  ]) {
    assert.equal(await kindAt(href), undefined, href);
  }
});

it('What is not there or not for this caller is not shown; another fault is one', async () => {
  for (const href of ['/svc/u/nobody/', '/svc/u/a%7Cb/', '/svc/r/Nowhere/']) {
    assert.equal(await at(href), undefined, href);
    assert.equal(await at(href, new AppError('forbidden', 'x')), undefined, href);
  }
  await assert.rejects(at('/svc/r/Nowhere/', new AppError('backend_lost', 'x')), { code: 'backend_lost' });
});
