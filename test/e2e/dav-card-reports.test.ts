// Reports on address books: the examples of RFC 6352 sections 8.6 and 8.7. Documents are compared whole.

import assert from 'node:assert/strict';
import { after, describe, it } from 'node:test';
import { rewrittenCard } from '../support/real-cards.ts';
import { reportWorlds } from '../support/report-worlds.ts';
import {
  condition,
  cutAt,
  gone,
  lined,
  multistatus,
  report,
  responseOf,
  store,
  TAG,
  toldReport,
} from '../support/reports.ts';

const card = (version: string, ...lines: string[]) => lined('BEGIN:VCARD', `VERSION:${version}`, ...lines, 'END:VCARD');
const CARDS = {
  'v102.vcf': card('3.0', 'UID:v102', 'FN:Anna Berg', 'N:Berg;Anna;;;', 'NICKNAME:me', 'EMAIL:anna@example.com'),
  'v103.vcf': card(
    '3.0',
    'UID:v103',
    'FN:Bernd Oda',
    'N:Oda;Bernd;;;',
    'EMAIL;TYPE=work:bernd@example.com',
    'item1.TEL:+49 1',
    'NOTE:secret',
  ),
  'v104.vcf': card('4.0', 'UID:v104', 'FN:Zoë Ünal', 'EMAIL:oda@example.com'),
};
const NAMES = ['v102.vcf', 'v103.vcf', 'v104.vcf'] as const;
const ROOM = '/svc/r/Contacts/';
const DATA = '<CR:address-data/>';
const query = (props: string, filtered: string, limit = '') =>
  `<CR:addressbook-query><D:prop>${props}</D:prop>${filtered}${limit}</CR:addressbook-query>`;
const anyOf = (inner: string) => `<CR:filter>${inner}</CR:filter>`;
const prop = (name: string, inner = '') => `<CR:prop-filter name="${name}">${inner}</CR:prop-filter>`;
const text = (value: string, attributes = '') => `<CR:text-match${attributes}>${value}</CR:text-match>`;
/** as it stands in the document, with the line ends of toldReport */
const data = (source: string) => `<CR:address-data>${source.replaceAll('\r\n', '\n')}</CR:address-data>`;

const rewritten = (source: string) => {
  const body = `Content-type: text/vcard\n\n${source.replaceAll('\r\n', '\n')}`;
  const written = rewrittenCard(Buffer.from(body))!.toString().split('\n\n').slice(1).join('\n\n');
  return written.replace('begin:vcard', 'BEGIN:VCARD').replace('end:vcard', 'END:VCARD').replace('2.1', '3.0');
};

const worlds = await reportWorlds({ after });
for (const { carol, isShared } of worlds) {
  if (isShared) continue;
  for (const [name, source] of Object.entries(CARDS)) await store(carol, `r/Contacts/${name}`, source);
}

