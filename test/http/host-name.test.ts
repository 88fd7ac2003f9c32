// One host, one name: however it is spelt in Host, X-Forwarded-Host or an option.

import assert from 'node:assert/strict';
import { it } from 'node:test';
import { hostNameOf } from '../../src/http/request-head.ts';

it('is the same for all spellings of a host', () => {
  for (const text of ['mail.example.org', 'Mail.EXAMPLE.org:8080', 'mail.example.org.', 'mail.example.org.:443']) {
    assert.equal(hostNameOf(text), 'mail.example.org', text);
  }
  assert.equal(hostNameOf('m%61il.example.org'), 'mail.example.org');
  assert.equal(hostNameOf('BÜCHER.example'), 'xn--bcher-kva.example');
  assert.equal(hostNameOf('[::1]:8080'), '[::1]');
  assert.equal(hostNameOf('[0:0::1]'), '[::1]');
  assert.equal(hostNameOf('127.0.0.1:80'), '127.0.0.1');
});

it('is nothing for what names no host', () => {
  for (const text of ['', '.', ':80', 'a b', 'a/b', 'u@a', 'a?b', 'a#b', 'a\\b', 'a,b.example:x', 'a:99999']) {
    assert.equal(hostNameOf(text), undefined, text);
  }
});
