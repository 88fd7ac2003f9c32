// The gateway in front of recordings of a real server: posting, mail, deleting, moving, rooms whose members have names.

import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import type { Api } from '../support/gateway.ts';
import { recordedGateway } from '../support/recorded-gateway.ts';

const TEXT = { 'content-type': 'text/plain; charset=utf-8' };

function put(api: Api, path: string, body = 'x\n', headers: Record<string, string> = TEXT): Promise<Response> {
  return api(path, { method: 'PUT', headers, body });
}

function summary(answer: Response) {
  return [answer.status, answer.headers.get('etag'), answer.headers.get('location')];
}

async function refusal(answer: Response) {
  return [answer.status, ((await answer.json()) as { code: number }).code];
}

describe('42-delete-move', () => {
  const transcript = 'transcripts/42-delete-move.txt';
  const move = (api: Api, method: string, path: string, destination: string) =>
    api(path, { method, headers: { destination } });

  it('DELETE answers 204, 403 and 404', async (t) => {
    const { as, peer } = await recordedGateway(t, transcript);
    peer.before('DELE 11');
    assert.deepEqual(await refusal(await as('ann')('r/Box/11', { method: 'DELETE' })), [403, 550]);
    peer.before('DELE 11', 2);
    assert.equal((await as('ann')('r/_TRASH_/11', { method: 'DELETE' })).status, 204);
    peer.before('DELE 12');
    assert.deepEqual(await refusal(await as('boss')('r/Box/12', { method: 'DELETE' })), [404, 575]);
  });

  it('MOVE and COPY answer 201, 403 and 409', async (t) => {
    const { as, peer } = await recordedGateway(t, transcript);
    const ann = as('ann');
    const attempt = async (method: string, command: string, destination: string) => {
      peer.before(command);
      const answer = await move(ann, method, 'r/Box/11', `/svc/r/${destination}`);
      return answer.status === 201 ? summary(answer) : refusal(answer);
    };
    assert.deepEqual(await attempt('MOVE', 'MOVE 11|Other|0', 'Other/11'), [403, 550]);
    assert.deepEqual(await attempt('MOVE', 'MOVE 11|Drafts|0', 'Drafts/'), [403, 550]);
    assert.deepEqual(await attempt('COPY', 'MOVE 11|Drafts|1', 'Drafts/11'), [201, null, '/svc/r/Drafts/11']);
    assert.deepEqual(await attempt('COPY', 'MOVE 11|_TRASH_|1', '_TRASH_/'), [201, null, '/svc/r/_TRASH_/11']);
    assert.deepEqual(await attempt('COPY', 'MOVE 11|Closed|1', 'Closed/'), [409, 572]);
    assert.deepEqual(await attempt('COPY', 'MOVE 11|Nowhere|1', 'Nowhere/11'), [409, 572]);
    assert.deepEqual(await attempt('COPY', 'MOVE 11|Box|1', 'Box/11'), [403, 574]);
    peer.before('MOVE 11|Trash|0');
    assert.equal((await move(ann, 'MOVE', 'r/Drafts/11', '/svc/r/Trash/')).status, 201);
  });

  it('MOVE of what is not there is 404 and moves nothing', async (t) => {
    const { as, peer } = await recordedGateway(t, transcript);
    peer.before('DELE 12,13');
    const answer = await move(as('boss'), 'MOVE', 'r/Box/11', '/svc/r/Other/');
    assert.equal(answer.status, 404);
    assert.equal(
      peer.received.some((line) => line.startsWith('MOVE')),
      false,
    );
  });
});

