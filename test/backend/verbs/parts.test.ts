import assert from 'node:assert/strict';
import { randomBytes } from 'node:crypto';
import { describe, it, type TestContext } from 'node:test';
import type { Session } from '../../../src/backend/session/session.ts';
import { clos, opna, read } from '../../../src/backend/verbs/citadel/reading.ts';
import { ent0 } from '../../../src/backend/verbs/posting.ts';
import { dlat } from '../../../src/backend/verbs/reading.ts';
import { MAX_READ_BYTES } from '../../../src/limits/backend.ts';
import { MAX_PART_FIELD_CHARACTERS } from '../../../src/limits/mime.ts';
import { quotedPrintableEncoder } from '../../../src/mime/coding/transfer.ts';
import { messageWorld, run, runBytes } from '../../support/message-session.ts';
import { FORWARD, MIXED, NESTED, PNG_BYTES } from '../../support/sample-messages.ts';

function world(t: TestContext) {
  const w = messageWorld(t);
  const session = w.session(w.user('ann'), w.room('Box'));
  const post = (format: number, body: string | Buffer) => run(session, ent0, `1|||${format}|s||1`, body);
  /** status line and bytes, which must be as many as it says */
  const part = (args: string) => {
    const reply = runBytes(session, dlat, args);
    const end = reply.indexOf(10);
    const status = reply.subarray(0, end).toString();
    const bytes = reply.subarray(end + 1);
    if (status.startsWith('600 ')) assert.equal(bytes.length, Number.parseInt(status.slice(4), 10));
    return { status, bytes };
  };
  return { session, post, part };
}

describe('DLAT', () => {
  it('finds parts by number and by Content-ID', (t) => {
    const { post, part } = world(t);
    post(4, MIXED);
    assert.deepEqual(part('1|1'), { status: '600 16|-1||text/plain|utf-8', bytes: Buffer.from('See attachments.') });
    for (const id of ['2', 'dot@example', 'DOT@example']) {
      assert.deepEqual(part(`1|${id}`), { status: '600 70|-1|dot.png|image/png|', bytes: PNG_BYTES });
    }
    for (const id of ['4', '', '0', '1.1']) assert.equal(part(`1|${id}`).status, `571 Section ${id} not found.`);
  });

  it('gives inner parts and whole forwarded messages, but no multiparts', (t) => {
    const { post, part } = world(t);
    post(4, NESTED);
    assert.deepEqual(part('1|2').bytes, Buffer.from(FORWARD));
    assert.equal(part('1|1.1.2').bytes.toString(), '<p>deep html <img src="cid:pic1"></p>');
    assert.equal(part('1|2.1.2').bytes.toString(), '%PDF-');
    for (const id of ['1', '1.1', '2.1', '2.2']) assert.equal(part(`1|${id}`).status, `571 Section ${id} not found.`);
  });

  it('refuses what has no parts', (t) => {
    const { post, part } = world(t);
    post(1, 'x\n');
    assert.equal(part('1|1').status, '512 This is not a MIME message.');
    assert.equal(part('99|1').status, '550 message 99 was not found in this room');
  });

  it('gives back every byte that was posted, in any encoding', (t) => {
    const { post, part } = world(t);
    const all = Buffer.from(Array.from({ length: 256 }, (_, i) => i));
    const contents = [all, randomBytes(100_000), Buffer.from('000\n000\n'), Buffer.from('\r\n\r'), Buffer.from('a')];
    let number = 0;
    for (const content of contents) {
      const base64 = `${content.toString('base64').replace(/.{76}/g, '$&\n')}\n`;
      const coder = quotedPrintableEncoder();
      const quoted = Buffer.concat([coder.push(content), coder.end()]);
      for (const [encoding, encoded] of [
        ['base64', Buffer.from(base64)],
        ['quoted-printable', quoted],
      ] as const) {
        post(4, Buffer.concat([Buffer.from(`Content-type: x/y\nContent-transfer-encoding: ${encoding}\n\n`), encoded]));
        assert.ok(part(`${++number}|1`).bytes.equals(content), encoding);
      }
    }
    const eightBit = Buffer.concat([
      Buffer.from('Content-type: x/y\n\n'),
      all.filter((byte) => byte !== 13),
      Buffer.from('\n'),
    ]);
    post(4, eightBit);
    assert.ok(part(`${++number}|1`).bytes.equals(eightBit.subarray(19)), '8bit, NUL included');
  });

  it('keeps bars of file names out of the fields', (t) => {
    const { post, part } = world(t);
    post(4, 'Content-type: x/y\nContent-disposition: attachment; filename="a|b.txt"\n\nabc\n');
    assert.equal(part('1|1').status, '600 4|-1|a_b.txt|x/y|');
  });

  it('cuts names that would make every listing of the message long', (t) => {
    const { post, part } = world(t);
    const name = 'n'.repeat(MAX_PART_FIELD_CHARACTERS);
    for (const more of ['', 'x']) {
      post(4, `Content-type: x/y\nContent-disposition: attachment; filename="${name}${more}"\n\nabc\n`);
    }
    assert.equal(part('1|1').status, `600 4|-1|${name}|x/y|`);
    assert.equal(part('2|1').status, `600 4|-1|${name}|x/y|`);
  });
});

