// Clients that others wrote for Citadel servers, on --line-listen, from Debian's packages: citadel-client (the text
// client, in a terminal of the package tmux) and libnet-citadel-perl. What they did is looked at through the gateway.

import assert from 'node:assert/strict';
import { execFile, spawnSync } from 'node:child_process';
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { after, describe, it } from 'node:test';
import { ADMIN_PASSWORD, startGateway } from '../support/gateway.ts';
import { openTerminal } from '../support/terminal.ts';

for (const [tool, word] of [
  ['citadel', 'localhost'],
  ['tmux', '-V'],
  ['perl', '-mNet::Citadel'],
] as const) {
  const { error, stderr } = spawnSync(tool, [word, '1'], { input: '', encoding: 'utf8' });
  const isThere = error === undefined && !stderr.includes('Net/Citadel.pm');
  assert.ok(isThere, `${tool}: apt-get install --no-install-recommends citadel-client libnet-citadel-perl tmux`);
}
const folder = await mkdtemp(join(tmpdir(), 'vestibule-citadel-'));
after(() => rm(folder, { recursive: true, force: true }));
const gateway = await startGateway({ after }, { demo: true, options: ['--line-listen', 'tcp://127.0.0.1:0'] });
const { hostname: host, port } = new URL(gateway.lineUrl!);

interface Row {
  msgnum: number;
  author: string;
  subject: string;
  references: number[];
  seen: boolean;
}

const alice = gateway.as('alice');
const mailbox = async (room: string, user = alice): Promise<Row[]> =>
  ((await (await user(`r/${room}/mailbox`)).json()) as { msgs: Row[] }).msgs;
const content = async (room: string, { msgnum }: Row, user = alice) => (await user(`r/${room}/${msgnum}`)).text();