describe('43-ent0', () => {
  const transcript = 'transcripts/43-ent0.txt';

  it('a post in a public room: number, room, MIME body', async (t) => {
    const { as, peer } = await recordedGateway(t, transcript);
    const answer = await put(as('ann'), 'r/Lobby/new?subj=confirmed', 'two\n');
    assert.deepEqual(summary(answer), [201, '"9"', '/svc/r/Lobby/9']);
    assert.equal(peer.sent.length, 1);
    assert.equal(peer.sent[0]?.command, 'ENT0 1|||4|confirmed||1|||||');
    const body = peer.sent[0]!.body.toString();
    const header = 'MIME-Version: 1.0\nContent-Type: text/plain; charset=utf-8\nContent-Transfer-Encoding: 8bit\n';
    assert.equal(body, `${header}\ntwo\n`);
  });

  it('a body with a line 000 and with bytes the line protocol does not pass goes encoded', async (t) => {
    const { as, peer } = await recordedGateway(t, transcript);
    assert.equal((await put(as('ann'), 'r/Lobby/new?subj=confirmed', 'a\n000\nb\r\0')).status, 201);
    const body = peer.sent[0]!.body.toString('latin1');
    assert.match(body, /^Content-Transfer-Encoding: (quoted-printable|base64)$/m);
    assert.doesNotMatch(body, /[\r\0]|^000$/m);
  });

  it('mail goes to its recipients and is found in Sent Items', async (t) => {
    const { as, peer, json } = await recordedGateway(t, transcript);
    const ann = as('ann');
    const query = 'mailto=bob%20smith,%20boss&mailcc=boss&mailbcc=ann@vm&subj=Hello%20both';
    const answer = await put(ann, `r/_MAIL_/new?${query}`, 'mail text\n');
    assert.deepEqual(summary(answer), [201, '"12"', '/svc/r/Sent%20Items/12']);
    assert.equal(peer.sent[0]?.command, 'ENT0 1|bob smith, boss||4|Hello both||1|boss|ann@vm|||');
    peer.at('MSG2 12');
    const sent = await json<Record<string, unknown>>(ann('r/_SENT_/12/json?text=plain'));
    assert.deepEqual(
      [sent.rcpt, sent.cccc, sent.subj, sent.room, sent.text],
      [['bob smith', 'boss'], ['boss'], 'Hello both', '0000000002.Sent Items', 'mail text\n'],
    );
    peer.at('MSG0 12', 2);
    const received = await json<Record<string, unknown>>(as('bob smith', 'bobpw')('r/Mail/12/json'));
    assert.deepEqual([received.from, received.subj], ['ann', 'Hello both']);
  });

  it('answers 400 to recipients that are missing or unknown, before the body is sent', async (t) => {
    const { as, peer } = await recordedGateway(t, transcript);
    peer.before('ENT0 1|bob smith, boss||4|Hello both||1|boss|ann@vm');
    for (const query of ['subj=x', 'subj=x&mailto=nobody', 'subj=x&mailto=boss&mailcc=nobody', 'subj=x&mailto=a@b@c']) {
      assert.deepEqual(await refusal(await put(as('ann'), `r/_MAIL_/new?${query}`)), [400, 570], query);
    }
    const body = new ReadableStream({
      start(controller) {
        controller.enqueue(Buffer.from('of unknown size'));
        controller.close();
      },
    });
    const answer = await as('ann')('r/_MAIL_/new?subj=x&mailto=nobody', { method: 'PUT', headers: TEXT, body });
    assert.deepEqual(await refusal(answer), [400, 570]);
    assert.equal(peer.received.at(-1), 'ENT0 0|nobody||4|x||1|||||');
    assert.deepEqual(peer.sent, []);
  });

  it('drafts and references', async (t) => {
    const { as, peer, json } = await recordedGateway(t, transcript);
    const ann = as('ann');
    assert.deepEqual(summary(await put(ann, 'r/_DRAFTS_/new?subj=a%20draft', 'later\n')), [
      201,
      '"14"',
      '/svc/r/Drafts/14',
    ]);
    const answer = await put(ann, 'r/Lobby/new?subj=Re:%20x&wefw=id1@host!id2@host');
    assert.deepEqual(summary(answer), [201, '"15"', '/svc/r/Lobby/15']);
    const message = await json<Record<string, unknown>>(ann('r/Lobby/15/json'));
    assert.equal(message.wefw, 'id1@host|id2@host');
    for (const bad of ['subj=a%0Ab', 'wefw=a%0d%0aDELE%201', 'mailto=a%00']) {
      assert.equal((await put(ann, `r/Lobby/new?${bad}`)).status, 400, bad);
    }
    assert.equal(
      peer.received.some((line) => line.startsWith('DELE')),
      false,
    );
  });

  it('names that are not ASCII are decoded', async (t) => {
    const { as, json } = await recordedGateway(t, transcript);
    assert.equal((await json<{ from: string }>(as('boss')('r/Lobby/11/json'))).from, 'Some Ghöst');
  });
});

