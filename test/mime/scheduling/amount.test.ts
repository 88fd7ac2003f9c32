// What one change may make, at its bounds.

import assert from 'node:assert/strict';
import { test } from 'node:test';
import { MAX_MESSAGE_CHARACTERS, MAX_MESSAGE_LINES } from '../../../src/limits/mime.ts';
import { type Component, ContentLine } from '../../../src/mime/objects/content-lines.ts';
import { Amount } from '../../../src/mime/scheduling/object.ts';

const component = (lines: ContentLine[], ...components: Component[]): Component => ({ name: 'X', lines, components });
const lineOfLength = (length: number) => ContentLine.read('X-A:'.padEnd(length, 'x'))!;
const LINE = lineOfLength(4);

test('MAX_MESSAGE_LINES are held, of all components together, and not one more', () => {
  const amount = new Amount();
  const half = component(new Array(MAX_MESSAGE_LINES / 2).fill(LINE));
  assert.ok(amount.holds(half));
  assert.ok(amount.holds(component([], half)));
  assert.ok(!amount.holds(component([LINE])));
});

test('MAX_MESSAGE_CHARACTERS are held, and not one more, however few the lines are', () => {
  const amount = new Amount();
  assert.ok(amount.holds(component([lineOfLength(MAX_MESSAGE_CHARACTERS - 4)])));
  assert.ok(amount.holds(component([], component([LINE]))));
  assert.ok(!amount.holds(component([], component([LINE]))));
});
