// Bodies of PROPFIND (RFC 4918 section 9.1).

import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { setImmediate } from 'node:timers/promises';
import { parsePropfind } from '../../src/dav/describer.ts';
import { paced, readXml, rootOf } from '../../src/dav/xml-read.ts';
import { AppError } from '../../src/errors.ts';
import type { Exchange } from '../../src/http/exchange.ts';
import { MAX_DAV_PROPERTIES, MAX_DAV_PROPERTY_CHARACTERS, MAX_SHORT_XML_BYTES } from '../../src/limits/dav.ts';

const xml = (text: string) => readXml(Buffer.from(text));
const isRefusal = (error: unknown) => error instanceof AppError && error.code === 'bad_request';

describe('an XML body', () => {
  const bodyOf = (bytes: number) => Buffer.from(`<a>${' '.repeat(bytes - 7)}</a>`);
  const exchangeWith = (gone: AbortSignal) => ({ gone }) as Exchange;

  it('is read at once where it is short, and in turns with others where it is longer', async () => {
    const roundsFor = async (bytes: Buffer) => {
      let rounds = 0;
      const root = rootOf(exchangeWith(new AbortController().signal), bytes);
      let isRead = false;
      void root.then(() => (isRead = true));
      for (await Promise.resolve(); !isRead; rounds++) await setImmediate();
      return { rounds, name: (await root)?.name };
    };
    assert.equal((await roundsFor(bodyOf(MAX_SHORT_XML_BYTES))).rounds, 0);
    assert.ok((await roundsFor(bodyOf(MAX_SHORT_XML_BYTES + 1))).rounds > 0);
    const many = await roundsFor(Buffer.from(`<a>${'<b/>'.repeat(19_000)}</a>`));
    assert.equal(many.name, 'a');
    assert.ok(many.rounds > 3, `${many.rounds} turns of others`);
  });

  it('is read no further for who has gone', async () => {
    const exchange = exchangeWith(AbortSignal.abort());
    await assert.rejects(rootOf(exchange, bodyOf(MAX_SHORT_XML_BYTES + 1)), { name: 'AbortError' });
  });
});

/** Steps that each take longer than a turn. */
function* slowSteps(count: number, done: number[]): Generator<undefined, string> {
  for (let step = 0; step < count; step++) {
    for (const end = performance.now() + 1.5; performance.now() < end; );
    done.push(step);
    yield;
  }
  return 'made';
}

describe('work on a body', () => {
  it('is done at once where it is short', async () => {
    const done: number[] = [];
    const made = paced(slowSteps(0, done), new AbortController().signal);
    let isEarly = true;
    const others = setImmediate().then(() => void (isEarly = false));
    assert.equal(await made, 'made');
    assert.ok(isEarly);
    await others;
  });

  it('lets others have their turn where it is long, and ends when nobody wants it any more', async () => {
    const done: number[] = [];
    const gone = new AbortController();
    const made = paced(slowSteps(100, done), gone.signal);
    await setImmediate();
    assert.ok(done.length < 5, `${done.length} steps before others had their turn`);
    gone.abort();
    await assert.rejects(made);
    assert.ok(done.length < 5, `${done.length} steps of what nobody wants`);
  });
});

describe('the body of a PROPFIND', () => {
  const propfind = (inner: string) => parsePropfind(xml(`<D:propfind xmlns:D="DAV:">${inner}</D:propfind>`));

  it('asks for everything when there is none', () => {
    assert.deepEqual(parsePropfind(undefined), { kind: 'all', include: [] });
  });

  it('asks for all properties, their names, or some', () => {
    assert.deepEqual(propfind('<D:allprop/>'), { kind: 'all', include: [] });
    assert.deepEqual(propfind('<D:allprop/><D:include><a xmlns="u"/></D:include>'), {
      kind: 'all',
      include: [{ namespace: 'u', name: 'a' }],
    });
    assert.deepEqual(propfind('<D:propname/>'), { kind: 'names' });
    assert.deepEqual(propfind('<D:prop><D:getetag/><x:getetag xmlns:x="u"/><D:getetag/></D:prop>'), {
      kind: 'some',
      properties: [
        { namespace: 'DAV:', name: 'getetag' },
        { namespace: 'u', name: 'getetag' },
      ],
    });
  });

  it('passes over what it does not know', () => {
    assert.deepEqual(propfind('<x:extra xmlns:x="u"/><D:propname/><D:later/>'), { kind: 'names' });
  });

  it('is refused when it asks for nothing, for two things, or is something else', () => {
    for (const inner of ['', '<x:prop xmlns:x="u"/>', '<D:prop/><D:allprop/>', '<D:propname/><D:propname/>']) {
      assert.throws(() => propfind(inner), isRefusal, inner);
    }
    assert.throws(() => parsePropfind(xml('<propfind xmlns="u"><allprop/></propfind>')), isRefusal);
  });

  it('names a bounded number of properties', () => {
    const many = (count: number) =>
      propfind(`<D:prop>${Array.from({ length: count }, (_, i) => `<a${i}/>`).join('')}</D:prop>`);
    many(MAX_DAV_PROPERTIES);
    assert.throws(() => many(MAX_DAV_PROPERTIES + 1), isRefusal);
    // of seventeen: each has braces around the namespace, and a letter
    const named = (letter: string, characters: number) => `<${letter} xmlns="${'n'.repeat(characters - 3)}"/>`;
    const long = (characters: number) =>
      propfind(
        `<D:prop>${[...'bcdefghijklmnopq'].map((letter) => named(letter, 1000)).join('')}` +
          `${named('a', characters - 16_000)}</D:prop>`,
      );
    long(MAX_DAV_PROPERTY_CHARACTERS);
    assert.throws(() => long(MAX_DAV_PROPERTY_CHARACTERS + 1), isRefusal);
  });
});
