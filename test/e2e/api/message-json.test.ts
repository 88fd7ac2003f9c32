// A message as JSON, for a page to show.

import assert from 'node:assert/strict';
import { join } from 'node:path';
import { after, describe, it } from 'node:test';
import { type Api, postedNumber, startBoth, type TestGateway } from '../../support/gateway.ts';
import { WireClient } from '../../support/wire-client.ts';

type Fields = Record<string, unknown>;

const users = [{ name: 'carol', password: 'carol' }];
const square = 'r/Town%20Square';

const both = await startBoth({ after }, { demo: true, users });
const [[, first]] = both as [[string, TestGateway]];

for (const [name, gateway] of both) {
  const alice = gateway.as('alice');
  const put = (path: string, body: string, type = 'text/plain; charset=utf-8') =>
    alice(path, { method: 'PUT', headers: { 'content-type': type }, body });
  const post = async (query: string, body: string, type?: string) =>
    `${square}/${postedNumber(await put(`${square}/new${query}`, body, type))}`;

  describe(`a message as JSON on ${name}`, () => {
    it('has its fields, and safe text', async () => {
      const path = await post(
        '?subj=A+page',
        '<p onclick="x()">Hi <b>you</b></p><script>alert(1)</script>',
        'text/html',
      );
      const message = await json(alice, `${path}/json`);
      const { msgnum, msgn, time, from, rfca, room, subj, seen, content_type, parts, text } = message;
      assert.equal(msgnum, Number(path.split('/').at(-1)));
      assert.deepEqual([typeof msgn, typeof time, typeof rfca], ['string', 'number', 'string']);
      assert.deepEqual([from, room, subj, seen], ['alice', 'Town Square', 'A page', false]);
      assert.equal(content_type, 'text/html');
      assert.match(String(text), /<p>Hi <b>you<\/b><\/p>/);
      assert.doesNotMatch(String(text), /script|onclick/);
      assert.equal('cccc' in message, false, 'what a message does not have is absent');
      const [part] = parts as Fields[];
      assert.deepEqual([part!.partnum, part!.content_type], ['1', 'text/html']);
      assert.match(String((await json(alice, `${path}/json?text=plain`)).text), /^Hi you\s*$/);
      assert.equal((await alice(`${path}/json?text=other`)).status, 400);
    });

    it('has plain text as HTML with links', async () => {
      const path = await post('', 'a < b & c\nsee https://example.org/x\n');
      const html = String((await json(alice, `${path}/json`)).text);
      assert.match(html, /a &lt; b &amp; c<br>/);
      assert.match(html, /<a [^>]*href="https:\/\/example\.org\/x"/);
      assert.equal((await json(alice, `${path}/json?text=plain`)).text, 'a < b & c\nsee https://example.org/x\n');
    });

    it('has the size of what each part holds, however it travels', async () => {
      const bytes = Buffer.alloc(300_000, 'Grüße, 🌱 = ok\r\n');
      const lines = bytes.toString('base64').replace(/.{76}/g, '$&\n');
      const part = (name: string, encoding: string, content: string) =>
        `--b\nContent-Type: application/x-any; name=${name}\nContent-Disposition: attachment; filename=${name}\n` +
        `Content-Transfer-Encoding: ${encoding}\n\n${content}\n`;
      const content = [
        part('lines', 'base64', lines),
        part('one', 'BASE64', Buffer.from('one\n').toString('base64')),
        part('odd', 'base64', 'b2\n 5l\nCg\n=\n=\n\n'),
        part('quoted', 'quoted-printable', 'Gr=C3=BC=C3=9Fe=\n!'),
        part('plain', '7bit', 'plain'),
        part('none', 'base64', ''),
      ];
      const path = await post('?subj=Parts', `${content.join('')}--b--\n`, 'multipart/mixed; boundary=b');
      const parts = (await json(alice, `${path}/json`)).parts as { partnum: string; filename: string; size: number }[];
      const sizes = parts.map(({ filename, size }) => [filename, size]);
      const known = { lines: 300_000, one: 4, odd: 4, quoted: 8, plain: 5, none: 0 };
      assert.deepEqual(sizes, Object.entries(known));
      for (const { partnum, size } of parts) {
        assert.equal((await (await alice(`${path}/${partnum}`)).arrayBuffer()).byteLength, size);
      }
    });

    it('says where an answer goes, and the address of the mailing list', async () => {
      const wire = await WireClient.login(join(first.dataFolder, 'citadel.socket'), 'alice', 'alice');
      await wire.expect('GOTO Town Square', 200);
      const header = 'Reply-To: =?UTF-8?Q?J=C3=B6rg?= <j@x.example>,\n "B, A" <b@x.example>\n';
      const list = 'List-Post: <https://list.example/post>, <mailto:all@list.example?x=1>\n';
      await wire.send(`ENT0 1|||4|Answers on ${name}`, `${header}${list}Content-type: text/plain\n\nHi`);
      await wire.expect('NOOP', 200);
      wire.close();
      const { msgs } = (await json(alice, `${square}/mailbox`)) as { msgs: { msgnum: number; subject: string }[] };
      const { msgnum } = msgs.find(({ subject }) => subject === `Answers on ${name}`)!;
      const { reply_to, list_post } = await json(alice, `${square}/${msgnum}/json`);
      assert.deepEqual(reply_to, ['Jörg <j@x.example>', '"B, A" <b@x.example>']);
      assert.equal(list_post, 'mailto:all@list.example?x=1');
      const without = await json(alice, `${await post('', 'no list')}/json`);
      assert.ok(!('reply_to' in without) && !('list_post' in without));
    });

    it('says where a mailing list can be left, and only there', async () => {
      const wire = await WireClient.login(join(first.dataFolder, 'citadel.socket'), 'alice', 'alice');
      await wire.expect('GOTO Town Square', 200);
      const list = 'List-Unsubscribe: <https://list.example/off?u=1>,\n <mailto:off@list.example>, <javascript:x>';
      await wire.send(`ENT0 1|||4|News of ${name}`, `${list}\nContent-type: text/plain\n\nNews`);
      await wire.expect('NOOP', 200);
      wire.close();
      const { msgs } = (await json(alice, `${square}/mailbox`)) as { msgs: { msgnum: number; subject: string }[] };
      const { msgnum } = msgs.find(({ subject }) => subject === `News of ${name}`)!;
      const { unsubscribe } = await json(alice, `${square}/${msgnum}/json`);
      assert.deepEqual(unsubscribe, ['https://list.example/off?u=1', 'mailto:off@list.example']);
      assert.equal('unsubscribe' in (await json(alice, `${await post('', 'no list')}/json`)), false);
    });
  });
}

async function json(api: Api, path: string): Promise<Fields> {
  const response = await api(path);
  assert.equal(response.status, 200, path);
  return (await response.json()) as Fields;
}