describe('92-quirk-messages', () => {
  const transcript = 'quirks/92-quirk-messages.txt';

  it('copies to somebody do not turn a post in a room into mail', async (t) => {
    const { as, peer } = await recordedGateway(t, transcript);
    const answer = await put(as('ann'), 'r/Box/new?subj=later%20post&mailcc=cal&mailbcc=cal');
    assert.deepEqual(summary(answer), [201, '"19"', '/svc/r/Box/19']);
    assert.equal(peer.sent[0]?.command, 'ENT0 1|||4|later post||1|||||');
  });

  it('a confirmation with a stray text is understood', async (t) => {
    const { as, peer } = await recordedGateway(t, transcript);
    const card = 'BEGIN:VCARD\nVERSION:3.0\nFN:Ann New\nEMAIL;TYPE=internet:ann@elsewhere.example\nEND:VCARD\n';
    const answer = await put(as('ann'), 'r/My%20Citadel%20Config/new', card, { 'content-type': 'text/vcard' });
    assert.deepEqual(summary(answer), [201, '"18"', '/svc/r/My%20Citadel%20Config/18']);
    assert.equal(peer.sent.length, 1);
  });
});

describe('50-wiki', () => {
  const transcript = 'transcripts/50-wiki.txt';
  const page = (text: string) => `<h1>Home</h1>\n<p>${text}</p>\n`;
  const HTML = { 'content-type': 'text/html; charset=utf-8' };

  it('a page goes by its name, new and replaced', async (t) => {
    const { as, peer } = await recordedGateway(t, transcript);
    const ann = as('ann');
    peer.before('ENT0 1|||4|ignored subject||1|||home');
    const first = await put(ann, 'r/Wiki/home?subj=ignored%20subject', page('first'), HTML);
    assert.deepEqual(summary(first), [201, '"9"', '/svc/r/Wiki/%7C9']);
    peer.at('EUID home');
    const second = await put(ann, 'r/Wiki/home', page('second'), HTML);
    assert.deepEqual(summary(second), [204, '"11"', '/svc/r/Wiki/%7C11']);
    assert.equal(peer.sent[1]?.command, 'ENT0 1|||4|||1|||home||');
    peer.at('EUID Home');
    assert.equal((await put(ann, 'r/Wiki/%C3%9Cber%20uns%2Fa%20b', 'other\n', HTML)).status, 204);
  });

  it('If-None-Match: * creates only', async (t) => {
    const { as, peer } = await recordedGateway(t, transcript);
    peer.at('EUID home', 2);
    const answer = await put(as('ann'), 'r/Wiki/home', 'x', { ...HTML, 'if-none-match': '*' });
    assert.equal(answer.status, 412);
    assert.deepEqual(peer.sent, []);
  });

  it('a text that the room refuses is a conflict', async (t) => {
    const { as, peer } = await recordedGateway(t, transcript);
    peer.at('ENT0 1|||4|||1|||home', 2);
    assert.equal((await put(as('ann'), 'r/Wiki/home', page('second'), HTML)).status, 409);
  });

  it('a page is read by its name, with exact case', async (t) => {
    const { as, json, peer } = await recordedGateway(t, transcript);
    const ann = as('ann');
    peer.at('EUID Home');
    const message = await json<Record<string, unknown>>(ann('r/Wiki/home/json'));
    assert.deepEqual([message.msgnum, message.exti], [11, 'home']);
    assert.equal(await (await ann('r/Wiki/home')).text(), page('second'));
    assert.equal((await ann('r/Wiki/HOME')).status, 404);
    assert.equal((await ann('r/Wiki/nosuch/json')).status, 404);
  });
});