/** The reply of READ, which comes at once or when others have had their turn. */
async function readBytes(session: Session, args: string): Promise<Buffer> {
  const reply = await read(session, args);
  return runBytes(session, () => reply, '');
}

describe('OPNA, READ and CLOS', () => {
  it('read a part in pieces', async (t) => {
    const { session, post } = world(t);
    post(4, MIXED);
    assert.equal(run(session, opna, '1|9'), '571 Section 9 not found.\n');
    assert.match(run(session, opna, '1|2'), /^200 70\|\d+\|dot\.png\|image\/png\n$/);
    assert.equal(run(session, opna, '1|3'), '552 You already have a download open.\n');
    assert.deepEqual(
      await readBytes(session, '0|8'),
      Buffer.concat([Buffer.from('600 8\n'), PNG_BYTES.subarray(0, 8)]),
    );
    assert.deepEqual(
      await readBytes(session, '8|5000'),
      Buffer.concat([Buffer.from('600 62\n'), PNG_BYTES.subarray(8)]),
    );
    assert.deepEqual(
      await readBytes(session, '3|2'),
      Buffer.concat([Buffer.from('600 2\n'), PNG_BYTES.subarray(3, 5)]),
    );
    assert.match(run(session, read, '70|1'), /^500 /);
    for (const args of ['0|0', '-1|5'])
      assert.equal(run(session, read, args), '512 you have to specify a value > 0.\n');
    assert.equal(run(session, clos, ''), '200 Ok\n');
    assert.equal(run(session, clos, ''), "553 You don't have a download file open.\n");
    assert.equal(run(session, read, '0|8'), "553 You don't have a download file open.\n");
  });

  it('read MAX_READ_BYTES at once, and no more', async (t) => {
    const { session, post } = world(t);
    post(4, `Content-type: x/y\n\n${'x'.repeat(2 * MAX_READ_BYTES)}\n`);
    run(session, opna, '1|1');
    for (const count of [MAX_READ_BYTES, MAX_READ_BYTES + 1]) {
      const reply = await readBytes(session, `0|${count}`);
      assert.equal(reply.toString(), `600 ${MAX_READ_BYTES}\n${'x'.repeat(MAX_READ_BYTES)}`, String(count));
    }
  });

  it('read at any offset of a part of many chunks, forwards and back', async (t) => {
    const { session, post } = world(t);
    const content = randomBytes(200_000);
    const base64 = content.toString('base64').replace(/.{76}/g, '$&\n');
    post(4, `Content-type: x/y\nContent-transfer-encoding: base64\n\n${base64}\n`);
    run(session, opna, '1|1');
    for (const offset of [0, 4096, 150_000, 49_152, 49_151, 199_990]) {
      const reply = await readBytes(session, `${offset}|4096`);
      assert.ok(reply.subarray(reply.indexOf(10) + 1).equals(content.subarray(offset, offset + 4096)), String(offset));
    }
  });
});
