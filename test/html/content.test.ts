// What of HTML people read, and what nobody does.

import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { sanitise } from '../../src/html/sanitise.ts';
import { contentTokens } from '../../src/html/tokenizer.ts';

const local = (html: string): string => sanitise(html, { remote: false }).html;

describe('a page that is read', () => {
  it('removes content that is code and keeps the text around it', () => {
    assert.equal(local('a<script>b</script>c<style>d</style>e<svg><text>f</text></svg>g'), 'aceg');
    assert.equal(local('a<svg/>b<template><template>c</template>d</template>e<title>f</title>g'), 'abeg');
    assert.equal(local('<form><label>Name: <input name=n></label><button>Go</button></form>'), 'Name: Go');
  });

  it('leaves out what stands in for something that is not shown', () => {
    assert.equal(local('a<video>b</video>c<audio>d</audio>e<iframe>f</iframe>g<noscript>h</noscript>i'), 'acegi');
    assert.equal(
      local('a<object><object>b</object>c</object>d<noembed>e</noembed>f<select><option>g</select>h'),
      'adfh',
    );
  });
});

describe('tokens that people read', () => {
  const read = (html: string) =>
    [...contentTokens(html)].map((token) =>
      token.type === 'text' ? token.data : token.type === 'style' ? token.css : `${token.type} ${token.name}`,
    );

  it('are no comments and no declarations', () => {
    assert.deepEqual(read('<!doctype html><!--c--><p>a</p><?x?>'), ['start p', 'a', 'end p']);
  });

  it('end where an element that is left out never ends', () => {
    for (const name of ['script', 'svg', 'template', 'textarea', 'plaintext']) {
      assert.deepEqual(read(`a<${name}>b<p>c</p>`), ['a'], name);
    }
  });

  it('go on behind the end that belongs to it, counting those inside', () => {
    assert.deepEqual(read('<svg><svg>a</svg>b</svg>c'), ['c']);
    assert.deepEqual(read('<svg><math>a</svg>b'), ['b'], 'others do not count');
    assert.deepEqual(read('<svg/>a<math/>b'), ['a', 'b'], 'foreign ones may end themselves');
    assert.deepEqual(read('<template/>a</template>b'), ['b'], 'and no others');
    assert.deepEqual(read('a</script>b'), ['a', 'end script', 'b'], 'an end of what has not begun');
  });
});