describe('the text client', async () => {
  const square = 'Town%20Square';
  const atSquare = /\nTown Square>$/;
  const before = await mailbox(square);
  const terminal = await openTerminal({ after }, join(folder, 'tmux'), ['citadel', host, port]);

  /** Reads on to the prompt of the room, from the message of which `left` more follow. */
  const readOn = async (left: number) => {
    for (; left >= 0; left--) {
      await terminal.until(new RegExp(`\\(${left}\\) <B>ack .* ->$`));
      await terminal.press('n');
    }
    await terminal.until(atSquare);
  };

  it('asks again after a wrong password', async (t) => {
    const other = await openTerminal(t, join(folder, 'tmux-other'), ['citadel', host, port]);
    await other.until(/Enter your name:$/);
    await other.enter('bob');
    await other.until(/password:$/);
    await other.enter('nonsense');
    await other.until(/<< wrong password >>[\s\S]*Enter your name:$/);
  });

  it('logs in and shows what is new in the Lobby', async () => {
    await terminal.until(/Vestibule room server/);
    await terminal.until(/Enter your name:$/);
    await terminal.enter('Alice');
    await terminal.until(/password:$/);
    await terminal.enter('alice');
    await terminal.until(/Access level: 4 \(Network User\)\nUser #2 /);
    await terminal.until(/You have 2 new private messages in Mail>/);
    await terminal.until(/Lobby - 1 new of 1 messages/);
    await terminal.until(/from Vestibule\nSubject: Welcome\nWelcome\.\n/);
    await terminal.until(/\(0\) <B>ack .* ->$/);
    await terminal.press('n');
    await terminal.until(/\nLobby>$/);
  });

  it('lists the rooms', async () => {
    await terminal.press('x');
    await terminal.until(/Expert mode now ON\n+Lobby>$/);
    await terminal.press('k');
    const [shown] = await terminal.until(/Known rooms\n[\s\S]*\nLobby>$/);
    assert.match(
      shown,
      /unread messages on Main Floor:\n[\s\S]*Mail> [\s\S]*no new messages on Main Floor:\n[\s\S]*Trash>/,
    );
    assert.match(shown, /Other floors:\n *Community:/);
  });

  it('goes to a room by name and reads what is new there', async () => {
    await terminal.press('.', 'g');
    await terminal.until(/Goto:$/);
    await terminal.enter('town square');
    await terminal.until(new RegExp(`${before.length} new of ${before.length} messages\\.\n+Town Square>$`));
    await terminal.press('n');
    await terminal.until(/from alice\s+<alice@[^>]*>\nSubject: Hello, neighbours\nWelcome to our new board\.\n/);
    await readOn(before.length - 1);
  });

  it('enters a message', async () => {
    await terminal.press('e');
    await terminal.until(/Enter message\n+ .* from alice$/);
    await terminal.enter('Hello from the text client.');
    await terminal.enter(' Second line.');
    await terminal.enter('');
    await terminal.until(/Entry command .* ->$/);
    await terminal.press('s');
    await terminal.until(/Save message\n[\s\S]*\nTown Square>$/);
    const [posted, ...more] = (await mailbox(square)).slice(before.length);
    assert.equal(more.length, 0);
    assert.equal(posted?.author, 'alice');
    assert.match(await content(square, posted!), /^Hello from the text client\. *\n Second line\. *\n/);
  });

  it('answers a message', async () => {
    await terminal.press('l');
    await terminal.until(/\(4\) <B>ack .* ->$/);
    await terminal.press('r');
    await terminal.until(/Subject: Re: .*$/);
    await terminal.enter('An answer.');
    await terminal.enter('');
    await terminal.until(/Entry command .* ->$/);
    await terminal.press('s');
    await readOn(4);
    const rows = await mailbox(square);
    const [answer, answered] = [rows.at(-1)!, rows.at(-6)!];
    assert.equal(answer.subject, `Re: ${answered.subject.replace(/^Re: /, '')}`);
    assert.equal(answer.references.length, answered.references.length + 1);
    assert.match(await content(square, answer), /^An answer\./);
  });

  it('shows who is online and the text of the room', async () => {
    await terminal.press('w');
    await terminal.until(/alice +Town Square +/);
    await terminal.until(atSquare);
    await alice(`r/${square}/info.txt`, { method: 'PUT', body: 'Where everybody meets.\n' });
    await terminal.press('i');
    await terminal.until(/Room admin is alice\.\n+ *Where everybody meets\.\n/);
    await terminal.until(atSquare);
  });

  it('sends mail; what it leaves behind is read', async () => {
    await terminal.press('.', 'g');
    await terminal.until(/Goto:$/);
    await terminal.enter('Mail');
    await terminal.until(/new of \d+ messages\.\n+Mail>$/);
    assert.deepEqual([...new Set((await mailbox(square)).map(({ seen }) => seen))], [true]);
    await terminal.press('e');
    await terminal.until(/Enter recipient:$/);
    await terminal.enter('bob');
    await terminal.until(/from alice to bob$/);
    await terminal.enter('Mail from the text client.');
    await terminal.enter('');
    await terminal.until(/Entry command .* ->$/);
    await terminal.press('s');
    await terminal.until(/Save message\n[\s\S]*\nMail>$/);
    const bob = gateway.as('bob');
    const received = (await mailbox('_MAIL_', bob)).at(-1)!;
    assert.deepEqual([received.author, received.seen], ['alice', false]);
    assert.match(await content('_MAIL_', received, bob), /^Mail from the text client\./);
    assert.equal((await mailbox('_SENT_')).at(-1)?.msgnum, received.msgnum);
  });

  it('quits', async () => {
    await terminal.press('t');
    await terminal.until(/Terminate\n+Are you sure \(y\/n\)\?$/);
    await terminal.press('y');
    await terminal.until(/alice logged out\.[\s\S]*\nended with 0$/);
  });
});

describe('Net::Citadel', () => {
  const admin = gateway.as('admin', ADMIN_PASSWORD);
  const json = async <T>(path: string) => (await (await admin(path)).json()) as T;

  /** Runs Perl lines with a connection `$c` that is logged in, and `croaks`, the message of what fails; their value. */
  const perl = (lines: string, name = 'admin', password = ADMIN_PASSWORD) =>
    new Promise<unknown>((resolve, reject) => {
      const script = `use strict; use warnings; use Net::Citadel; use JSON::PP;
        my $c = Net::Citadel->new(host => '${host}', port => ${port});
        sub croaks(&) { eval { $_[0]->(); 1 } ? undef : $@ =~ s/ at \\S+ line .*//sr }
        $c->login('${name}', '${password}');
        my $value = do { ${lines} };
        $c->logout;
        print encode_json([$value]);`;
      execFile('perl', ['-e', script], { timeout: 60_000 }, (error, out) =>
        error ? reject(error) : resolve((JSON.parse(out) as unknown[])[0]),
      );
    });

  it('logs in, out, and in again; a wrong password croaks', async () => {
    assert.deepEqual(await perl(`$c->logout; [croaks { $c->login('bob', 'nonsense') }, $c->login('bob', 'bob')]`), [
      'Wrong password.',
      1,
    ]);
  });

  it('echoes, asks for information, and for the time', async () => {
    const [echo, info, time] = (await perl(
      `[$c->citadel_echo('hello perl'), [map { chomp; $_ } @{$c->citadel_info}], $c->citadel_time]`,
    )) as [number, string[], string];
    assert.equal(echo, 1);
    assert.equal(info.length, 26); // one more than a real server has: verbs of our own
    assert.match(info[4]!, /^Vestibule/);
    // its pattern takes the first two fields as one, also on a real server
    assert.match(time, /^\d{10}\|-?\d+$/);
    assert.equal(await perl(`croaks { $c->citadel_mrtg('users') }`), 'Incorrect response from Citadel MRTG command.');
  });

  it('creates a floor once', async () => {
    assert.deepEqual(await perl(`[map { $c->assert_floor('Perl floor') } 1, 2]`), [1, 1]);
    const floors = await json<{ name: string; num: number; refcount: number }[]>('f/');
    assert.equal(floors.filter(({ name }) => name === 'Perl floor').length, 1);
    const seen = (await perl('[$c->floors]')) as { id: string; name: string; nr_rooms: string }[];
    assert.deepEqual(
      seen,
      floors.map(({ num, name, refcount }) => ({ id: `${num}`, name, nr_rooms: `${refcount}` })),
    );
  });

  it('creates rooms of each kind on it, and lists them', async () => {
    const rooms = (await perl(`
      $c->assert_room('Perl floor', 'Perl room');
      $c->assert_room('Perl floor', 'Perl room');
      $c->assert_room('Perl floor', 'Perl locked', { access => 2, password => 'sesame' });
      $c->assert_room('Perl floor', 'Perl calendar', { access => 3, default_view => 3 });
      [$c->rooms('Perl floor')]`)) as { name: string }[];
    assert.deepEqual(rooms.map(({ name }) => name).sort(), ['Perl calendar', 'Perl locked', 'Perl room']);
    assert.match(String(await perl(`croaks { $c->assert_room('No floor', 'x') }`)), /^no floor 'No floor' known/);
    assert.equal((await gateway.as('bob')('r/Perl%20room/')).status, 200);
    assert.equal((await gateway.as('bob')('r/Perl%20locked/')).status, 403);
    const headers = { 'x-room-password': 'sesame' };
    assert.equal((await gateway.as('bob')('r/Perl%20locked/', { headers })).status, 200);
    assert.equal((await gateway.as('bob')('r/Perl%20calendar/')).status, 404);
    assert.equal((await json<{ default_view: number }>('r/Perl%20calendar/')).default_view, 3);
  });

  it('removes rooms and the empty floor, which it names by its place in the list', async () => {
    const removed = await perl(`
      my $full = croaks { $c->retract_floor('Perl floor') };
      $c->retract_room($_) for 'Perl room', 'Perl locked', 'Perl calendar';
      [$full, croaks { $c->retract_room('Perl room') }, croaks { $c->retract_floor('Perl floor') }]`);
    assert.deepEqual(removed, ['Cannot delete; floor contains 3 rooms.', "room 'Perl room' not found", null]);
    assert.equal((await admin('r/Perl%20room/')).status, 404);
    assert.ok(!(await json<{ name: string }[]>('f/')).some(({ name }) => name === 'Perl floor'));
  });

  it('creates a user, changes level and password, and removes it', async () => {
    /** what a log-in with this password meets, and the level that administrators see */
    const state = async (password: string) => [
      await perl(`$c->logout; croaks { $c->login('Perl User', '${password}') }`),
      (await json<{ axlevel?: number }>('u/Perl%20User/')).axlevel,
    ];
    assert.deepEqual(
      await perl(`[$c->create_user('Perl User', 'first'), croaks { $c->create_user('Perl User', 'x') }]`),
      [1, "'Perl User' already exists."],
    );
    assert.deepEqual(await state('first'), [null, 4]);
    // it sends the password back that AGUP told, which on this server is none
    await perl(`$c->change_user('Perl User', access_level => 5)`);
    assert.deepEqual(await state('first'), [null, 5]);
    assert.deepEqual(await state(''), ['Wrong password.', 5]);
    await perl(`$c->change_user('Perl User', password => 'second')`);
    assert.deepEqual(await state('second'), [null, 5]);
    assert.deepEqual(await state('first'), ['Wrong password.', 5]);
    assert.equal(await perl(`$c->remove_user('Perl User'); croaks { $c->remove_user('Perl User') }`), 'No such user.');
    assert.deepEqual(await state('second'), ['Perl User not found.', undefined]);
  });

  it('is refused what takes an administrator', async () => {
    const refused = await perl(
      `[croaks { $c->assert_floor('Bob floor') }, croaks { $c->create_user('x', 'y') },
        croaks { $c->change_user('bob', access_level => 6) }]`,
      'bob',
      'bob',
    );
    assert.deepEqual(refused, Array(3).fill('This command requires Admin access.'));
  });
});
