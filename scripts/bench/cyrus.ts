// Cyrus, from Debian's packages cyrus-imapd, cyrus-caldav and libsasl2-modules: the calendar server written in C. Its
// settings, mailboxes and databases lie in the folder it is given; any password is right. Started by root it runs as
// the user `cyrus` that its package makes, else as who starts it.

import { spawn, spawnSync } from 'node:child_process';
import { once } from 'node:events';
import { mkdirSync, writeFileSync } from 'node:fs';
import { connect } from 'node:net';
import { userInfo } from 'node:os';
import { join } from 'node:path';
import { createInterface } from 'node:readline';
import { answering, type DavPeer, firstThere, freePort, packageVersion, USER } from './dav-peer.ts';

const MASTERS = ['/usr/sbin/cyrmaster', '/usr/lib/cyrus/bin/master'];
const HTTPD = '/usr/lib/cyrus/bin/httpd';
const FOLDERS = ['conf/db', 'conf/log', 'conf/socket', 'conf/user', 'conf/quota', 'conf/lock', 'conf/proc', 'spool'];

/** `folder`: short, since sockets lie in it. */
export async function startCyrus(folder: string): Promise<DavPeer | undefined> {
  const master = firstThere(MASTERS);
  if (master === undefined || firstThere([HTTPD]) === undefined) return undefined;
  const [httpPort, imapPort] = [await freePort(), await freePort()];
  const isRoot = process.getuid?.() === 0;
  for (const each of FOLDERS) mkdirSync(join(folder, each), { recursive: true });
  const settings = join(folder, 'imapd.conf');
  const services = join(folder, 'cyrus.conf');
  writeFileSync(
    settings,
    imapdConf(join(folder, 'conf'), join(folder, 'spool'), isRoot ? 'cyrus' : userInfo().username),
  );
  writeFileSync(services, cyrusConf(settings, httpPort, imapPort));
  if (isRoot) spawnSync('chown', ['-R', 'cyrus:mail', folder]);
  const child = spawn(master, ['-C', settings, '-M', services, '-p', join(folder, 'conf/master.pid')], {
    stdio: 'ignore',
    detached: true, // a group of processes, of which this is the first
  });
  const origin = `http://127.0.0.1:${httpPort}`;
  await answering(child, `${origin}/`);
  await createMailbox(imapPort, `user/${USER}`);
  return {
    name: 'Cyrus',
    version: packageVersion('cyrus-imapd'),
    url: `${origin}/dav/principals/`,
    calendars: `${origin}/dav/calendars/user/${USER}/`,
    contacts: `${origin}/dav/addressbooks/user/${USER}/`,
    // asked to stop, it would wait for those who keep a connection open
    stop: async () => {
      const ended = once(child, 'exit');
      process.kill(-child.pid!, 'SIGKILL');
      await ended;
    },
  };
}

function imapdConf(conf: string, spool: string, user: string): string {
  return `configdirectory: ${conf}
proc_path: ${conf}/proc
mboxname_lockpath: ${conf}/lock
idlesocket: ${conf}/socket/idle
lmtpsocket: ${conf}/socket/lmtp
notifysocket: ${conf}/socket/notify
defaultpartition: default
partition-default: ${spool}
cyrus_user: ${user}
admins: admin
unixhierarchysep: yes
allowplaintext: yes
sasl_pwcheck_method: alwaystrue
sasl_mech_list: PLAIN
httpmodules: caldav carddav
`;
}

function cyrusConf(settings: string, httpPort: number, imapPort: number): string {
  return `START {
  recover cmd="ctl_cyrusdb -C ${settings} -r"
}
SERVICES {
  http cmd="httpd -C ${settings}" listen="127.0.0.1:${httpPort}" prefork=1
  imap cmd="imapd -C ${settings}" listen="127.0.0.1:${imapPort}" prefork=0
}
EVENTS {
}
`;
}

/** A user is one who has a mailbox: the administrator makes it, over IMAP. */
async function createMailbox(port: number, name: string): Promise<void> {
  const socket = connect(port, '127.0.0.1');
  const lines = createInterface({ input: socket })[Symbol.asyncIterator]();
  await lines.next(); // the greeting
  for (const command of ['LOGIN admin admin', `CREATE ${name}`]) {
    socket.write(`a ${command}\r\n`);
    for (;;) {
      const { value, done } = await lines.next();
      if (done || /^a (NO|BAD)/.test(value)) throw new Error(`Cyrus refuses ${command}: ${value}`);
      if (value.startsWith('a OK')) break;
    }
  }
  socket.end('a LOGOUT\r\n');
  await once(socket, 'close');
}