for (const { where, gateway, carol, isOwn } of worlds) {
  // a real server writes contacts anew: the name is lost with it
  const named = (name: keyof typeof CARDS) => (isOwn ? name : CARDS[name].match(/^UID:(.*)\r$/m)![1]!);
  const kept = (name: keyof typeof CARDS) => (isOwn ? CARDS[name] : rewritten(CARDS[name]));
  const ask = async (body: string) => toldReport(await report(carol, 'r/Contacts/', body));
  const found = async (filtered: string) => {
    const [status, told] = await ask(query('<D:getetag/>', filtered));
    assert.equal(status, 207);
    return [...told.matchAll(/<D:href>[^<]*\/([^<]*)<\/D:href>/g)].map((match) => match[1]);
  };

  describe(`addressbook-query on ${where}`, () => {
    it('gives some properties of a contact (RFC 6352 section 8.6.3)', async () => {
      const props = ['VERSION', 'UID', 'NICKNAME', 'EMAIL', 'FN'].map((name) => `<CR:prop name="${name}"/>`).join('');
      const body = query(
        `<D:getetag/><CR:address-data>${props}</CR:address-data>`,
        anyOf(prop('NICKNAME', text('me', ' collation="i;unicode-casemap" match-type="equals"'))),
      );
      const left = CARDS['v102.vcf'].replace('N:Berg;Anna;;;\r\n', '');
      assert.deepEqual(await ask(body), multistatus(responseOf(ROOM + named('v102.vcf'), TAG, data(left))));
    });

    it('finds a text in one of several properties, or in all (RFC 6352 section 8.6.4)', async () => {
      const tests = prop('FN', text('oda', ' match-type="contains"')) + prop('EMAIL', text('ODA'));
      assert.deepEqual(await found(`<CR:filter test="anyof">${tests}</CR:filter>`), [
        named('v103.vcf'),
        named('v104.vcf'),
      ]);
      assert.deepEqual(await found(anyOf(tests)), [named('v103.vcf'), named('v104.vcf')]);
      assert.deepEqual(await found(`<CR:filter test="allof">${tests}</CR:filter>`), []);
    });

    it('compares as collation and match type say', async () => {
      const names = (value: string, attributes: string) => found(anyOf(prop('FN', text(value, attributes))));
      assert.deepEqual(await names('zoË', ''), [named('v104.vcf')]);
      assert.deepEqual(await names('zoË', ' collation="i;ascii-casemap"'), []);
      assert.deepEqual(await names('anna', ' collation="i;octet"'), []);
      assert.deepEqual(await names('anna', ' match-type="starts-with"'), [named('v102.vcf')]);
      assert.deepEqual(await names('anna', ' match-type="ends-with"'), []);
      assert.deepEqual(await names('a', ' negate-condition="yes" match-type="contains"'), [named('v103.vcf')].slice(1));
    });

    it('finds what is there, what is not, and parameters', async () => {
      assert.deepEqual(await found(anyOf(prop('NOTE'))), [named('v103.vcf')]);
      assert.deepEqual(await found(anyOf(prop('N', '<CR:is-not-defined/>'))), [named('v104.vcf')]);
      const type = `<CR:param-filter name="TYPE">${text('WORK')}</CR:param-filter>`;
      assert.deepEqual(await found(anyOf(prop('EMAIL', type))), [named('v103.vcf')]);
      assert.deepEqual(await found(anyOf(prop('item1.TEL'))), [named('v103.vcf')]);
      assert.deepEqual(await found(anyOf('')), [named('v102.vcf'), named('v103.vcf'), named('v104.vcf')]);
    });

    it('is cut where the client says so (RFC 6352 section 8.6.5)', async () => {
      const limited = (count: number) =>
        ask(query('<D:getetag/>', anyOf(prop('FN')), `<CR:limit><CR:nresults>${count}</CR:nresults></CR:limit>`));
      const all = NAMES.map((name) => responseOf(ROOM + named(name), TAG));
      assert.deepEqual(await limited(3), multistatus(...all));
      assert.deepEqual(await limited(2), multistatus(...all.slice(0, 2), cutAt(ROOM)));
    });

    it('tells what it refuses', async () => {
      const unknown = prop('FN', text('a', ' collation="i;unknown"'));
      assert.deepEqual(await ask(query('', anyOf(unknown))), condition('CR:supported-collation'));
      assert.deepEqual(await ask(query('', anyOf(prop('')))), condition('CR:supported-filter'));
      const other = '<CR:address-data content-type="application/json"/>';
      assert.deepEqual(await ask(query(other, anyOf(''))), condition('CR:supported-address-data'));
      const inCalendar = report(carol, 'r/Calendar/', query('', anyOf('')));
      assert.deepEqual(await toldReport(await inCalendar), condition('D:supported-report'));
    });
  });

  describe(`addressbook-multiget on ${where}`, () => {
    it('gives the bytes that GET gives', async () => {
      const got = await carol('r/Contacts/v104');
      const lines = (text: string) => text.split(/\r?\n/);
      assert.deepEqual(lines(await got.text()), lines(kept('v104.vcf')));
    });

    it('gives what is there and tells what is not (RFC 6352 section 8.7.1)', async () => {
      const hrefs = [`${ROOM}v102.vcf`, `${ROOM}v104`, `${ROOM}mr0.vcf`];
      const body =
        `<CR:addressbook-multiget><D:prop><D:getetag/>${DATA}</D:prop>` +
        `${hrefs.map((href) => `<D:href>${href}</D:href>`).join('')}</CR:addressbook-multiget>`;
      assert.deepEqual(
        await ask(body),
        multistatus(
          responseOf(hrefs[0]!, TAG, data(kept('v102.vcf'))),
          responseOf(hrefs[1]!, TAG, data(kept('v104.vcf'))),
          gone(hrefs[2]!),
        ),
      );
    });
  });

  describe(`addressbook-multiget of another version on ${where}`, () => {
    it('gives each contact as it is stored (RFC 6352 section 8.7.2)', async () => {
      const hrefs = [`${ROOM}v104.vcf`, `${ROOM}v102.vcf`];
      const wanted = (version: string) => `<CR:address-data content-type="text/vcard" version="${version}"/>`;
      const asked = hrefs.map((href) => `<D:href>${href}</D:href>`).join('');
      const ofVersion = (version: string) =>
        `<CR:addressbook-multiget><D:prop><D:getetag/>${wanted(version)}</D:prop>${asked}</CR:addressbook-multiget>`;
      const whole = multistatus(
        responseOf(hrefs[0]!, TAG, data(kept('v104.vcf'))),
        responseOf(hrefs[1]!, TAG, data(kept('v102.vcf'))),
      );
      for (const version of ['4.0', '3.0']) assert.deepEqual(await ask(ofVersion(version)), whole);
      assert.deepEqual(await ask(ofVersion('2.1')), condition('CR:supported-address-data'));
    });
  });

  describe(`reports on address books on ${where}`, () => {
    it('fail nowhere', () => assert.deepEqual(gateway.faults, []));
  });
}
