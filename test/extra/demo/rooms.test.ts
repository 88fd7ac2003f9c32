// Examples in rooms of each kind.

import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { events, rooms } from '../../../src/extra/demo/rooms.ts';
import { parseObject } from '../../../src/mime/objects/components.ts';
import { textOf } from '../../../src/mime/objects/content-lines.ts';
import { objectFacts } from '../../../src/mime/objects/properties.ts';
import { atOnce } from '../../../src/system/steps.ts';

const NOW = Date.UTC(2027, 1, 3, 17, 12) / 1000;
const entries = [...rooms((days) => NOW - days * 86_400), ...events(NOW)];
const objectOf = (body: string) => parseObject(body.slice(body.indexOf('\n\n') + 2)).object;
const contentOf = (type: string) => entries.filter(({ body }) => body.startsWith(`Content-Type: ${type}`));

describe('examples of events, tasks and cards', () => {
  it('are objects that can be read, each with a UID of its own', () => {
    const objects = [...contentOf('text/calendar'), ...contentOf('text/vcard')].map(({ body }) => objectOf(body)!);
    assert.ok(objects.length > 4 && objects.every(Boolean));
    const uids = objects.map((object) => textOf(object, 'UID') || textOf(object.components[0]!, 'UID'));
    assert.ok(uids.every((uid) => uid !== ''));
    assert.equal(new Set(uids).size, uids.length);
  });

  it('are about the days around now, so that a calendar that is opened shows some', () => {
    const extents = events(NOW).flatMap(({ body }) => atOnce(objectFacts(objectOf(body)!)).extent ?? []);
    assert.ok(extents.some(({ end }) => end > NOW) && extents.some(({ start }) => Math.abs(start - NOW) < 7 * 86_400));
  });
});

it('pages have names, and nothing else has one', () => {
  for (const { room, euid } of entries) assert.equal(euid !== undefined, room === 'Handbook', `${room}`);
  assert.ok(entries.some(({ euid }) => euid === 'home'));
});
