// Heads of requests that say two things, or nothing that can be meant: 400, before anybody looks at them.

import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { asPlainText, send } from '../../src/http/respond.ts';
import { exchangeRaw, serve } from './serving.ts';

const answerTo = async (port: number, ...lines: string[]) => {
  const text = await exchangeRaw(port, [...lines, 'Connection: close', '', ''].join('\r\n'));
  return { status: Number(text.slice(9, 12)), text };
};

describe('a head', () => {
  for (const field of [
    'Authorization: Basic YTpi',
    'Content-Disposition: attachment; filename=a',
    'Content-Range: bytes 0-1/2',
    'Content-Type: text/plain',
    'Depth: 0',
    'Destination: /svc/r/Lobby/',
    'If: (["1"])',
    'If-Modified-Since: Sat, 21 Nov 2026 09:57:26 GMT',
    'If-Range: "1"',
    'If-Unmodified-Since: Sat, 21 Nov 2026 09:57:26 GMT',
    'Last-Event-ID: 1',
    'Origin: http://x',
    'Overwrite: F',
    'Range: bytes=0-1',
    'Referer: http://x/',
    'Sec-Fetch-Dest: empty',
    'Sec-Fetch-Mode: cors',
    'Sec-Fetch-Site: same-origin',
    'User-Agent: x',
    'X-Requested-With: x',
    'X-Room-Password: x',
  ]) {
    const name = field.slice(0, field.indexOf(':'));
    it(`has ${name} once, whether or not both say the same`, async (t) => {
      const site = await serve(t, (exchange) =>
        send(exchange, 200, asPlainText(`${exchange.header(name.toLowerCase())}`)),
      );
      const once = await answerTo(site.port, 'GET / HTTP/1.1', 'Host: x', field);
      assert.equal(once.status, 200);
      for (const second of [field, `${name.toUpperCase()}: another`]) {
        const twice = await answerTo(site.port, 'GET / HTTP/1.1', 'Host: x', field, 'X-Other: y', second);
        assert.equal(twice.status, 400);
        assert.match(twice.text, new RegExp(`The header field ${name} occurs more than once`, 'i'));
      }
    });
  }

  it('has one Host, one length, and one of length and Transfer-Encoding', async (t) => {
    const site = await serve(t, (exchange) => send(exchange, 200, asPlainText(`${exchange.host}`)));
    const post = 'POST / HTTP/1.1';
    for (const lines of [
      ['GET / HTTP/1.1', 'Host: a', 'Host: b'],
      ['GET / HTTP/1.1', 'Host: a', 'Host: a'],
      ['GET / HTTP/1.1', 'Host: a', 'hOST: b'],
      ['GET / HTTP/1.0', 'Host: a', 'Host: b'],
      ['GET / HTTP/1.1'],
      [post, 'Host: a', 'Content-Length: 0', 'Content-Length: 0'],
      [post, 'Host: a', 'Content-Length: 0, 0'],
      [post, 'Host: a', 'Content-Length: +0'],
      [post, 'Host: a', 'Content-Length: 0', 'Transfer-Encoding: chunked'],
      [post, 'Host: a', 'Transfer-Encoding: chunked', 'Transfer-Encoding: chunked'],
      [post, 'Host: a', 'Transfer-Encoding: chunked, chunked'],
      [post, 'Host: a', 'Transfer-Encoding: gzip, chunked'],
      [post, 'Host: a', 'Transfer-Encoding: identity'],
      ['POST / HTTP/1.0', 'Host: a', 'Transfer-Encoding: chunked'],
      ['GET / HTTP/1.1', 'Host : a'],
      ['GET / HTTP/1.1', 'Host: a', ' b'],
    ]) {
      assert.equal((await answerTo(site.port, ...lines)).status, 400, lines.join(' | '));
    }
    assert.equal((await answerTo(site.port, 'GET / HTTP/1.0')).status, 200, 'HTTP/1.0 has no Host');
  });

  it('has a Host that can be one', async (t) => {
    const site = await serve(t, (exchange) => send(exchange, 200, asPlainText(`<${exchange.host}>`)));
    for (const host of [
      'x',
      'x:80',
      'x:',
      'a_b.example:8080',
      '127.0.0.1',
      '[::1]',
      '[::1]:80',
      'm%C3%BCller',
      'a+b',
    ]) {
      const { status, text } = await answerTo(site.port, 'GET / HTTP/1.1', `Host: ${host}`);
      assert.deepEqual([status, text.includes(`<${host}>`)], [200, true], host);
    }
    for (const host of [
      '',
      'a b',
      'a/b',
      'a?b',
      'a#b',
      'user@a',
      'a\\b',
      'a:b',
      'a:123456',
      'a:80:80',
      '[::1',
      '[::1]a',
      '::1',
      '[x]',
      'a"b',
      '<a>',
      'a%zz',
      'm\xfcller',
      'a, b',
    ]) {
      assert.equal((await answerTo(site.port, 'GET / HTTP/1.1', `Host: ${host}`)).status, 400, host);
    }
  });

  it('is for whom an absolute target names, whatever Host says', async (t) => {
    const site = await serve(t, (exchange) =>
      send(exchange, 200, asPlainText(`<${exchange.host} ${exchange.rawPath}>`)),
    );
    const { text } = await answerTo(site.port, 'GET http://a.example:81/b HTTP/1.1', 'Host: other');
    assert.match(text, /<a\.example:81 \/b>$/);
    for (const target of ['http:///b', 'http://user@a/b', 'http://a:b/', 'http://a b/']) {
      const { status } = await answerTo(site.port, `GET ${target} HTTP/1.1`, 'Host: other');
      assert.equal(status, 400, target);
    }
    assert.equal((await answerTo(site.port, 'GET http://a/ HTTP/1.1', 'Host: a/b')).status, 400);
  });

  it('may have lists and cookies in several lines', async (t) => {
    const fields = ['Cookie: a=1', 'Cookie: b=2', 'If-Match: "1"', 'If-Match: "2"', 'Accept: a/b', 'Accept: c/d'];
    const site = await serve(t, (exchange) =>
      send(
        exchange,
        200,
        asPlainText(
          [
            exchange.cookies.get('a'),
            exchange.cookies.get('b'),
            exchange.header('if-match'),
            exchange.header('accept'),
          ].join(';'),
        ),
      ),
    );
    const { text } = await answerTo(site.port, 'GET / HTTP/1.1', 'Host: x', ...fields);
    assert.match(text, /1;2;"1", "2";a\/b, c\/d$/);
  });

  it('does not mix up names that node treats as its own', async (t) => {
    const site = await serve(t, (exchange) => send(exchange, 200, asPlainText('fine')));
    for (const name of ['__proto__', 'constructor', 'toString', 'hasOwnProperty']) {
      const lines = ['GET / HTTP/1.1', 'Host: x', `${name}: a`];
      assert.equal((await answerTo(site.port, ...lines, 'Depth: 0', 'Depth: 1')).status, 400, name);
      assert.equal((await answerTo(site.port, ...lines)).status, 200, name);
    }
  });
});
