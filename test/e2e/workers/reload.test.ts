// SIGHUP to a server with --workers: each of its processes has what changed. And several processes in front of another
// room server.

import assert from 'node:assert/strict';
import { copyFileSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { it, type TestContext } from 'node:test';
import { connect } from 'node:tls';
import { Authority, tlsWords } from '../../support/certificates.ts';
import { eventually } from '../../support/eventually.ts';
import { basic, spawnGateway } from '../../support/gateway.ts';
import { answersOnMany, apart, MANY, newFolder, startWorkers, status } from '../../support/several-processes.ts';

it('options that are live are taken over by all processes', async (t) => {
  const config = join(await newFolder(t), 'options.json');
  const write = (landing: string) => writeFileSync(config, JSON.stringify({ landing }));
  write('/first');
  const gateway = await startWorkers(t, 3, ['--config', config]);
  const { hostname, port } = new URL(gateway.url);
  const landings = async () => {
    const places = new Set<string | null>();
    for (let i = 0; i < MANY; i++) {
      const answer = await fetch(`http://${hostname}:${port}/`, {
        redirect: 'manual',
        headers: { connection: 'close' },
      });
      places.add(new URL(answer.headers.get('location')!, gateway.url).pathname);
    }
    return [...places];
  };
  assert.deepEqual(await landings(), ['/first']);
  write('/second');
  gateway.child.kill('SIGHUP');
  await eventually(async () => gateway.said.err, /Reloaded: landing/);
  await eventually(landings, ['/second']);
});

it('a new certificate is shown by all processes', async (t) => {
  const authority = new Authority(t);
  const used = { certificateFile: join(authority.folder, 'live.pem'), keyFile: join(authority.folder, 'live.key') };
  const install = () => {
    const { certificateFile, keyFile } = authority.issue();
    copyFileSync(certificateFile, used.certificateFile);
    copyFileSync(keyFile, used.keyFile);
  };
  install();
  const gateway = await startWorkers(t, 3, tlsWords(used));
  const fingerprints = () => shown(t, gateway.url, readFileSync(authority.caFile));
  const before = await fingerprints();
  assert.equal(before.length, 1);
  install();
  gateway.child.kill('SIGHUP');
  await eventually(async () => gateway.said.err, /New certificate from .*live\.pem/);
  await eventually(async () => (await fingerprints()).some((each) => before.includes(each)), false);
  assert.equal((await fingerprints()).length, 1);
});

/** The certificates that a server shows on many connections. */
async function shown(t: TestContext, url: string, ca: Buffer): Promise<string[]> {
  const seen = new Set<string>();
  for (let i = 0; i < MANY; i++) {
    const socket = connect({ host: '127.0.0.1', port: Number(new URL(url).port), ca });
    t.after(() => socket.destroy());
    await new Promise((resolve, reject) => socket.once('secureConnect', resolve).once('error', reject));
    seen.add(socket.getPeerCertificate().fingerprint256);
    socket.destroy();
  }
  return [...seen];
}

it('several processes in front of another room server have what it has', async (t) => {
  const line = `unix:${join(await newFolder(t), 'line')}`;
  const behind = await spawnGateway(t, ['--data', await newFolder(t), '--demo', '--line-listen', line]);
  const gateway = await spawnGateway(t, ['--data', await newFolder(t), '--workers', '3', '--backend', line]);
  const alice = apart(gateway, basic('alice'));
  const post = { method: 'PUT', headers: { 'content-type': 'text/plain' }, body: 'Dear Bob,\n' };
  assert.equal(await status(await alice('r/Lobby/several.txt', post)), 201);
  const text = (answer: Response) => answer.text();
  assert.deepEqual(await answersOnMany(alice, 'r/Lobby/several.txt', text), ['Dear Bob,\n']);
  assert.equal(await (await behind.as('bob')('r/Lobby/several.txt')).text(), 'Dear Bob,\n');
});
