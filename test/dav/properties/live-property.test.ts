// The forms that tables of live properties are written in.

import assert from 'node:assert/strict';
import { it } from 'node:test';
import { hrefElement, optional } from '../../../src/dav/resource.ts';

it('A fact that is not known makes no element, one that is empty does', () => {
  assert.equal(optional('D:getcontentlength', undefined), undefined);
  assert.equal(optional('D:getcontentlength', 0)?.text, '<D:getcontentlength>0</D:getcontentlength>');
  assert.equal(optional('D:getcontenttype', '')?.text, '<D:getcontenttype/>');
});

it('Addresses stand in an href each, escaped', () => {
  assert.equal(
    hrefElement('D:owner', '/a&b', '/c').text,
    '<D:owner><D:href>/a&amp;b</D:href><D:href>/c</D:href></D:owner>',
  );
  assert.equal(hrefElement('D:owner').text, '<D:owner/>');
});
