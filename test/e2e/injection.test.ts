// No value of a request can put a line or a field into the line protocol, wherever it stands. A peer that writes down
// every command line shows what the gateway sends.

import assert from 'node:assert/strict';
import { after, beforeEach, describe, it } from 'node:test';
import { faultServer } from '../support/fault-server.ts';
import { basic, startGateway } from '../support/gateway.ts';
import { rawRequest, sendRaw } from '../support/raw-http.ts';

const GOTO = '200 Lobby|0|0|0|2|0|0|0|0|0|0|0|0|0|0|0|\n';
const peer = await faultServer({ GOTO, MSGS: '100 list\n000\n', EUID: '550 none\n' }, []);
after(() => peer.close());
const gateway = await startGateway({ after }, { backend: `unix:${peer.path}` });

/** What may come whatever a request holds: the log-in, and entering a room whose name was sound. */
const HARMLESS =
  /^(IDEN 0\|0\|\d+\|Vestibule [\d.]+\||USER ann|PASS annpw|GOTO (?:Lobby|Aide)\|\|[01]|MSG0 0\|3|LZRM -1)$/;
const AUTHORIZATION = `Authorization: ${basic('ann', 'annpw')}`;
/** percent-encoded, and as the character itself */
const BREAKERS = { LF: ['%0A', '\n'], CR: ['%0D', '\r'], NUL: ['%00', '\0'], bar: ['%7C', '|'] } as const;
/** the ways in which a client may write one into a path or query */
const WRITTEN = [...Object.values(BREAKERS).map(([encoded]) => encoded), '|', '%0d%0aDOWN%0d%0a', '\0'];

function sent(): string[] {
  return peer.received.flat();
}

function requireHarmless(what: string): void {
  const lines = sent();
  for (const line of lines) assert.match(line, HARMLESS, what);
}

async function send(method: string, target: string, fields: string[] = [], body = ''): Promise<number> {
  const { status } = await sendRaw(gateway.url, rawRequest(method, `/svc/${target}`, [AUTHORIZATION, ...fields], body));
  return status;
}

beforeEach(() => {
  for (const connection of peer.received) connection.length = 0;
});

it('writes down what is sound', async () => {
  await send('GET', 'r/Sound%20room/msgs.search|sound%20words');
  assert.deepEqual(sent().slice(-3), ['GOTO Sound room||1', 'MSGS SEARCH|sound words', 'SRCH sound words']);
});

