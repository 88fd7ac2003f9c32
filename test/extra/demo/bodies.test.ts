// Bodies of the examples, as the rest of the program reads them.

import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { inflateSync } from 'node:zlib';
import * as bodies from '../../../src/extra/demo/bodies.ts';
import { propertiesOf, propertyValue } from '../../../src/mime/objects/properties.ts';
import { contentParts } from '../../../src/mime/part.ts';
import { MimeWalker } from '../../../src/mime/walk.ts';

function partsOf(body: string) {
  const walker = new MimeWalker();
  walker.push(Buffer.from(body));
  const contents = [...contentParts(walker.end())];
  return contents.map(({ type, filename, disposition, contentId, decodedLength }) =>
    [type, filename, disposition, contentId, decodedLength].join('|'),
  );
}

describe('an example', () => {
  it('of one part is that part', () => {
    assert.deepEqual(partsOf(bodies.plainText('Grüße')), ['text/plain||||8']);
    assert.deepEqual(partsOf(bodies.html('<p>')), ['text/html||||4']);
  });

  it('of several parts has each of them, also one inside another', () => {
    const picture = bodies.picture(2, 3);
    const inner = bodies.multipart('related', [bodies.html('x'), bodies.inline('a.png', 'image/png', picture, 'a@b')]);
    const body = bodies.multipart('mixed', [
      bodies.alternative('plain', '<b>rich</b>'),
      inner,
      bodies.attachment('data.bin', 'application/octet-stream', Buffer.alloc(200, 0xff)),
    ]);
    assert.deepEqual(partsOf(body), [
      'text/plain||||6',
      'text/html||||12',
      'text/html||||2',
      `image/png|a.png|inline|a@b|${picture.length}`,
      'application/octet-stream|data.bin|attachment||200',
    ]);
  });

  it('that forwards a message has that one open', () => {
    const parts = partsOf(bodies.multipart('mixed', [bodies.forward('Subject: x\nContent-Type: text/plain\n\ninner')]));
    assert.match(parts[0]!, /^message\/rfc822\|forwarded\.eml\|attachment/);
    assert.match(parts[1]!, /^text\/plain/);
  });

  it('of an object can be read', () => {
    const value = (body: string, kind: string, name: string) =>
      propertyValue(propertiesOf(body.slice(body.indexOf('\n\n') + 2), kind), name);
    assert.equal(value(bodies.calendar('VEVENT', { UID: 'u', SUMMARY: 'Lunch' }), 'VEVENT', 'SUMMARY'), 'Lunch');
    assert.equal(value(bodies.card({ UID: 'u', FN: 'Ann' }), 'VCARD', 'FN'), 'Ann');
    assert.equal(value(bodies.note('u', 'Key', 'pot', '#FFFF00'), 'VNOTE', 'UID'), 'u');
  });
});

it('the picture is a PNG of the size that was asked for', () => {
  const png = bodies.picture(4, 3);
  assert.equal(png.subarray(0, 8).toString('latin1'), '\x89PNG\r\n\x1a\n');
  assert.deepEqual([png.readUInt32BE(16), png.readUInt32BE(20)], [4, 3]);
  const data = png.indexOf('IDAT');
  const rows = inflateSync(png.subarray(data + 4, data + 4 + png.readUInt32BE(data - 4)));
  assert.equal(rows.length, 3 * (1 + 4 * 3));
});
