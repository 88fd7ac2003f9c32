// A message that goes on to others: whole, as a file (`p/ROOM/MESSAGE?format=rfc822`), on both kinds of room server.

import assert from 'node:assert/strict';
import { join } from 'node:path';
import { after, it } from 'node:test';
import { decoderFor } from '../../src/mime/coding/transfer.ts';
import { contentOf } from '../../src/mime/part.ts';
import { walk } from '../../src/mime/walk.ts';
// @ts-expect-error: the web client has no types
import { mailBody } from '../../static/formats/mail-body.js';
import { postedNumber, startGateway } from '../support/gateway.ts';
import { startRealServer } from '../support/real-server.ts';
import { WireClient } from '../support/wire-client.ts';

interface Upload {
  uploadfilename: string;
  contenttype: string;
  ref: string;
  contentlength: number;
}

const PICTURE = 'iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAYAAAAfFcSJAAAADUlEQVR42mNk+M9QDwADhgGAWjR9awAAAABJRU5ErkJggg==';
const MAILS: Readonly<Record<string, string[]>> = {
  'with a picture and a file': [
    'Reply-To: desk@x.example',
    'X-Odd:   spaces\tand tabs  ',
    'Content-type: multipart/mixed; boundary="a b"',
    '',
    'preamble',
    '--a b',
    'Content-Type: multipart/related; boundary=r',
    '',
    '--r',
    'Content-Type: text/html; charset=iso-8859-1',
    'Content-Transfer-Encoding: quoted-printable',
    '',
    '<table width=3D600><tr><td colspan=3D2>Gr=FC=DFe</table>',
    '--r',
    'Content-Type: image/png',
    'Content-ID: <p@x>',
    'Content-Transfer-Encoding: base64',
    '',
    PICTURE,
    '--r--',
    '--a b',
    'Content-Type: application/pdf',
    'Content-Disposition: attachment; filename="a.pdf"',
    'Content-Transfer-Encoding: base64',
    '',
    'JVBERg==',
    '--a b--',
    'epilogue',
  ],
  'of 8 bits': [
    'Content-type: text/plain; charset=utf-8',
    'Content-Transfer-Encoding: 8bit',
    '',
    'Grüße',
    '',
    '-- ',
    'A',
    '',
  ],
  'of few bytes': ['Content-type: text/plain', '', 'x'],
  'of a line that SMTP would break': ['Content-type: text/html', '', `<p>${'long '.repeat(400)}`],
};

const real = await startRealServer({ after }, { users: { alice: 4, bob: 4 } });
const gateways = [
  ['the embedded room server', await startGateway({ after }, { demo: true }), ''],
  ['another room server', await startGateway({ after }, { backend: `unix:${real.path}` }), 'pw'],
] as const;

