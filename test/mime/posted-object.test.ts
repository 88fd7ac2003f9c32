// The calendar object, card or note of a message that is being stored.

import assert from 'node:assert/strict';
import { describe, it, type TestContext } from 'node:test';
import { BodyWriter } from '../../src/backend/store/bodies.ts';
import { BACKEND_INLINE_BYTES, MAX_OBJECT_BYTES } from '../../src/limits/backend.ts';
import { parseComponents } from '../../src/mime/objects/content-lines.ts';
import { objectText } from '../../src/mime/objects/properties.ts';
import { messageWorld } from '../support/message-session.ts';

const event = (description: string): string =>
  [
    'BEGIN:VCALENDAR',
    'METHOD:REQUEST',
    'BEGIN:VEVENT',
    'UID:one',
    'DTSTART:20260101T090000Z',
    'DURATION:PT1H',
    `DESCRIPTION:${description}`,
    'END:VEVENT',
    'END:VCALENDAR',
    '',
  ].join('\r\n');

function bodyOf(t: TestContext, text: string, type = 'text/calendar'): BodyWriter {
  const encoded = Buffer.from(text).toString('base64').replace(/.{76}/g, '$&\n');
  const source = `Content-Type: ${type}\nContent-Transfer-Encoding: base64\n\n${encoded}\n`;
  return written(t, source);
}

function written(t: TestContext, source: string): BodyWriter {
  const { store } = messageWorld(t);
  const body = new BodyWriter(store, { isMime: true, maxBytes: source.length });
  body.append(Buffer.from(source));
  body.finish();
  return body;
}

describe('the object that a message consists of', () => {
  it('is read with its components, its facts and its text', (t) => {
    const text = event('Bring cake.');
    const { object, structure } = bodyOf(t, text);
    assert.equal(object?.part, structure);
    assert.deepEqual(object?.components, parseComponents(text));
    assert.equal(object?.facts?.component, 'VEVENT');
    assert.equal(object?.facts?.extent?.start, Date.UTC(2026, 0, 1, 9) / 1000);
    assert.match(object!.text, /^Invitation: .*\n.*\n\nBring cake\.\n/);
  });

  it('is read once, in steps, the same as at once', (t) => {
    const body = bodyOf(t, event('x'.repeat(BACKEND_INLINE_BYTES)));
    const steps = [...body.readObject()].length;
    assert.ok(steps > BACKEND_INLINE_BYTES / 65_536, `${steps}`);
    const { object } = body;
    assert.deepEqual([...body.readObject()], [], 'nothing is left to be read');
    assert.equal(body.object, object);
    assert.deepEqual(bodyOf(t, event('x'.repeat(BACKEND_INLINE_BYTES))).object, object);
  });

  it('is the same before it is linked and behind that, wherever its chunks are', (t) => {
    for (const length of [10, BACKEND_INLINE_BYTES, 2 * BACKEND_INLINE_BYTES]) {
      const { store } = messageWorld(t);
      const source = `Content-Type: text/calendar\n\n${event('x'.repeat(length)).replaceAll('\r', '')}`;
      const make = () => {
        const body = new BodyWriter(store, { isMime: true, maxBytes: source.length });
        for (let at = 0; at < source.length; at += 50_000) body.append(Buffer.from(source.slice(at, at + 50_000)));
        body.finish();
        return body;
      };
      const before = make();
      const text = before.object!.text;
      assert.ok(text.endsWith(`\n${'x'.repeat(length)}\n`));
      store.transaction(() => before.link());
      for (const each of [before, make()]) {
        store.transaction(() => each.link());
        assert.equal(each.object?.text, text);
      }
    }
  });

  it('is what any reader makes of it, whatever is wrong with it', (t) => {
    assert.deepEqual(bodyOf(t, `\ufeff${event('a')}`).object?.components, parseComponents(event('a')));
    for (const text of [`${event('a')}no line\r\n`, event('a').slice(0, -20), 'nothing']) {
      const { object } = bodyOf(t, text);
      assert.deepEqual(object?.components, parseComponents(text));
      assert.equal(object?.text, objectText('text/calendar', text));
    }
    assert.equal(bodyOf(t, `${event('a')}no line\r\n`).object?.facts?.component, 'VEVENT');
    assert.equal(bodyOf(t, event('a').slice(0, -20)).object?.facts, undefined);
    assert.equal(bodyOf(t, 'BEGIN:VNOTE\r\nUID:a\r\nEND:VNOTE\r\n', 'text/vnote').object?.facts, undefined);
  });

  it('is none in another type, in several parts, or where it is too large', (t) => {
    assert.equal(bodyOf(t, event('a'), 'text/plain').object, undefined);
    const part = `Content-Type: text/calendar\n\n${event('a')}`;
    assert.equal(written(t, `Content-Type: multipart/mixed; boundary=x\n\n--x\n${part}\n--x--\n`).object, undefined);
    const full = event('x'.repeat(MAX_OBJECT_BYTES - event('').length));
    assert.equal(full.length, MAX_OBJECT_BYTES);
    assert.ok(bodyOf(t, full).object);
    assert.equal(bodyOf(t, `${full} `).object, undefined);
  });
});
