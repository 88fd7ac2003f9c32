// A message inside a message: its head under the names of a stored one, and the addresses of its parts.

import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { parseHeaders } from '../../src/mime/headers.ts';
import type { InnerJob } from '../../src/render/job.ts';
import { innerFields, readInner } from '../../src/render/message.ts';

function inner(source: string, more: Partial<InnerJob> = {}) {
  return readInner({
    kind: 'inner',
    ...{ source: Buffer.from(source), isWhole: true, rows: [], isPlain: false, isRemoteLoaded: false },
    ...{ msgnum: 7, partnum: '2', path: '/svc/r/Mail/7', canLookInside: true },
    ...more,
  });
}

const fieldsOf = (text: string) => innerFields(parseHeaders(Buffer.from(text)));

const PICTURE = 'Content-Type: image/png; name=p.png\nContent-ID: <p@x>\n\ncontent';
const MIXED = [
  'Subject: s\nContent-Type: multipart/related; boundary=b\n',
  '--b\nContent-Type: text/html\n\n<img src="cid:P@X">',
  `--b\n${PICTURE}\n--b\n${PICTURE}\n--b--\n`,
].join('\n');

describe('a message inside a message', () => {
  it('is none without a head', () => {
    assert.equal(inner('just text'), undefined);
    assert.equal(inner('\nbody'), undefined);
    assert.match(inner('Subject: s\n\nhello')!.rendered.text, /hello/);
  });

  it('has parts that are numbered as the whole message numbers them', () => {
    const { rendered } = inner(MIXED)!;
    assert.deepEqual(
      rendered.parts.map(({ number, name }) => [number, name]),
      [
        ['2.1.1', ''],
        ['2.1.2', 'p.png'],
        ['2.1.3', 'p.png'],
      ],
    );
    assert.deepEqual(
      inner('Subject: s\nContent-Type: text/plain\n\nx')!.rendered.parts.map(({ number }) => number),
      ['2.1'],
    );
  });

  it('shows the first picture of an id, by its number', () => {
    assert.match(inner(MIXED)!.rendered.text, /src="\/svc\/r\/Mail\/7\/2\.1\.2"/);
  });

  it('has neither parts nor pictures where they cannot be fetched by number', () => {
    const { rendered } = inner(MIXED, { canLookInside: false })!;
    assert.deepEqual(rendered.parts, []);
    assert.doesNotMatch(rendered.text, /svc/);
  });
});

describe('the head of such a message', () => {
  it('is told under the names of a stored one', () => {
    const { rcpt, cccc, ...rest } = fieldsOf(
      'From: "Ann B" <ann@example.org>\nTo: bob@example.org, c@x\nSubject: =?utf-8?Q?=C3=A9?=\n' +
        'Message-ID: <1@x>\nDate: Wed, 01 May 2024 10:00:00 +0000\n\n',
    );
    assert.deepEqual(rest, {
      msgn: '1@x',
      time: 1714557600,
      from: 'Ann B',
      rfca: 'ann@example.org',
      subj: 'é',
    });
    assert.deepEqual([rcpt?.length, cccc], [2, undefined]);
  });

  it('has the address where there is no name, and leaves out what is not there', () => {
    const fields = fieldsOf('From: ann@example.org\nDate: yesterday\n\n');
    assert.equal(fields.from, 'ann@example.org');
    assert.deepEqual(
      [fields.msgn, fields.time, fields.subj, fields.rcpt],
      [undefined, undefined, undefined, undefined],
    );
  });
});
