// The boundary of a form, and what the headers of its parts say: names and file names (RFC 7578 section 4.2).

import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { MAX_BOUNDARY_BYTES } from '../../src/limits/http.ts';
import { field, parse, refusal } from './forms.ts';

describe('the boundary', () => {
  const withBoundary = (boundary: string) => `--${boundary}\r\n${field('a')}\r\nx\r\n--${boundary}--`;

  it('may be quoted, and as long as the RFC says', async () => {
    assert.equal(
      (await parse(withBoundary("a b'()+_,-./:=?"), undefined, `Multipart/Form-Data; x=y; BOUNDARY="a b'()+_,-./:=?"`))
        .length,
      1,
    );
    const longest = 'x'.repeat(MAX_BOUNDARY_BYTES);
    assert.equal(await refusal(withBoundary(longest), `multipart/form-data; boundary=${longest}`), 'none');
    assert.equal(
      await refusal(withBoundary(`${longest}x`), `multipart/form-data; boundary=${longest}x`),
      'bad_request',
    );
  });

  it('must be there and usable', async () => {
    for (const parameter of [
      '',
      '; boundary',
      '; boundary=',
      '; boundary=""',
      '; boundary="a "',
      '; boundary=a\u00e9',
      '; boundary="a',
    ]) {
      assert.equal(await refusal('', `multipart/form-data${parameter}`), 'bad_request', parameter);
    }
    for (const type of ['', 'text/plain', 'multipart/mixed; boundary=a', 'multipart/form-datax; boundary=a']) {
      assert.equal(await refusal('', type), 'unsupported_media_type', type);
    }
  });
});

describe('file names', () => {
  const nameOf = async (parameters: string) => {
    const form = Buffer.from(`--XyZ\r\nContent-Disposition: form-data; ${parameters}\r\n\r\nx\r\n--XyZ--`, 'utf8');
    const [seen] = await parse(form);
    return seen!.filename;
  };

  it('are as browsers and command-line clients mean them', async () => {
    assert.equal(await nameOf('name="a"; filename="naïve ☃.txt"'), 'naïve ☃.txt');
    assert.equal(await nameOf('name="a"; filename="a%22b%0D%0Ac%41.txt"'), 'a"b\r\nc%41.txt');
    assert.equal(await nameOf('name="a"; filename="C:\\dir\\x.txt"'), 'C:\\dir\\x.txt');
    assert.equal(await nameOf('name="a"; filename="C:\\"'), 'C:\\');
    assert.equal(await nameOf('filename="C:\\" ; name="a"'), 'C:\\');
    assert.equal(await nameOf('name="a"; filename="say \\"hi\\" now"'), 'say "hi" now');
    assert.equal(await nameOf('name="a"; filename="a;b=c"'), 'a;b=c');
    assert.equal(await nameOf('filename=plain.txt; name=a'), 'plain.txt');
    assert.equal(await nameOf('name="a"'), undefined);
  });

  it('come from filename* where that can be read', async () => {
    assert.equal(await nameOf(`name="a"; filename="x"; filename*=UTF-8''%e2%82%ac%20y`), '€ y');
    assert.equal(await nameOf(`name="a"; filename*=iso-8859-1'en'%A3; filename="x"`), '£');
    for (const broken of [`UTF-8''%ff`, `UTF-8''%zz`, `koi8-r''x`, 'x']) {
      assert.equal(await nameOf(`name="a"; filename="x"; filename*=${broken}`), 'x', broken);
    }
  });
});
