// SIGHUP: a running server takes over what is live of its configuration file, says what needs a restart, and goes on
// as it was where the file is wrong.

import assert from 'node:assert/strict';
import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { it } from 'node:test';
import { eventually } from '../../support/eventually.ts';
import { spawnGateway } from '../../support/gateway.ts';

it('a reload takes over what is live, and nothing of a file that is wrong', async (t) => {
  const folder = await mkdtemp(join(tmpdir(), 'reload-'));
  t.after(() => rm(folder, { recursive: true, force: true }));
  const file = join(folder, 'vestibule.json');
  const write = (text: string) => writeFile(file, text);
  await write('{"landing": "/one", "sync-days": 3}');
  const { url, child, said } = await spawnGateway(t, ['--data', join(folder, 'data'), '--config', file]);
  const landing = async () => (await fetch(url, { redirect: 'manual' })).headers.get('location');
  const reload = async (text: string, expected: RegExp) => {
    await write(text);
    said.err = '';
    child.kill('SIGHUP');
    await eventually(async () => said.err, expected);
  };
  assert.equal(await landing(), '/one');
  await reload('{"landing": "/two", "sync-days": 4}', /^Reloaded: landing\nThese need a restart: sync-days\n$/m);
  assert.equal(await landing(), '/two');
  await reload('{"landing": "/two", "sync-days": 3}', /^Reloaded: nothing has changed\n$/m);
  await reload('{"landing": "three"}', /^Nothing was reloaded: .*vestibule\.json: "landing" takes a path/m);
  assert.equal(await landing(), '/two');
  await reload('{"prefix": "/other/"}', /^Reloaded: landing\nThese need a restart: prefix, sync-days\n$/m);
  assert.equal(await landing(), '/svc/a/landing.html');
});
