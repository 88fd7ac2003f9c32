import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { type OriginHeaders, refuseForeignOrigin } from '../../src/gateway/origin.ts';

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
  { host: '10.0.0.1', forwardedHost: 'mail.example.org', origin: 'https://mail.example.org' },
  { host: '10.0.0.1', forwardedHost: 'mail.example.org, inner', origin: 'https://mail.example.org' },
];

const FOREIGN: OriginHeaders[] = [
  { host, secFetchSite: 'cross-site' },
  { host, secFetchSite: 'same-site' },
  { host, secFetchSite: '' },
  { host, secFetchSite: 'something-new' },
  { host, secFetchSite: 'same-origin', secFetchDest: 'image' },
  { host, secFetchSite: 'cross-site', origin: 'https://mail.example.org' },
  { host, origin: 'null' },
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
  { host, forwardedHost: 'other.example.org', origin: 'https://mail.example.org' },
  { host, forwardedHost: '', origin: 'https://mail.example.org' },
];

describe('origin of a request', () => {
  for (const headers of OURS) {
    it(`is our own: ${JSON.stringify(headers)}`, () => assert.equal(refuseForeignOrigin(headers), false));
  }
  for (const headers of FOREIGN) {
    it(`is another site: ${JSON.stringify(headers)}`, () => assert.equal(refuseForeignOrigin(headers), true));
  }
});
