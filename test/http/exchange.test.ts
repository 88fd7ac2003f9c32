import assert from 'node:assert/strict';
import { it } from 'node:test';
import { AppError } from '../../src/errors.ts';
import { Query } from '../../src/http/query.ts';
import { asJson, asPlainText, send } from '../../src/http/respond.ts';
import { MAX_QUERY_PARAMETERS } from '../../src/limits/http.ts';
import { exchangeRaw, head, serve } from './serving.ts';

function refusal(text: string): string {
  try {
    new Query(text);
  } catch (error) {
    assert.ok(error instanceof AppError);
    return error.code;
  }
  return 'none';
}

it('reads parameters decoded, the first of a name or all of them', () => {
  const query = new Query('a=1&b=x+y%20z&&a=2&flag&e=a=b&%C3%A9=%26');
  assert.equal(query.get('a'), '1');
  assert.deepEqual(query.getAll('a'), ['1', '2']);
  assert.equal(query.get('b'), 'x y z');
  assert.equal(query.get('flag'), '');
  assert.equal(query.get('e'), 'a=b');
  assert.equal(query.get('é'), '&');
  assert.ok(query.has('flag'));
  assert.ok(!query.has('1'));
  assert.equal(query.get('missing'), undefined);
});

it('refuses parameters with malformed encoding, NUL, CR or LF', () => {
  for (const text of ['a=%', 'a=%zz', '%ff=1', 'a=%00', 'a=x%0Dy', 'a%0A=1']) {
    assert.equal(refusal(text), 'bad_request', text);
  }
});

it('takes so many parameters and no more', () => {
  const many = (count: number) => Array.from({ length: count }, () => 'a=1').join('&');
  assert.equal(refusal(many(MAX_QUERY_PARAMETERS)), 'none');
  assert.equal(refusal(many(MAX_QUERY_PARAMETERS + 1)), 'bad_request');
});

it('separates path and query and answers a broken query with 400', async (t) => {
  const site = await serve(t, (exchange) =>
    send(
      exchange,
      200,
      asJson([exchange.method, exchange.rawPath, exchange.rawQuery, exchange.query.get('q') ?? null]),
    ),
  );
  const good = await fetch(`${site.url}/a%20b?q=1?2`);
  assert.deepEqual(await good.json(), ['GET', '/a%20b', 'q=1?2', '1?2']);
  assert.equal((await fetch(`${site.url}/?q=%zz`)).status, 400);
});

it('believes X-Forwarded-* of a trusted proxy only, and there only the last entry', async (t) => {
  const facts = (trustProxy: boolean) =>
    serve(t, (exchange) => send(exchange, 200, asJson([exchange.remoteAddress, exchange.secure])), { trustProxy });
  const headers = { 'X-Forwarded-For': 'forged, 192.0.2.7', 'X-Forwarded-Proto': 'https' };
  const direct = await facts(false);
  assert.deepEqual(await (await fetch(direct.url, { headers })).json(), ['127.0.0.1', false]);
  const behind = await facts(true);
  assert.deepEqual(await (await fetch(behind.url, { headers })).json(), ['192.0.2.7', true]);
  assert.deepEqual(await (await fetch(behind.url)).json(), ['127.0.0.1', false]);
});

