import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { isOwnFetch, isOwnNavigation, type OriginHeaders, refuseForeignOrigin } from '../../src/gateway/origin.ts';

const host = 'mail.example.org';

const OURS: OriginHeaders[] = [
  {},
  { host },
  { host, secFetchSite: 'same-origin' },
  { host, secFetchSite: 'none' },
  { host, secFetchSite: 'none', secFetchDest: 'document' },
  { host, secFetchSite: 'same-origin', secFetchDest: 'empty' },
  { host, secFetchSite: 'same-origin', origin: 'https://mail.example.org' },
  { host, secFetchSite: 'same-origin', origin: 'null' },
  { host, origin: 'https://mail.example.org' },
  { host, origin: 'http://mail.example.org' },
  { host, origin: 'https://MAIL.example.org' },
  { host: 'Mail.Example.Org', origin: 'https://mail.example.org' },
  { host: 'mail.example.org:443', origin: 'https://mail.example.org' },
  { host: 'mail.example.org:80', origin: 'http://mail.example.org' },
  { host: 'mail.example.org:8080', origin: 'http://mail.example.org:8080' },
  { host: '127.0.0.1:8080', origin: 'http://127.0.0.1:8080' },
  { host: '[::1]:8080', origin: 'http://[::1]:8080' },
  { host, secFetchSite: 'cross-site', origin: 'https://app.example.net', isNamed: true },
  { host, referer: 'https://mail.example.org/svc/a/landing.html' },
  { host, origin: 'https://mail.example.org', referer: 'https://elsewhere.example/' },
  { host, secFetchSite: 'same-origin', referer: 'https://elsewhere.example/' },
  { host, isSecure: true, origin: 'https://mail.example.org' },
];

const FOREIGN: OriginHeaders[] = [
  { host, secFetchSite: 'cross-site' },
  { host, secFetchSite: 'same-site' },
  { host, secFetchSite: '' },
  { host, secFetchSite: 'something-new' },
  { host, secFetchSite: 'same-origin', secFetchDest: 'image' },
  { host, secFetchSite: 'cross-site', origin: 'https://mail.example.org' },
  { host, origin: 'null' },
  { host, referer: 'https://evil.example/svc/' },
  { host, referer: '' },
  { host, origin: 'null', referer: 'https://mail.example.org/' },
  { host, origin: '' },
  { host, origin: 'garbage' },
  { host, origin: 'https://example.org' },
  { host, origin: 'https://mail.example.org.evil.example' },
  { host, origin: 'https://evil.example/mail.example.org' },
  { host, origin: 'https://mail.example.org@evil.example' },
  { host, origin: 'https://mail.example.org:8443' },
  { host: 'mail.example.org:80', origin: 'https://mail.example.org' },
  { host: 'mail.example.org:8080', origin: 'http://mail.example.org' },
  { host, origin: 'ftp://mail.example.org' },
  { host, origin: 'chrome-extension://mail.example.org' },
  { host: undefined, origin: 'https://mail.example.org' },
  { host: '', origin: 'https://mail.example.org' },
  { host: 'other.example.org', origin: 'https://mail.example.org' },
  { host, secFetchSite: 'cross-site', secFetchDest: 'image', isNamed: true },
  { host, isSecure: true, origin: 'http://mail.example.org' },
];

describe('origin of a request', () => {
  for (const headers of OURS) {
    it(`is our own: ${JSON.stringify(headers)}`, () => assert.equal(refuseForeignOrigin(headers), false));
  }
  for (const headers of FOREIGN) {
    it(`is another site: ${JSON.stringify(headers)}`, () => assert.equal(refuseForeignOrigin(headers), true));
  }
});

/** as Chromium sends them over plain HTTP to a name */
const BROWSER: OriginHeaders = { host, userAgent: 'Mozilla/5.0 (X11; Linux x86_64)' };
const PICTURE = 'image/avif,image/webp,image/apng,image/svg+xml,image/*,*/*;q=0.8';
const PAGE = 'text/html,application/xhtml+xml,application/xml;q=0.9,*/*;q=0.8';
const referer = `http://${host}/svc/a/landing.html`;
const sameOrigin: OriginHeaders = { ...BROWSER, secFetchSite: 'same-origin' };

