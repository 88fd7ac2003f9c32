// Fields of a message as header lines, and back.

import assert from 'node:assert/strict';
import { Readable } from 'node:stream';
import { describe, it } from 'node:test';
import { isMark, markLines, originalIds, withoutMarks } from '../../../src/extra/migrate/marks.ts';

const HEAD = new Map([
  ['msgn', 'id@there'],
  ['time', '1700000000'],
  ['from', 'Ünal "Q" 100%'],
  ['rfca', 'q@x'],
  ['subj', 'a\r\nBcc: evil@x'],
  ['exti', 'uid%20é'],
  ['anon', 'no'],
  ['nhdr', 'yes'],
]);

const bodyOf = (text: string) => Readable.from([Buffer.from(text)]) as AsyncIterable<Buffer>;
const linesOf = (text: string) => text.split('\n').slice(0, -1);

async function text(body: AsyncIterable<Buffer>): Promise<string> {
  let all = '';
  for await (const piece of body) all += piece;
  return all;
}

describe('the marks of a copied message', () => {
  it('are header lines of ASCII, one a field, whatever the fields hold', () => {
    const lines = linesOf(markLines(new Map([...HEAD, ['type', '4']])));
    assert.ok(
      lines.every((line) => /^X-Vestibule-Original-\w+: [ -~]+$/.test(line) && isMark(line)),
      lines.join('\n'),
    );
    assert.equal(lines.length, 8, 'nhdr is not marked');
    assert.equal(isMark('Subject: x'), false);
  });

  it('bring the fields back, and the body that stood behind them', async () => {
    for (const type of ['4', '1']) {
      const head = new Map([...HEAD, ['type', type]]);
      const stored = `${markLines(head)}${type === '4' ? 'Content-Type: text/plain\n\n' : ''}text\n`;
      const lines = linesOf(stored);
      const header = lines.slice(0, lines.indexOf(''));
      const given = new Map([
        ['msgn', 'id@here'],
        ['from', 'admin'],
        ['cccc', 'left behind'],
        ['nhdr', 'yes'],
      ]);
      const [fields, body] = withoutMarks(given, header, bodyOf(`${lines.slice(header.length).join('\n')}\n`));
      assert.deepEqual(new Map([...fields].sort()), new Map([...head].sort()), type);
      assert.equal(await text(body), type === '4' ? 'Content-Type: text/plain\n\ntext\n' : 'text\n');
    }
  });

  it('bring back what came by mail, which puts lines before them and an empty one behind the header', async () => {
    const head = new Map([...HEAD, ['type', '4']]);
    const header = ['Received: from x', '\tby y', ...linesOf(markLines(head)), 'Content-Type: multipart/mixed'];
    const [, body] = withoutMarks(new Map(), header, bodyOf('\n\n--b\n'));
    assert.equal(await text(body), 'Content-Type: multipart/mixed\n\n--b\n');
    const plain = new Map([...HEAD, ['type', '1']]);
    const lines = linesOf(markLines(plain, true)).slice(0, -1);
    const [, content] = withoutMarks(new Map(), ['Received: from x', ...lines], bodyOf('\n\naMO8Cg==\n'));
    assert.equal(await text(content), 'hü\n');
  });

  it('of a message that the gateway has posted anew change the fields that they name, and nothing else', async () => {
    const header = ['X-Vestibule-Original-time: 5', 'X-Vestibule-Original-exti: uid', 'Content-Type: text/html'];
    for (const lines of [header, header.toReversed()]) {
      const given = new Map([
        ['msgn', 'id@here'],
        ['from', 'ann'],
        ['type', '4'],
      ]);
      const [fields, body] = withoutMarks(given, lines, bodyOf('\ntext\n'));
      assert.deepEqual(fields, new Map([...given, ['time', '5'], ['exti', 'uid']]));
      assert.equal(await text(body), 'Content-Type: text/html\n\ntext\n');
    }
  });

  it('are not looked for where there are none', () => {
    const [given, body] = [new Map([['msgn', 'id@here']]), bodyOf('text\n')];
    assert.deepEqual(withoutMarks(given, [], body), [given, body]);
  });

  it('tell the ids of before: the euid, which stays when it is edited, before the message id', () => {
    const ids = (lines: string) => originalIds(linesOf(lines));
    assert.deepEqual(ids(markLines(HEAD)), { key: 'uid%20é', msgid: 'id@there' });
    assert.deepEqual(ids(markLines(new Map([['msgn', 'id@there']]))), { key: 'id@there', msgid: 'id@there' });
    assert.equal(ids('Subject: x\n'), undefined);
    assert.equal(ids(markLines(new Map([['exti', 'uid']]))), undefined);
  });

  it('of somebody who has written them by hand do no harm', () => {
    assert.deepEqual(originalIds(['X-Vestibule-Original-msgn: %E0%A4%A', 'X-Vestibule-Original-constructor: x']), {
      key: '%E0%A4%A',
      msgid: '%E0%A4%A',
    });
    const [fields] = withoutMarks(new Map(), ['X-Vestibule-Original-nhdr: no', 'X-Vestibule-Original-'], bodyOf(''));
    assert.deepEqual([...fields], []);
  });
});
