// The JSON of a reading: whole objects or their ends, and never more than the bound.

import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import type { InnerJob, MessageJob } from '../../src/render/job.ts';
import { render } from '../../src/render/render.ts';
import { textJob } from '../support/render-threads.ts';

const fields = { msgnum: 1 };
const text = { name: '', filename: '', partnum: '1', disposition: '', contentType: 'text/plain', length: 1 };
/** as the room server lists it */
const rows = [{ ...text, contentId: '', charset: '' }];

function json(job: MessageJob, maxBytes?: number) {
  return JSON.parse(String(render(job, maxBytes))) as { text: string; is_cut: boolean; parts?: unknown[] };
}

describe('what a job becomes', () => {
  it('is an object where fields are given, else the end of one', () => {
    assert.equal(json({ ...textJob('hello'), fields }).text, 'hello');
    const end = String(render(textJob('hello')));
    assert.deepEqual(JSON.parse(`{"msgnum":1${end}`), json({ ...textJob('hello'), fields }));
  });

  it('has no parts where they cannot be fetched', () => {
    assert.equal(json({ ...textJob('x'), rows, fields }).parts?.length, 1);
    assert.equal(json({ ...textJob('x'), rows, fields, path: undefined }).parts, undefined);
  });

  it('lies in memory of its own, so that it can go to another thread', () => {
    const bytes = render(textJob('x'))!;
    assert.equal(bytes.buffer.byteLength, bytes.length);
  });

  it('is a list for the parts alone', () => {
    const { source, isWhole, format, contentType, isPacked } = textJob('x');
    const parts = JSON.parse(
      String(render({ kind: 'parts', source, isWhole, rows, format, contentType, isPacked })),
    ) as { number: string }[];
    assert.deepEqual(
      parts.map(({ number }) => number),
      ['1'],
    );
  });

  it('is a text alone, and nothing of one that is longer than is asked for', () => {
    const { fields: _, ...job } = { ...textJob('é'.repeat(10)), rows };
    const made = (maxTextBytes: number) => JSON.parse(String(render({ ...job, kind: 'text', maxTextBytes })));
    assert.deepEqual(made(20), { text: 'é'.repeat(10) });
    assert.deepEqual(made(19), {});
  });

  it('is nothing for an inner message that is none', () => {
    const inner: InnerJob = {
      kind: 'inner',
      ...{ source: Buffer.from('no header here'), isWhole: true, rows: [], isPlain: true, isRemoteLoaded: false },
      ...{ msgnum: 1, partnum: '2', path: '/svc/r/Lobby/1', canLookInside: true },
    };
    assert.equal(render(inner), undefined);
    const { subj } = JSON.parse(String(render({ ...inner, source: Buffer.from('Subject: s\n\nx') }))) as {
      subj: string;
    };
    assert.equal(subj, 's');
  });
});

describe('a reading that would be too large', () => {
  const job = { ...textJob('é'.repeat(4000)), fields };
  const size = render(job)!.length;

  it('is made of all of the message up to the bound, and of its beginning beyond', () => {
    assert.equal(json(job, size).is_cut, false);
    const cut = json(job, size - 1);
    assert.equal(cut.is_cut, true);
    assert.ok(cut.text.length > 100 && 'é'.repeat(4000).startsWith(cut.text.slice(0, 100)));
  });

  it('keeps to the bound in bytes', () => {
    for (const bound of [400, 1000, 3000]) assert.ok(render(job, bound)!.length <= bound, String(bound));
  });

  it('is refused where no beginning is small enough', () => {
    assert.throws(() => render(job, 50), { code: 'not_rendered' });
  });
});
