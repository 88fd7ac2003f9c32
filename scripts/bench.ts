// Measures this server beside what bounds it, in alternating pairs of the same run: quote the ratios, the absolute
// numbers are the machine's. Parts, all of which take less than five minutes on a quiet machine:
//   reads      each main read and a mix of them beside a bare node:http handler (needs wrk, Debian's package)
//   writes     PUT of 2 KiB beside INSERTs of the same durability (needs wrk)
//   bodies     1 GiB (--max-body 1024) up and down beside pipeline()
//   members    PROPFIND and mailbox of 100 to 100,000: time for each, memory
//   link       round trips to a room server that is 10 ms away
//   footprint  start, idle memory, memory of each session, connection and event stream
// and, only when named:
//   dav        what calendar clients ask, beside Cyrus and Radicale (Debian's packages cyrus-imapd, cyrus-caldav,
//              libsasl2-modules, radicale)
// Run: npm run bench [-- --only reads,writes --kind mailbox --seconds 0.35 --rounds 3 --members 100,1000 --mib 1024]
// --peer URL --peer-auth USER:PASSWORD has another server with the same paths measured beside it, in the reads.

import { arch, cpus, release, totalmem } from 'node:os';
import { benchBodies } from './bench/bodies.ts';
import { benchDav } from './bench/dav.ts';
import { benchFootprint } from './bench/footprint.ts';
import { benchLink } from './bench/link.ts';
import { benchMembers } from './bench/members.ts';
import { benchReads } from './bench/reads.ts';
import { benchWrites } from './bench/writes.ts';
import { scriptOptions } from './script-options.ts';

const values = scriptOptions(import.meta.filename, {
  only: { type: 'string', default: 'reads,writes,bodies,members,link,footprint' },
  kind: { type: 'string', default: '' },
  seconds: { type: 'string', default: '0.35' },
  rounds: { type: 'string', default: '3' },
  members: { type: 'string', default: '100,1000,10000,100000' },
  mib: { type: 'string', default: '1024' },
  peer: { type: 'string' },
  'peer-auth': { type: 'string', default: ':' },
});

const [rounds, seconds] = [Number(values.rounds), Number(values.seconds)];
const { peer, kind } = values;

const PARTS: Record<string, () => Promise<void>> = {
  reads: () =>
    benchReads({
      rounds,
      seconds,
      kind,
      peer: peer === undefined ? undefined : { url: peer, auth: values['peer-auth'] },
    }),
  writes: () => benchWrites({ rounds, seconds: 2 * seconds }),
  bodies: () => benchBodies({ rounds, mebibytes: Number(values.mib) }),
  members: () => benchMembers({ rounds, counts: values.members.split(',').map(Number) }),
  link: benchLink,
  footprint: () => benchFootprint({ rounds }),
  dav: () => benchDav(rounds, kind),
};

const wanted = values.only.split(',');
const unknown = wanted.filter((name) => !Object.hasOwn(PARTS, name));
if (unknown.length > 0) {
  console.error(`No part ${unknown.join(', ')}: there are ${Object.keys(PARTS).join(', ')}.`);
  process.exit(2);
}
const gibibytes = (totalmem() / 1024 ** 3).toFixed(0);
console.log(
  `Node ${process.version}, Linux ${release()} ${arch()}, ${cpus().length} × ${cpus()[0]?.model}, ${gibibytes} GiB`,
);
const started = performance.now();
for (const name of wanted) {
  console.log();
  await PARTS[name]!();
}
console.log(`\n${((performance.now() - started) / 1000).toFixed(0)} s`);
