// PUT with draft=N: what is posted takes the place of a draft.

import assert from 'node:assert/strict';
import { after, it } from 'node:test';
import { type Api, postedNumber, startBoth } from '../../support/gateway.ts';

const gateways = await startBoth({ after }, { demo: true });

const numbersIn = async (api: Api, room: string) =>
  ((await (await api(`r/${room}/mailbox`)).json()) as { msgs: { msgnum: number }[] }).msgs.map(({ msgnum }) => msgnum);

for (const [name, gateway] of gateways) {
  const alice = gateway.as('alice');
  const put = (path: string, body = 'text') => alice(path, { method: 'PUT', body });

  it(`a newer draft and the mail that was sent take the place of a draft on ${name}`, async () => {
    const before = await numbersIn(alice, '_DRAFTS_');
    const first = postedNumber(await put('r/_DRAFTS_/new?subj=one&mailto=bob'));
    const second = postedNumber(await put(`r/_DRAFTS_/new?subj=two&mailto=bob&draft=${first}`));
    assert.deepEqual(await numbersIn(alice, '_DRAFTS_'), [...before, second]);
    assert.equal((await put(`r/_MAIL_/new?subj=two&mailto=nobody-here&draft=${second}`)).status, 400);
    assert.equal((await put('r/_MAIL_/new?subj=two&mailto=bob&draft=x')).status, 400);
    assert.deepEqual(await numbersIn(alice, '_DRAFTS_'), [...before, second], 'nothing was sent');
    assert.equal((await put(`r/_MAIL_/new?subj=two&mailto=bob&draft=${second}`)).status, 201);
    assert.deepEqual(await numbersIn(alice, '_DRAFTS_'), before);
    assert.equal((await put(`r/_MAIL_/new?subj=two&mailto=bob&draft=${second}`)).status, 201, 'it has gone already');
  });

  it(`takes nothing on ${name} that is no draft of the caller's own`, async () => {
    const post = postedNumber(await put('r/Lobby/new?subj=post'));
    assert.equal((await put(`r/_DRAFTS_/new?subj=x&draft=${post}`)).status, 201);
    assert.ok((await numbersIn(alice, 'Lobby')).includes(post));
    const draft = postedNumber(await put('r/_DRAFTS_/new?subj=mine'));
    const bob = gateway.as('bob');
    assert.equal((await bob(`r/_DRAFTS_/new?subj=x&draft=${draft}`, { method: 'PUT', body: 'text' })).status, 201);
    assert.ok((await numbersIn(alice, '_DRAFTS_')).includes(draft));
  });
}

/** As other mail programs write drafts: files that are inline, without a name, or messages. */
const PARTS: readonly (readonly [head: string, body: string])[] = [
  ['Content-Type: application/pdf; name="plan.pdf"\nContent-Disposition: inline; filename="plan.pdf"', '%PDF plan'],
  ['Content-Type: text/plain\nContent-Disposition: inline; filename="notes.txt"', 'notes'],
  ['Content-Type: text/calendar; method=REQUEST', 'BEGIN:VCALENDAR\nEND:VCALENDAR'],
  ['Content-Type: application/octet-stream', 'octets'],
  ['Content-Type: message/rfc822', 'Subject: in\n\ninner'],
  ['Content-Type: image/png; name="a.png"\nContent-Disposition: inline\nContent-ID: <a@b>', 'PNG'],
];
const entity = (boundary: string, parts: string[]) =>
  `${parts.map((part) => `--${boundary}\n${part}\n`).join('')}--${boundary}--\n`;
const FILES = PARTS.map(([head, body]) => `${head}\n\n${body}`);
const HTML = 'Content-Type: text/html\n\n<p>text <img src="cid:a@b"></p>';
const SHAPES: Readonly<Record<string, readonly [type: string, body: string]>> = {
  'multipart/mixed': ['multipart/mixed; boundary=m', entity('m', ['Content-Type: text/plain\n\ntext', ...FILES])],
  'mixed inside related': [
    'multipart/related; boundary=r',
    entity('r', [HTML, `Content-Type: multipart/mixed; boundary=m\n\n${entity('m', FILES)}`]),
  ],
  'mixed inside alternative': [
    'multipart/alternative; boundary=a',
    entity('a', [
      'Content-Type: text/plain\n\ntext',
      `Content-Type: multipart/mixed; boundary=m\n\n${entity('m', [HTML, ...FILES, 'Content-Type: text/html\n\nend'])}`,
    ]),
  ],
};

interface Part {
  partnum: string;
  filename: string;
  disposition: string;
}

for (const [name, gateway] of gateways) {
  const alice = gateway.as('alice');
  const put = (path: string, body = 'text', type = 'text/plain') =>
    alice(path, { method: 'PUT', body, headers: { 'content-type': type } });
  const partsOf = async (path: string) => ((await (await alice(`${path}/json`)).json()) as { parts: Part[] }).parts;

  for (const [shape, [type, body]] of Object.entries(SHAPES)) {
    it(`a draft is sent with all of its parts on ${name}: ${shape}`, async () => {
      const draft = postedNumber(await put('r/_DRAFTS_/new?subj=plan&mailto=bob', body, type));
      const taken = (await (await alice(`p/_DRAFTS_/${draft}`)).json()) as { ref: string; partnum: string }[];
      const att = taken.map(({ ref }) => ref).join('!');
      const sent = postedNumber(await put(`r/_MAIL_/new?subj=plan&mailto=bob&att=${att}&draft=${draft}`));
      const files = (await partsOf(`r/_SENT_/${sent}`)).filter(({ disposition }) => disposition === 'attachment');
      assert.deepEqual(
        files.map(({ filename }) => filename),
        ['plan.pdf', 'notes.txt', 'invitation.ics', `part-${taken[3]!.partnum}`, 'in.eml', 'a.png'],
      );
      for (const [i, { partnum }] of files.entries()) {
        assert.equal((await (await alice(`r/_SENT_/${sent}/${partnum}`)).text()).trimEnd(), PARTS[i]![1]);
      }
      assert.ok(!(await numbersIn(alice, '_DRAFTS_')).includes(draft));
    });
  }

  it(`a draft stays on ${name} where what was posted lacks one of its files`, async () => {
    const [type, body] = SHAPES['multipart/mixed']!;
    const draft = postedNumber(await put('r/_DRAFTS_/new?subj=plan&mailto=bob', body, type));
    assert.equal((await put(`r/_MAIL_/new?subj=plan&mailto=bob&draft=${draft}`)).status, 201);
    assert.ok((await numbersIn(alice, '_DRAFTS_')).includes(draft));
    const taken = (await (await alice(`p/_DRAFTS_/${draft}`)).json()) as { ref: string }[];
    const att = taken.slice(1).map(({ ref }) => ref);
    assert.equal((await put(`r/_DRAFTS_/new?subj=plan&att=${att.join('!')}&draft=${draft}`)).status, 201);
    assert.ok((await numbersIn(alice, '_DRAFTS_')).includes(draft));
    assert.equal((await put(`r/_DRAFTS_/new?subj=plan&att=${att.join('!')}&draft=${draft}&dropped=1`)).status, 201);
    assert.ok(!(await numbersIn(alice, '_DRAFTS_')).includes(draft), 'they have been taken out on purpose');
  });
}
