import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
// @ts-expect-error: the web client has no types
import { otherHost } from '../../../static/formats/link-text.js';

const EVIL = 'https://evil.example/login';

describe('the text of a link', () => {
  it('that names another host than the link leads to is told', () => {
    for (const text of [
      'https://bank.example/login',
      'http://www.bank.example',
      'www.bank.example/login',
      'bank.example',
      ' Bank.Example ',
      'bank.example/login?x=1',
      'Log in at https://bank.example/login now',
      'https://evil.example@bank.example/',
      'https://evil.example.bank.example/',
      'https://notevil.example/',
      'bücher.example',
      'https://evil.example and https://bank.example',
    ]) {
      assert.equal(otherHost(text, EVIL), 'evil.example', text);
    }
    assert.equal(otherHost('bank.example', 'https://bank.example.evil.example/'), 'bank.example.evil.example');
    assert.equal(otherHost('https://bank.example', 'https://bank.example@evil.example/'), 'evil.example');
  });

  it('that names the same host, or none, is as it should be', () => {
    for (const text of [
      'https://evil.example/other',
      'www.evil.example',
      'EVIL.example',
      'login.evil.example',
      'Click here',
      'report.pdf',
      'ann@bank.example',
      'e.g. this',
      '3.14',
      '',
    ]) {
      assert.equal(otherHost(text, EVIL), undefined, text);
    }
    assert.equal(otherHost('evil.example', 'https://www.evil.example:8443/'), undefined);
    assert.equal(otherHost('bücher.example', 'https://xn--bcher-kva.example/'), undefined);
    for (const href of ['mailto:a@x', '#there', 'nonsense', ''])
      assert.equal(otherHost('bank.example', href), undefined);
  });
});
