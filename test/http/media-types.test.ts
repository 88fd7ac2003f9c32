// Which media type the name of a file stands for.

import assert from 'node:assert/strict';
import { it } from 'node:test';
import { mediaTypeOf } from '../../src/http/media-types.ts';

it('knows the types of the files of a site', () => {
  const types: Record<string, string> = {
    'a/b.HTML': 'text/html; charset=utf-8',
    'x.mjs': 'text/javascript; charset=utf-8',
    'x.svg': 'image/svg+xml; charset=utf-8',
    'x.webmanifest': 'application/manifest+json; charset=utf-8',
    'x.wasm': 'application/wasm',
    'x.woff2': 'font/woff2',
    'x.ics': 'text/calendar; charset=utf-8',
    'x.vcf': 'text/vcard; charset=utf-8',
    'x.md': 'text/markdown; charset=utf-8',
    'v1.0/readme': 'application/octet-stream',
    'x.constructor': 'application/octet-stream',
  };
  for (const [path, type] of Object.entries(types)) assert.equal(mediaTypeOf(path), type, path);
});
