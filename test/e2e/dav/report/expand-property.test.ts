// expand-property: properties of what a property names, in place of hrefs.

import assert from 'node:assert/strict';
import { after, it } from 'node:test';
import { startDavWorld } from '../../../support/dav-world.ts';

const { alice, newRoom, newCalendar } = await startDavWorld({ after });
const property = (name: string, inner = '', namespace = 'DAV:') =>
  `<D:property name="${name}" namespace="${namespace}">${inner}</D:property>`;
const expand = async (path: string, inner: string) => {
  const { status, text } = await alice(
    'REPORT',
    path,
    { depth: '0' },
    `<D:expand-property>${inner}</D:expand-property>`,
  );
  assert.equal(status, 207, text);
  return text;
};

it('An href becomes the response of what it names, as deep as is asked', async () => {
  const room = await newRoom();
  const text = await expand(`${room}/`, property('owner', property('displayname') + property('owner')));
  assert.match(
    text,
    /<D:owner><D:response><D:href>\/svc\/u\/alice\/<\/D:href><D:propstat><D:prop><D:displayname>alice<\/D:displayname>/,
  );
});

it('What a client has put into a property is looked up like any other, and stays within it', async () => {
  const calendar = await newCalendar();
  const hrefs = ['/svc/r/Lobby/', '/svc/r/Nowhere/', '&lt;'].map((href) => `<D:href>${href}</D:href>`).join('');
  const set = `<x:links xmlns:x="urn:x">${hrefs}</x:links>`;
  const update = `<D:propertyupdate><D:set><D:prop>${set}</D:prop></D:set></D:propertyupdate>`;
  assert.equal((await alice('PROPPATCH', `${calendar}/`, {}, update)).status, 207);
  const text = await expand(`${calendar}/`, property('links', property('displayname'), 'urn:x'));
  assert.match(text, /<D:href>\/svc\/r\/Lobby\/<\/D:href><D:propstat><D:prop><D:displayname>Lobby</);
  assert.match(text, /<D:href>\/svc\/r\/Nowhere\/<\/D:href><D:status>HTTP\/1\.1 404/);
  assert.match(text, /<D:href>&lt;<\/D:href><D:status>HTTP\/1\.1 404/);
});

it('A property without hrefs is told as it is, one that is missing as missing', async () => {
  const text = await expand(
    'u/alice/',
    property('displayname', property('owner')) + property('getetag', property('owner')),
  );
  assert.match(text, /<D:displayname>alice<\/D:displayname>/);
  assert.match(text, /<D:getetag\/><\/D:prop><D:status>HTTP\/1\.1 404/);
});
