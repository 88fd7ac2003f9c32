// The file of --config: what may stand in it, that its mistakes are told with file and key, and never a secret.

import assert from 'node:assert/strict';
import { chmodSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { after, describe, it } from 'node:test';
import { parseCommandLine } from '../../src/cli/options.ts';
import { complaint, DEFAULTS, serve } from '../support/command-line.ts';

const folder = mkdtempSync(join(tmpdir(), 'vestibule-config-'));
after(() => rmSync(folder, { recursive: true }));
const path = join(folder, 'vestibule.json');

/** The words that name a file with this content. */
function config(content: unknown, mode = 0o600): string[] {
  writeFileSync(path, typeof content === 'string' ? content : JSON.stringify(content));
  chmodSync(path, mode);
  return ['--config', path];
}

describe('a configuration file', () => {
  it('holds options by name, numbers and switches as such or numbers as text', () => {
    const words = config({ port: 81, 'sync-days': '7', demo: true, 'trust-proxy': false, prefix: 'x' });
    const expected = { ...DEFAULTS, port: 81, syncDays: 7, isDemo: true, prefix: '/x/', landing: '/x/a/landing.html' };
    assert.deepEqual(serve(words), expected);
    assert.deepEqual(serve([], { VESTIBULE_CONFIG: path }), expected);
  });

  it('may name a room server for each host, as an object', () => {
    const words = config({ backend: { '': 'unix:/a', 'b.example': 'tcp://b:504' } });
    assert.deepEqual(serve(words).backends, serve(['--backend', 'unix:/a,b.example=tcp://b:504']).backends);
    for (const backend of [{}, { a: 1 }, ['unix:/a'], { 'b c': 'unix:/a' }]) {
      assert.match(complaint(config({ backend })), /"backend" takes embedded, .*, not "/);
    }
    assert.match(complaint(config({ host: { a: 'b' } })), /"host" takes /);
  });

  it('is overridden by the environment, and both by the command line', () => {
    const words = config({ port: 81, host: '::1', demo: true });
    const env = { VESTIBULE_PORT: '82', VESTIBULE_DEMO: '0' };
    assert.deepEqual(serve(words, env), { ...DEFAULTS, host: '::1', port: 82 });
    assert.equal(serve([...words, '--port', '83'], env).port, 83);
  });

  it('may hold the password of what is shared, unless everybody can read it', () => {
    assert.equal(serve(config({ shared: 'redis://:s3cret@a' })).shared?.address.password, 's3cret');
    assert.match(
      complaint(config({ shared: 'redis://:s3cret@a' }, 0o604)),
      /contains a secret \(shared\) but everybody can/,
    );
    assert.equal(serve(config({ shared: 'redis://a' }, 0o604)).shared?.address.password, undefined);
  });

  it('may hold the secrets, unless everybody can read it', () => {
    const content = { key: '11'.repeat(32), 'admin-password': 's3 cret' };
    const options = serve(config(content));
    assert.deepEqual([options.sessionKey, options.adminPassword], [Buffer.alloc(32, 0x11), 's3 cret']);
    serve(config(content, 0o640));
    assert.equal(
      complaint(config(content, 0o604)),
      `${path} contains a secret (key) but everybody can read it: chmod o-r it`,
    );
    serve(config({ port: 1 }, 0o644));
  });

  it('says for the other commands where the data folder is', () => {
    for (const words of [['user', 'list'], ['check']]) {
      const line = parseCommandLine([...words, ...config({ data: folder, port: 1 })], {});
      assert.ok('dataFolder' in line && line.dataFolder === folder);
    }
    assert.match(complaint(['copy', ...config({})]), /^--config cannot be used with vestibule copy/);
  });

  const wrong: [content: unknown, message: string | RegExp][] = [
    [{ prot: 1 }, '"prot" is not an option; vestibule --help lists them'],
    [{ constructor: 1 }, '"constructor" is not an option; vestibule --help lists them'],
    [{ 'a\nb': 1 }, '"a\\nb" is not an option; vestibule --help lists them'],
    [{ config: 'x' }, '"config" cannot be set in this file'],
    [{ from: 'embedded:x' }, '"from" cannot be set in this file'],
    [{ port: 65536 }, '"port" takes a number from 0 to 65535, not "65536"'],
    [{ port: null }, '"port" takes a number from 0 to 65535, not "null"'],
    [{ port: [1] }, '"port" takes a number from 0 to 65535, not "[1]"'],
    [{ host: '' }, '"host" takes a host name, an IP address or unix:/path, not "\\"\\""'],
    [{ demo: 'yes' }, '"demo" takes true or false, not "\\"yes\\""'],
    [{ key: 4711 }, '"key" takes a text; the value is invalid'],
    [{ key: '4711' }, '"key" takes 32 bytes as 64 hex digits or as base64; the value is invalid'],
  ];
  for (const [content, message] of wrong) {
    it(`is refused with the name of the key: ${JSON.stringify(content)}`, () => {
      assert.equal(complaint(config(content)), `${path}: ${message}`);
    });
  }

  it('that is no object is refused, without a word of what stands there', () => {
    for (const text of ['', '{"admin-password": "hunter2", }', '{"key": hunter2}', '{"a": "hunter2\n"}']) {
      const message = complaint(config(text));
      assert.match(message, /vestibule\.json is not JSON(?: at line \d+ column \d+)?$/);
    }
    for (const text of ['[]', 'null', '"hunter2"', '1']) {
      assert.equal(
        complaint(config(text)),
        `${path} must contain a JSON object, such as {"port": 8080, "trust-proxy": true}`,
      );
    }
  });

  it('that cannot be read is named', () => {
    const none = join(folder, 'none.json');
    const why = 'no such file or folder';
    assert.equal(complaint(['--config', none]), `the configuration file ${none} cannot be read: ${why}`);
    assert.match(complaint([], { VESTIBULE_CONFIG: folder }), /cannot be read: it is a folder$/);
  });
});