describe('what would break a line or a field', () => {
  const refused = (status: number, what: string) => {
    assert.ok(status >= 400 && status < 500, `${what}: ${status}`);
    requireHarmless(what);
  };

  it('is refused in the name of a room', async () => {
    for (const written of WRITTEN) {
      for (const rest of ['/', '', '/msgs.all', '/mailbox', '/info.txt', '/stat', '/1', '/1/json', '/slrp?last=1']) {
        refused(await send('GET', `r/a${written}EVIL${rest}`), `GET a${written}EVIL${rest}`);
      }
      for (const method of ['PUT', 'DELETE', 'MOVE', 'COPY']) {
        const status = await send(method, `r/a${written}EVIL/1`, ['Destination: /svc/r/Lobby/'], 'text');
        refused(status, `${method} a${written}EVIL`);
      }
      refused(await send('GET', `p/a${written}EVIL/1`), `attachments of ${written}`);
      assert.deepEqual(
        sent().filter((line) => line.startsWith('GOTO')),
        [],
        written,
      );
    }
  });

  it('is refused in the name of a message and of a part', async () => {
    for (const written of WRITTEN) {
      for (const rest of ['', '/json', '/1']) {
        refused(await send('GET', `r/Lobby/x${written}EVIL${rest}`), `GET x${written}EVIL${rest}`);
      }
      refused(await send('GET', `r/Lobby/1/2${written}EVIL`), `part ${written}`);
      refused(await send('DELETE', `r/Lobby/x${written}EVIL`), `DELETE ${written}`);
      refused(await send('MOVE', `r/Lobby/x${written}EVIL`, ['Destination: /svc/r/Aide/']), `MOVE ${written}`);
    }
  });

  it('is refused in a selection of messages', async () => {
    for (const written of WRITTEN) {
      for (const selector of ['all', 'last|1', 'gt|1', 'search|words', 'search%7Cwords', '']) {
        refused(await send('GET', `r/Lobby/msgs.${selector}${written}EVIL`), `${selector}${written}`);
      }
    }
  });

  it('is refused in the name of a user and of an upload', async () => {
    for (const written of WRITTEN) {
      refused(await send('GET', `u/a${written}EVIL/userpic`), `user ${written}`);
      refused(await send('PUT', `u/a${written}EVIL/userpic`, ['Content-Type: image/png'], 'x'), `user ${written}`);
      refused(await send('GET', `p/a${written}EVIL`), `upload ${written}`);
      refused(await send('DELETE', `p/a${written}EVIL`), `upload ${written}`);
    }
  });

  it('is refused in every parameter', async () => {
    for (const written of WRITTEN) {
      for (const name of ['subj', 'wefw', 'mailto', 'mailcc', 'mailbcc', 'att']) {
        if (name === 'subj' && /^(\||%7C)$/.test(written)) continue; // travels encoded, see below
        refused(await send('PUT', `r/Lobby/new?${name}=a${written}EVIL`, [], 'text'), `${name}=${written}`);
      }
      refused(await send('GET', `r/Lobby/slrp?last=1${written}EVIL`), `last=${written}`);
      for (const name of ['after', 'limit']) {
        refused(await send('GET', `r/Lobby/mailbox?${name}=1${written}EVIL`), `${name}=${written}`);
      }
      for (const name of ['text', 'remote']) {
        refused(await send('GET', `r/Lobby/1/json?${name}=1${written}EVIL`), `${name}=${written}`);
      }
    }
  });

  it('of a subject, a bar travels in an encoded word', async () => {
    await send('PUT', 'r/Lobby/new?subj=a%7CEVIL', [], 'text');
    const subjects = sent()
      .filter((line) => line.startsWith('ENT0'))
      .map((line) => line.split('|')[4]);
    assert.ok(subjects.length > 0);
    for (const subject of subjects) assert.equal(subject, '=?UTF-8?B?YXxFVklM?=');
  });

  it('is refused in the password of a room', async () => {
    for (const written of ['|', '\0', '\n', '\r']) {
      for (const path of ['r/Lobby/', 'r/Lobby/msgs.all', 'r/Lobby/1', 'p/Lobby/1']) {
        refused(await send('GET', path, [`X-Room-Password: a${written}EVIL`]), `${path} ${JSON.stringify(written)}`);
      }
      assert.deepEqual(
        sent().filter((line) => line.startsWith('GOTO')),
        [],
      );
    }
  });

  it('is refused in a Destination', async () => {
    for (const written of [...WRITTEN, '\n', '\r']) {
      const fields = [`Destination: /svc/r/a${written}EVIL/`];
      for (const method of ['MOVE', 'COPY']) refused(await send(method, 'r/Lobby/1', fields), JSON.stringify(written));
    }
  });

  it('is refused in the name and the password of a log-in', async () => {
    const login = async (type: string, body: string) => {
      const bytes = rawRequest('POST', '/svc/a/login', [`Content-Type: ${type}`], body);
      refused((await sendRaw(gateway.url, bytes)).status, `${type}: ${JSON.stringify(body)}`);
    };
    for (const [encoded, written] of Object.values(BREAKERS)) {
      for (const [username, password] of [
        [`a${written}EVIL`, 'x'],
        ['x', `a${written}EVIL`],
      ]) {
        await login('application/json', JSON.stringify({ username, password }));
      }
      await login('application/x-www-form-urlencoded', `username=a${encoded}EVIL&password=x`);
      await login('application/x-www-form-urlencoded', `username=ann&password=a${encoded}EVIL`);
      if (written !== '|') await login('text/plain', `a${written}EVIL|x`);
      await login('text/plain', `ann|a${written}EVIL`);
      for (const [user, password] of [
        [`a${written}EVIL`, 'x'],
        ['x', `a${written}EVIL`],
      ]) {
        const { status } = await sendRaw(
          gateway.url,
          rawRequest('GET', '/svc/r/', [`Authorization: ${basic(user!, password)}`]),
        );
        refused(status, `Basic ${JSON.stringify([user, password])}`);
      }
    }
  });

  it('is refused for its length where the room server would cut it', async () => {
    refused(await send('PUT', `r/Lobby/new?subj=EVIL${'x'.repeat(5000)}`, [], 'text'), 'subject');
    refused(await send('GET', `r/EVIL${'x'.repeat(5000)}/`), 'room');
    refused(await send('GET', 'r/Lobby/', [`X-Room-Password: EVIL${'x'.repeat(5000)}`]), 'password');
  });
});

describe('malformed percent-encoding', () => {
  it('is refused everywhere, before the room server hears of it', async () => {
    for (const wrong of ['%', '%4', '%zz', '%ff', '%c3%28', '%ed%a0%80', '%u0041']) {
      for (const target of [
        `r/a${wrong}/`,
        `r/a${wrong}/msgs.all`,
        `r/Lobby/a${wrong}`,
        `r/Lobby/1/${wrong}`,
        `r/Lobby/mailbox?limit=${wrong}`,
        `r/Lobby/slrp?last=${wrong}`,
        `u/${wrong}/userpic`,
        `p/${wrong}`,
        `s/${wrong}`,
      ]) {
        assert.equal(await send('GET', target), 400, target);
      }
      assert.equal(await send('PUT', `r/Lobby/x?subj=${wrong}`, [], 'text'), 400, wrong);
      assert.equal(await send('MOVE', 'r/Lobby/1', [`Destination: /svc/r/${wrong}/`]), 400, wrong);
    }
    requireHarmless('malformed encoding');
    assert.deepEqual(
      sent().filter((line) => line.startsWith('GOTO')),
      [],
    );
  });
});
