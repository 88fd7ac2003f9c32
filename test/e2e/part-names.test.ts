// A room server that reads no RFC 2231 names, as a real one (quirk Q38): the name of a file comes from the message
// itself.

import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { faultServer } from '../support/fault-server.ts';
import { startGateway } from '../support/gateway.ts';

const MESSAGE = [
  'From: ann <ann@x>',
  'Content-type: multipart/mixed; boundary=b',
  '',
  '--b',
  'Content-type: text/plain',
  '',
  'see the file',
  '--b',
  "Content-disposition: attachment; filename*=UTF-8''l%C3%B6we%7C1.txt",
  'Content-type: text/plain; charset=utf-8',
  '',
  'a file',
  '--b--',
  '',
].join('\r\n');

const ANSWERS = {
  GOTO: '200 Lobby|0|1|0|2|9|0|0|0|0|0|0|0|0|0|0|\n',
  'MSG0 0|3': '550 none\n',
  'MSG0 1|1':
    '100 message\ntype=4\nmsgn=1@x\ntime=1700000000\nfrom=ann\npref=|multipart/mixed\npart=||1||text/plain|12||\n' +
    'part=||2|attachment|text/plain|6||utf-8\nsuff=|multipart/mixed\n000\n',
  'MSG0 1|3': '100 message\ntype=4\nmsgn=1@x\ntime=1700000000\nfrom=ann\n000\n',
  'MSG2 1|1': '100 message\nFrom: ann <ann@x>\r\nContent-type: multipart/mixed; boundary=b\r\n000\n',
  'MSG2 1': `100 message\n${MESSAGE}000\n`,
  'DLAT 1|2': '600 6|-1||text/plain|utf-8\na file',
  GTSN: '200 \n',
};

describe('a file whose name the room server does not understand', () => {
  it('has it in the list of parts, as a download and as an upload', async (t) => {
    const peer = await faultServer(ANSWERS, []);
    t.after(() => peer.close());
    const gateway = await startGateway(t, { backend: `unix:${peer.path}` });
    const ann = gateway.as('ann', 'pw');
    const { parts } = (await (await ann('r/Lobby/1/json')).json()) as { parts: { filename: string }[] };
    assert.deepEqual(
      parts.map((part) => part.filename),
      ['', 'löwe|1.txt'],
    );
    const file = await ann('r/Lobby/1/2');
    assert.match(file.headers.get('content-disposition')!, /^attachment; .*filename\*=UTF-8''l%C3%B6we%7C1\.txt$/);
    assert.equal(await file.text(), 'a file');
    const [upload] = (await (await ann('p/Lobby/1')).json()) as { uploadfilename: string }[];
    assert.equal(upload?.uploadfilename, 'löwe|1.txt');
    assert.deepEqual(gateway.faults, []);
  });
});