it('takes no claim of a client for the word of the proxy', async (t) => {
  const site = await serve(
    t,
    (exchange) => {
      const { remoteAddress, secure, forwardedHost } = exchange;
      return send(exchange, 200, asPlainText(`${remoteAddress} ${secure} ${forwardedHost}`));
    },
    { trustProxy: true },
  );
  const asked = async (...fields: string[]) =>
    /\S+ \S+ \S+$/.exec(await exchangeRaw(site.port, head('GET /', ...fields, 'Connection: close')))?.[0];
  const forged = ['X-Forwarded-For: 6.6.6.6', 'X-Forwarded-Proto: https', 'X-Forwarded-Host: evil.example'];
  // a proxy that appends to the list, and one that adds fields of its own
  const host = 'mail.example.org';
  const appended = forged.map((field, i) => `${field}, ${['192.0.2.7', 'http', host][i]}`);
  const own = ['X-Forwarded-For: 192.0.2.7', 'X-Forwarded-Proto: http', `X-Forwarded-Host: ${host}`];
  for (const fields of [appended, [...forged, ...own]]) assert.equal(await asked(...fields), `192.0.2.7 false ${host}`);
  const newer = 'Forwarded: for=6.6.6.6;proto=https;host=evil.example';
  assert.equal(await asked(newer), '127.0.0.1 false undefined');
  assert.equal(await asked(newer, ...own), `192.0.2.7 false ${host}`);
});

it('counts a client as one, whichever of its ports a proxy names', async (t) => {
  const site = await serve(t, (exchange) => send(exchange, 200, asJson(exchange.remoteAddress)), { trustProxy: true });
  const rows = [
    ['192.0.2.7:4711', '192.0.2.7'],
    ['[2001:db8::1]:4711', '2001:db8::1'],
    ['[2001:db8::1]', '2001:db8::1'],
    ['2001:db8::1', '2001:db8::1'],
    ['::ffff:192.0.2.7', '192.0.2.7'],
    ['unknown', 'unknown'],
    ['', '127.0.0.1'],
  ] as const;
  for (const [word, address] of rows) {
    const answer = await fetch(site.url, { headers: { 'X-Forwarded-For': `6.6.6.6, ${word}` } });
    assert.equal(await answer.json(), address, word);
  }
});

it('tells which host was asked for, and which one the trusted proxy was asked for', async (t) => {
  const facts = (trustProxy: boolean) =>
    serve(
      t,
      (exchange) => send(exchange, 200, asJson([exchange.host, exchange.forwardedHost ?? null, exchange.authority])),
      { trustProxy },
    );
  const request = head('GET /', 'X-Forwarded-Host: evil.example, mail.example.org', 'Connection: close');
  assert.match(await exchangeRaw((await facts(false)).port, request), /\["x",null,"x"\]$/);
  assert.match(
    await exchangeRaw((await facts(true)).port, request),
    /\["x","mail\.example\.org","mail\.example\.org"\]$/,
  );
});

it('checks the host that a trusted proxy was asked for as strictly as Host', async (t) => {
  const plain = await serve(t, (exchange) => send(exchange, 200, asPlainText('taken')));
  const trusting = await serve(t, (exchange) => send(exchange, 200, asPlainText('taken')), { trustProxy: true });
  const ask = (port: number, host: string) =>
    exchangeRaw(port, head('GET /', `X-Forwarded-Host: ${host}`, 'Connection: close'));
  for (const host of ['a/b', 'user@mail.example', 'mail.example?x', 'a b', 'a<script>', '', 'mail.example:port']) {
    assert.match(await ask(trusting.port, host), /^HTTP\/1\.1 400 .*The host name is invalid/s, host);
    assert.match(await ask(plain.port, host), /^HTTP\/1\.1 200 /, host);
  }
  for (const host of ['mail.example', 'mail.example:8443', '[::1]:80', 'evil/, mail.example']) {
    assert.match(await ask(trusting.port, host), /^HTTP\/1\.1 200 /, host);
  }
});

it('reads cookies and repeated header fields', async (t) => {
  const site = await serve(t, (exchange) =>
    send(exchange, 200, asJson([[...exchange.cookies], exchange.header('accept')])),
  );
  const request = head('GET /', 'Cookie: a=1', 'Cookie: b=2', 'Accept: x/y', 'Accept: z/z', 'Connection: close');
  assert.match(await exchangeRaw(site.port, request), /\[\[\["a","1"\],\["b","2"\]\],"x\/y, z\/z"\]$/);
});
