import assert from 'node:assert/strict';
import { it } from 'node:test';
import { AppError, ERROR_CODES, type ErrorCode, NO_DISK_SPACE } from '../../src/errors.ts';
import { STATUS_OF } from '../../src/http/problem.ts';
import { asPlainText, send } from '../../src/http/respond.ts';
import { exchangeRaw, head, serve } from './serving.ts';

const BROWSER = { Accept: 'text/html,application/xhtml+xml,application/xml;q=0.9,*/*;q=0.8' };

it('answers every code with its status, as problem details', async (t) => {
  const site = await serve(t, (exchange) => {
    throw new AppError(exchange.rawPath.slice(1) as ErrorCode, 'the detail');
  });
  for (const code of ERROR_CODES) {
    const answer = await fetch(`${site.url}/${code}`);
    assert.equal(answer.status, STATUS_OF[code], code);
    assert.equal(answer.headers.get('content-type'), 'application/problem+json');
    assert.equal(answer.headers.get('vary'), 'Accept');
    const problem = (await answer.json()) as Record<string, unknown>;
    assert.equal(problem.status, answer.status);
    assert.equal(problem.type, code === 'other_account' ? 'urn:vestibule:other-account' : 'about:blank');
    assert.equal(problem.request_id, answer.headers.get('x-request-id'));
    assert.equal(problem.detail === 'the detail', code !== 'internal', code);
    assert.ok(!('code' in problem));
  }
});

it('names a precondition of DAV, but to who reads, or sends or asks for JSON', async (t) => {
  const site = await serve(t, async () => {
    throw new AppError('insufficient_storage', 'Full', { condition: NO_DISK_SPACE });
  });
  const typeOf = async (method: string, headers: Record<string, string> = {}) =>
    (await fetch(site.url, { method, headers })).headers.get('content-type');
  const put = await fetch(site.url, { method: 'PUT', body: 'x' });
  assert.match(await put.text(), /<D:error xmlns:D="DAV:"><D:sufficient-disk-space\/><\/D:error>/);
  assert.equal(await typeOf('PUT'), 'application/xml; charset=utf-8');
  assert.equal(await typeOf('GET'), 'application/problem+json');
  assert.equal(await typeOf('PUT', { accept: 'application/json' }), 'application/problem+json');
  assert.equal(await typeOf('POST', { 'content-type': 'application/json' }), 'application/problem+json');
});

it('passes on the room server’s code and when to come back', async (t) => {
  const site = await serve(t, async () => {
    throw new AppError('busy', 'Later', { backendCode: 541, retryAfterSeconds: 1.2 });
  });
  const answer = await fetch(site.url);
  assert.equal(answer.status, 503);
  assert.equal(answer.headers.get('retry-after'), '2');
  assert.equal(((await answer.json()) as { code: number }).code, 541);
  assert.deepEqual(site.logged, []);
});

it('sends headers that were added before the error', async (t) => {
  const site = await serve(t, (exchange) => {
    exchange.addHeader('Allow', 'GET, HEAD');
    throw new AppError('method_not_allowed', 'Not this way');
  });
  const answer = await fetch(site.url);
  assert.deepEqual([answer.status, answer.headers.get('allow')], [405, 'GET, HEAD']);
});

it('tells nothing of a fault of ours but its request id, and logs all of it', async (t) => {
  const fault = new TypeError('secret at /home/x/file.ts');
  const site = await serve(t, () => {
    throw fault;
  });
  for (const headers of [{}, BROWSER]) {
    const answer = await fetch(site.url, { headers });
    assert.equal(answer.status, 500);
    const text = await answer.text();
    assert.doesNotMatch(text, /secret|file\.ts|TypeError/);
    assert.ok(text.includes(answer.headers.get('x-request-id')!));
  }
  assert.deepEqual(site.logged, [fault, fault]);
});

it('gives a person a page in which nothing is markup', async (t) => {
  const site = await serve(t, () => {
    throw new AppError('not_found', 'No <script>alert("&")</script>');
  });
  const answer = await fetch(site.url, { headers: BROWSER });
  assert.equal(answer.status, 404);
  assert.equal(answer.headers.get('content-type'), 'text/html; charset=utf-8');
  assert.match(answer.headers.get('content-security-policy')!, /default-src 'none'/);
  const page = await answer.text();
  assert.ok(!page.includes('<script'));
  assert.match(page, /<html lang="en">[\s\S]*<h1>Not Found<\/h1>[\s\S]*&#60;script&#62;alert\(&#34;&#38;&#34;\)/);
});

it('gives JSON to who likes it as well as HTML, and to who accepts neither', async (t) => {
  const site = await serve(t, () => {
    throw new AppError('not_found', 'No');
  });
  for (const accept of ['application/json, text/html', '*/*', 'image/png']) {
    const answer = await fetch(site.url, { headers: { Accept: accept } });
    assert.equal(answer.headers.get('content-type'), 'application/problem+json', accept);
  }
});

it('has no body for HEAD', async (t) => {
  const site = await serve(t, () => {
    throw new AppError('not_found', 'No');
  });
  assert.match(await exchangeRaw(site.port, head('HEAD /', 'Connection: close')), /^HTTP\/1.1 404[\s\S]*\r\n\r\n$/);
});

it('leaves an answer alone that is complete already', async (t) => {
  const site = await serve(t, async (exchange) => {
    await send(exchange, 200, asPlainText('done'));
    throw new Error('afterthought');
  });
  assert.equal(await (await fetch(site.url)).text(), 'done');
  assert.equal(site.logged.length, 1);
});