for (const [server, gateway, suffix] of gateways) {
  const alice = gateway.as('alice', `alice${suffix}`);
  const bob = gateway.as('bob', `bob${suffix}`);
  const bytesOf = async (path: string) => Buffer.from(await (await alice(path)).arrayBuffer());
  const socket = suffix === '' ? join(gateway.dataFolder, 'citadel.socket') : real.behind.socketPath;
  /** A message of the Lobby, as a server that receives mail writes it. */
  const received = async (subject: string, lines: readonly string[]) => {
    const wire = await WireClient.login(socket, 'bob', `bob${suffix}`);
    await wire.expect('GOTO Lobby', 200);
    await wire.send(`ENT0 1|||4|${subject}`, lines.join('\n'));
    await wire.expect('NOOP', 200);
    wire.close();
    const { msgs } = (await (await alice('r/Lobby/mailbox')).json()) as { msgs: { msgnum: number }[] };
    return msgs.at(-1)!.msgnum;
  };
  const take = async (msgnum: number) => {
    const answer = await alice(`p/Lobby/${msgnum}?format=rfc822`);
    assert.equal(answer.status, 200);
    return (await answer.json()) as Upload[];
  };
  const forward = async (refs: readonly string[]) => {
    const query = new URLSearchParams({ mailto: 'bob', subj: 'Fwd: it', att: refs.join('!') });
    return postedNumber(await alice(`r/_MAIL_/new?${query}`, { method: 'PUT', body: 'See below.\n' }));
  };

  for (const [kind, lines] of Object.entries(MAILS)) {
    it(`goes on as a file, byte for byte, by ${server}: a mail ${kind}`, async () => {
      const msgnum = await received(`About ${kind}`, lines);
      const original = await bytesOf(`r/Lobby/${msgnum}?format=rfc822`);
      const [upload, ...others] = await take(msgnum);
      assert.deepEqual(others, []);
      assert.deepEqual(
        [upload?.uploadfilename, upload?.contenttype, upload?.contentlength],
        [`About ${kind}.eml`, 'message/rfc822', original.length],
      );
      assert.ok((await bytesOf(`p/${upload?.ref}`)).equals(original), 'the upload');

      const sent = await forward([upload!.ref]);
      const outgoing = await bytesOf(`r/_SENT_/${sent}?format=rfc822`);
      const part = walk(outgoing).children[1]!;
      const isLong = lines.some((line) => line.length > 998);
      assert.deepEqual([part.type, part.filename], [isLong ? 'message/global' : 'message/rfc822', `About ${kind}.eml`]);
      assert.match(part.encoding, isLong ? /^base64$/i : /^[78]bit$/);
      const decoder = decoderFor(part.encoding);
      const whole = [decoder.push(outgoing.subarray(part.start, part.end)), decoder.end()];
      assert.ok(Buffer.concat(whole).equals(original), 'as it leaves');

      const { msgs } = (await (await bob('r/_MAIL_/mailbox')).json()) as { msgs: { msgnum: number }[] };
      const read = await bob(`r/_MAIL_/${msgs.at(-1)?.msgnum}/2/json`);
      const { subj, text } = (await read.json()) as { subj: string; text: string };
      assert.equal(subj, `About ${kind}`);
      assert.match(text, /Gr.*e|x|long/);
    });
  }

  it(`several go on at once by ${server}, each named after its subject`, async () => {
    const subjects = ['Q3/Q4: "50 %"', '=?UTF-8?Q?Gr=C3=BC=C3=9Fe?=', '', `${'ü'.repeat(200)}`];
    const numbers = [];
    for (const subject of subjects) numbers.push(await received(subject, ['Content-type: text/plain', '', 'one']));
    const uploads = (await Promise.all(numbers.map(take))).flat();
    const names = uploads.map(({ uploadfilename }) => uploadfilename);
    assert.deepEqual(names.slice(0, 3), ['Q3 Q4 50 %.eml', 'Grüße.eml', 'message.eml']);
    assert.match(names[3]!, /^ü{30,}\.eml$/);
    assert.ok(Buffer.byteLength(names[3]!) <= 255);
    const sent = await forward(uploads.map(({ ref }) => ref));
    const { children } = walk(await bytesOf(`r/_SENT_/${sent}?format=rfc822`));
    assert.deepEqual(
      children.slice(1).map((part) => [part.type, part.filename]),
      names.map((name) => ['message/rfc822', name]),
    );
  });

  it(`an uploaded .eml file is attached as the message that it is, by ${server}`, async () => {
    const file = 'Subject: one\r\nContent-Type: text/plain\r\n\r\nHi\r\n';
    const post = { method: 'POST', headers: { 'content-type': 'message/rfc822' }, body: file };
    const [upload] = (await (await alice('p?filename=one.eml', post)).json()) as Upload[];
    const sent = await forward([upload!.ref]);
    const outgoing = await bytesOf(`r/_SENT_/${sent}?format=rfc822`);
    const part = walk(outgoing).children[1]!;
    assert.equal(outgoing.toString('latin1', part.start, part.end), file);
    assert.equal(contentOf(outgoing, part.children[0]!).toString(), 'Hi\r\n');
  });

  it(`a large file goes with text and HTML through ${server}`, async () => {
    const post = { method: 'POST', body: 'x'.repeat(400_000) };
    const [upload] = (await (await alice('p?filename=large.bin', post)).json()) as Upload[];
    const { type, body } = mailBody({ text: 'See below', html: '<p>See below' });
    const query = new URLSearchParams({ mailto: 'bob', att: upload!.ref });
    const put = await alice(`r/_MAIL_/new?${query}`, { method: 'PUT', headers: { 'content-type': type }, body });
    assert.equal(put.status, 201, await put.clone().text());
  });

  it(`only whole messages and files are taken from ${server}`, async () => {
    const msgnum = await received('x', ['Content-type: text/plain', '', 'one']);
    assert.equal((await alice(`p/Lobby/${msgnum}?format=eml`)).status, 400);
    assert.deepEqual(await (await alice(`p/Lobby/${msgnum}`)).json(), []);
    assert.equal((await alice('p/Lobby/99999999?format=rfc822')).status, 404);
  });
}