describe('50-wiki, the histories of its pages', () => {
  it('are in no list and no count, and are not opened or deleted', async (t) => {
    const { as, json, peer } = await recordedGateway(t, 'transcripts/50-wiki.txt');
    const ann = as('ann');
    peer.at('MSGS ALL|||4');
    assert.deepEqual(await json(ann('r/Wiki/msgs.all')), [9]);
    assert.deepEqual(await json(ann('r/Wiki/msgs.new')), [9]);
    const room = await json<Record<string, unknown>>(ann('r/Wiki/'));
    assert.deepEqual([room.total_messages, room.new_messages, room.highest_msgnum], [1, 1, 9]);
    peer.at('MSG0 8|3');
    assert.equal((await ann('r/Wiki/8', { method: 'DELETE' })).status, 404);
    assert.equal((await ann('r/Wiki/home_HISTORY_')).status, 404);
    assert.equal(peer.received.filter((line) => line.startsWith('DELE')).length, 0);
  });

  it('are told as the history of a page', async (t) => {
    const { as, json, peer } = await recordedGateway(t, 'transcripts/50-wiki.txt');
    peer.at('WIKI history|home');
    const version = '7e08227a-fe90-4f71-9beb-a0af8946ff57';
    assert.deepEqual(await json(as('ann')('r/Wiki/home/history')), [{ version, time: 1795221535, from: 'ann' }]);
  });

  it('keep their names: no page can be PUT under one', async (t) => {
    const { as, peer } = await recordedGateway(t, 'transcripts/50-wiki.txt');
    assert.equal((await put(as('ann'), 'r/Wiki/home_HISTORY_')).status, 400);
    assert.deepEqual(peer.sent, []);
  });
});

describe('51-notes, 52-calendar-tasks, 53-contacts', () => {
  const note = (uid: string) => `BEGIN:vnote\nVERSION:1.1\n${uid}BODY:x\nNOTE:x\nX-OUTLOOK-COLOR:#FFFF00\nEND:vnote\n`;
  const VNOTE = { 'content-type': 'text/vnote' };

  it('a note goes by its UID, or by the name it is PUT under', async (t) => {
    const { as, peer } = await recordedGateway(t, 'transcripts/51-notes.txt');
    const ann = as('ann');
    assert.equal(await (await ann('r/Notes%20Shared/note-1')).text().then((text) => text.includes('UID:note-1')), true);
    peer.before('ENT0 1|||4|subject kept||1|||given-euid');
    const answer = await put(ann, 'r/Notes%20Shared/given-euid?subj=subject%20kept', note(''), VNOTE);
    assert.deepEqual(summary(answer), [201, '"8"', '/svc/r/Notes%20Shared/%7C8']);
  });

  it('an event is read by its UID, with and without .ics', async (t) => {
    const { as, peer, json } = await recordedGateway(t, 'transcripts/52-calendar-tasks.txt');
    const ann = as('ann');
    peer.at('DLAT 6|1');
    for (const name of ['event-1@x', 'event-1@x.ics', '6']) {
      const answer = await ann(`r/Cal/${name}`);
      assert.equal(answer.headers.get('content-type'), 'text/calendar; charset=utf-8', name);
      assert.match(await answer.text(), /^BEGIN:VCALENDAR\n[\s\S]*UID:event-1@x\n/);
    }
    const message = await json<Record<string, unknown>>(ann('r/Cal/event-1@x/json'));
    assert.deepEqual([message.subj, message.time, message.exti], ['Stand-up', 1796115600, 'event-1@x']);
    assert.equal((await ann('r/Cal/event-9@x')).status, 404);
  });

  it('a contact is read by its UID as the server keeps it, in the version that programs read', async (t) => {
    const { as, peer } = await recordedGateway(t, 'transcripts/53-contacts.txt');
    peer.at('EUID card-1@x');
    for (const name of ['card-1@x.vcf', 'card-1@x']) {
      const answer = await as('ann')(`r/Book/${name}`);
      assert.equal(answer.headers.get('content-type'), 'text/x-vcard');
      assert.match(await answer.text(), /^BEGIN:VCARD\r\nVERSION:3.0\r\nUID:card-1@x\r\nFN:Jane Roe\r\n/);
    }
  });

  it('a contact is replaced by its UID, and has no tag until it is fetched', async (t) => {
    const { as, peer } = await recordedGateway(t, 'transcripts/53-contacts.txt');
    peer.at('MSGS ALL|||1', 2);
    const card = 'BEGIN:VCARD\nVERSION:3.0\nUID:card-1@x\nFN:Jane Doe\nEND:VCARD\n';
    const answer = await put(as('ann'), 'r/Book/card-1@x.vcf', card, { 'content-type': 'text/vcard; charset=utf-8' });
    assert.deepEqual(summary(answer), [204, null, '/svc/r/Book/%7C8']);
  });
});