const OWN_FETCHES: OriginHeaders[] = [
  { host },
  { host, accept: '*/*', userAgent: 'curl/8.14.1' },
  { host, accept: '*/*', userAgent: 'node', secFetchMode: 'cors' },
  { ...BROWSER, requestedWith: 'fetch' },
  { ...BROWSER, referer, accept: 'application/json, text/plain;q=0.5, */*;q=0.1' },
  { ...BROWSER, referer, accept: '*/*' },
  { ...BROWSER, referer, accept: '*/*', origin: `http://${host}` },
  { ...BROWSER, referer: `https://${host}/` },
  { ...sameOrigin, secFetchMode: 'cors', secFetchDest: 'empty', accept: '*/*' },
  { ...sameOrigin, secFetchMode: 'same-origin', secFetchDest: 'empty' },
  { ...BROWSER, secFetchSite: 'cross-site', secFetchMode: 'cors', secFetchDest: 'empty', isNamed: true },
  { ...BROWSER, accept: '*/*', origin: 'http://app.example.net', isNamed: true },
];

const NO_OWN_FETCHES: OriginHeaders[] = [
  BROWSER,
  { ...BROWSER, accept: '*/*' },
  { ...BROWSER, accept: 'application/json' },
  { ...BROWSER, accept: PICTURE },
  { ...BROWSER, accept: PAGE },
  { ...BROWSER, accept: PAGE, referer },
  { ...BROWSER, accept: PICTURE, referer },
  { host, accept: PAGE, userAgent: 'Lynx/2.9' },
  { host, accept: PICTURE },
  { ...BROWSER, accept: '*/*', referer: 'http://elsewhere.example/' },
  { ...BROWSER, accept: '*/*', referer: `http://${host}:8080/` },
  { ...BROWSER, accept: '*/*', referer: `http://${host}@elsewhere.example/` },
  { ...BROWSER, accept: '*/*', referer: '' },
  { ...BROWSER, accept: '*/*', referer: 'about:blank' },
  { host, accept: '*/*', userAgent: 'curl/8.14.1', referer: 'http://elsewhere.example/' },
  { ...BROWSER, referer, origin: 'http://elsewhere.example' },
  { ...BROWSER, requestedWith: 'fetch', origin: 'null' },
  { ...sameOrigin, secFetchMode: 'navigate', secFetchDest: 'document', referer },
  { ...sameOrigin, secFetchMode: 'navigate', secFetchDest: 'iframe', referer },
  { ...sameOrigin, secFetchMode: 'no-cors', secFetchDest: 'image', referer },
  { ...sameOrigin, secFetchMode: 'no-cors', secFetchDest: 'script', referer },
  { ...sameOrigin, secFetchMode: 'no-cors', secFetchDest: 'empty', referer },
  { ...sameOrigin, secFetchMode: 'cors', secFetchDest: 'font', referer },
  { ...BROWSER, secFetchSite: 'none', secFetchMode: 'navigate', secFetchDest: 'document' },
  { ...BROWSER, secFetchSite: 'none' },
  { ...BROWSER, secFetchSite: 'cross-site', secFetchMode: 'navigate', secFetchDest: 'document', isNamed: true },
  { ...BROWSER, secFetchSite: 'cross-site', secFetchMode: 'no-cors', secFetchDest: 'image', isNamed: true },
  { ...BROWSER, secFetchSite: 'same-site', secFetchMode: 'cors', secFetchDest: 'empty' },
  { ...BROWSER, secFetchSite: 'cross-site', secFetchMode: 'cors', secFetchDest: 'empty', requestedWith: 'x', referer },
];

describe('a GET that changes something', () => {
  for (const headers of OWN_FETCHES) {
    it(`may do so: ${JSON.stringify(headers)}`, () => assert.equal(isOwnFetch(headers), true));
  }
  for (const headers of NO_OWN_FETCHES) {
    it(`may not: ${JSON.stringify(headers)}`, () => assert.equal(isOwnFetch(headers), false));
  }
});

describe('a link that leads here in the window', () => {
  const link: OriginHeaders = { ...sameOrigin, secFetchMode: 'navigate', secFetchDest: 'document', accept: PAGE };
  it('is our own when its page says so', () => {
    assert.equal(isOwnNavigation({ ...link, referer }), true);
    assert.equal(isOwnNavigation({ ...BROWSER, accept: PAGE, referer }), true);
  });
  for (const headers of [
    link,
    { ...link, referer: 'http://elsewhere.example/' },
    { ...link, referer, secFetchSite: 'none' },
    { ...link, referer, secFetchSite: 'same-site' },
    { ...link, referer, secFetchDest: 'iframe' },
    { ...link, referer, secFetchDest: 'image' },
    { ...BROWSER, accept: PAGE },
    { ...BROWSER, accept: PICTURE, referer },
    { ...BROWSER, accept: '*/*', referer },
    { ...BROWSER, accept: PAGE, referer: 'http://elsewhere.example/' },
  ]) {
    it(`is not: ${JSON.stringify(headers)}`, () => assert.equal(isOwnNavigation(headers), false));
  }
});
