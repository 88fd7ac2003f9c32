// What the gateway does itself because an ordinary room server does not: ending sessions after
// a change of the password, taking a copy of a room back, naming and describing parts.

import assert from 'node:assert/strict';
import { describe, it, type TestContext } from 'node:test';
import { type Answers, faultServer } from '../support/fault-server.ts';
import { startGateway } from '../support/gateway.ts';

async function inFrontOf(t: TestContext, answers: Answers) {
  const peer = await faultServer(answers, []);
  t.after(() => peer.close());
  const gateway = await startGateway(t, { backend: `unix:${peer.path}` });
  return { gateway, ann: gateway.as('ann', 'pw'), received: () => peer.received.flat() };
}

const LOBBY = '200 Lobby|0|1|0|2|9|0|0|0|0|0|0|0|0|0|0|\n';

describe('in front of an ordinary room server', () => {
  it('what is logged in with the password of before counts no longer', async (t) => {
    const { ann, received } = await inFrontOf(t, { GOTO: LOBBY, SETP: '200 ok\n', 'MSG0 0|3': '550 none\n' });
    const logIns = () => received().filter((line) => line.startsWith('PASS')).length;
    await ann('r/Lobby/');
    const before = logIns();
    await ann('r/Lobby/');
    assert.equal(logIns(), before, 'a connection is used again');
    const body = JSON.stringify({ old: 'pw', new: 'other' });
    const headers = { 'content-type': 'application/json' };
    assert.equal((await ann('a/password', { method: 'POST', headers, body })).status, 204);
    const after = logIns();
    await ann('r/Lobby/');
    assert.ok(logIns() > after, 'it is asked again who that is');
  });

  it('a room whose messages cannot be copied is not left behind half full', async (t) => {
    const { ann, received } = await inFrontOf(t, {
      'GOTO Lobby||1': LOBBY,
      'GOTO Copy||1': ['572 No such room.\n', LOBBY.replace('Lobby|0|1|0|2|9|0|0', 'Copy|0|0|0|16390|0|0|1')],
      'MSGS ALL': '100 list\n1\n2\n000\n',
      CRE8: '200 made\n',
      GTSN: '200 1:2\n',
      MOVE: '550 not permitted\n',
      KILL: '200 gone\n',
    });
    const answer = await ann('r/Lobby/', { method: 'COPY', headers: { destination: '/svc/r/Copy/' } });
    assert.equal(answer.status, 403);
    const lines = received().filter((line) => /^(CRE8|MOVE|KILL)/.test(line));
    assert.deepEqual(
      lines.map((line) => line.slice(0, 6)),
      ['CRE8 1', 'MOVE 1', 'KILL 1'],
    );
  });

  it('a part with a name is a file unless inline, without a type text, and not local if from elsewhere', async (t) => {
    const part = (number: number, name: string, disposition: string, type: string) =>
      `part=${name}|${name}|${number}|${disposition}|${type}|6||\n`;
    const named = [
      part(1, '', '', ''),
      part(2, 'a.txt', '', 'text/plain'),
      part(3, 'b.txt', 'inline', 'text/plain'),
      part(4, '', '', 'text/plain'),
    ].join('');
    const source = ['--b', '', 'a file', '--b', '', 'a file', '--b', '', 'a file', '--b', '', 'a file', '--b--', ''];
    const { ann } = await inFrontOf(t, {
      GOTO: LOBBY,
      'MSG0 0|3': '550 none\n',
      GTSN: '200 \n',
      'MSG0 1|1':
        '100 message\ntype=4\nmsgn=1@x\ntime=1700000000\nfrom=ann\npref=|multipart/mixed\n' +
        `${named}suff=|multipart/mixed\n000\n`,
      'MSG0 1|3': '100 message\ntype=4\nmsgn=1@x\ntime=1700000000\nfrom=ann\n000\n',
      'MSG2 1|1': '100 message\nContent-type: multipart/mixed; boundary=b\r\n000\n',
      'MSG2 1': `100 message\nContent-type: multipart/mixed; boundary=b\r\n\r\n${source.join('\r\n')}000\n`,
      'DLAT 1|1': '600 6|-1|||\na file',
      'DLAT 1|2': '600 6|-1|a.txt|text/plain|\na file',
      'DLAT 1|3': '600 6|-1|b.txt|text/plain|\na file',
      'DLAT 1|4': '600 6|-1||text/plain|\na file',
    });
    const shown = await Promise.all(
      [1, 2, 3, 4].map(async (number) => {
        const { headers } = await ann(`r/Lobby/1/${number}`);
        return [headers.get('content-type'), headers.get('content-disposition')];
      }),
    );
    assert.deepEqual(shown, [
      ['text/plain', 'inline'],
      ['text/plain', 'attachment; filename="a.txt"'],
      ['text/plain', 'inline; filename="b.txt"'],
      ['text/plain', 'inline'],
    ]);
    const message = (await (await ann('r/Lobby/1/json')).json()) as { parts: { content_type: string }[] };
    assert.deepEqual(
      message.parts.map((each) => each.content_type),
      ['text/plain', 'text/plain', 'text/plain', 'text/plain'],
    );
    assert.equal('locl' in message, false);
  });
});
