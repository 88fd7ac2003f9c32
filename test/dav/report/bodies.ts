// Bodies of reports as tests write them, and what their refusal looks like.

import assert from 'node:assert/strict';
import { readXml, type XmlElement } from '../../../src/dav/xml-read.ts';
import { AppError } from '../../../src/errors.ts';

const NAMESPACES = 'xmlns:D="DAV:" xmlns:C="urn:ietf:params:xml:ns:caldav" xmlns:CR="urn:ietf:params:xml:ns:carddav"';

/** `'<C:filter>…</C:filter>'`, with the prefixes D, C and CR declared. */
export function xmlOf(text: string): XmlElement {
  return readXml(Buffer.from(text.replace(/^<([^\s/>]+)/, `<$1 ${NAMESPACES}`)));
}

/** `read` fails with this precondition, `'valid-filter'`, or with `'bad_request'`. */
export function refuses(read: () => unknown, expected: string, message?: string): void {
  assert.throws(
    read,
    (error) => error instanceof AppError && (error.condition?.name ?? error.code) === expected,
    message,
  );
}
