// Thunderbird, of Debian's package of this name, without its windows: scripts run inside of it over Marionette, the
// remote protocol of Mozilla's programs (lines of `length:[type,id,command,parameters]` on a socket).

import assert from 'node:assert/strict';
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { connect, type Socket } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout } from 'node:timers/promises';
import { freePort } from '../../scripts/bench/dav-peer.ts';
import { EVENTUALLY_MS } from './eventually.ts';
import type { Ending } from './gateway.ts';

/**
 * Runs the body of an asynchronous function inside the program and answers what it returns. There are `cal`,
 * `CardDAVUtils`, `CalEvent` and `MailServices` of Thunderbird, `words`, and `kept`, an object that stays.
 */
export type InThunderbird = (body: string, ...words: unknown[]) => Promise<unknown>;

const PROGRAM = '/usr/lib/thunderbird/thunderbird';
const SCRIPT_MS = 60_000;
const MODULES = `
const load = (name) => ChromeUtils.importESModule('resource:///modules/' + name + '.sys.mjs');
const { cal } = load('calendar/calUtils');
const { CalEvent } = load('CalEvent');
const { CardDAVUtils } = load('CardDAVUtils');
const { CardDAVDirectory } = load('CardDAVDirectory');
const { MailServices } = load('MailServices');
const kept = (Services.wm.getMostRecentWindow('mail:3pane').keptByTests ??= {});
`;

/** Starts it with a new profile; killed, and the profile removed, when the tests end. */
export async function startThunderbird(t: Ending): Promise<InThunderbird> {
  const folder = await mkdtemp(join(tmpdir(), 'vestibule-thunderbird-'));
  const port = await freePort();
  const preferences: Record<string, unknown> = {
    'marionette.port': port,
    'calendar.timezone.local': 'UTC',
    'datareporting.policy.dataSubmissionEnabled': false,
    'network.proxy.type': 0,
  };
  const lines = Object.entries(preferences).map(([name, value]) => `user_pref("${name}", ${JSON.stringify(value)});\n`);
  await writeFile(join(folder, 'user.js'), lines.join(''));
  const words = ['--headless', '--marionette', '-remote-allow-system-access', '--no-remote', '--profile', folder];
  const child = spawn(PROGRAM, words, { env: { ...process.env, HOME: folder }, stdio: 'ignore' });
  const ended = once(child, 'exit');
  const socket = await connected(port);
  t.after(async () => {
    socket.destroy();
    child.kill('SIGKILL');
    await ended;
    // its other processes end a moment later
    await rm(folder, { recursive: true, force: true, maxRetries: 20, retryDelay: 200 });
  });
  const ask = commands(socket);
  await ask('WebDriver:NewSession', { capabilities: {} });
  await ask('Marionette:SetContext', { value: 'chrome' });
  await ask('WebDriver:SetTimeouts', { script: SCRIPT_MS });
  return async (body, ...args) => {
    const work = `(async () => { ${MODULES} ${body} })()`;
    const script = `const words = [...arguments], done = words.pop();
      ${work}.then((shown) => done({ shown }), (error) => done({ error: String(error) + error?.stack }));`;
    const { value } = (await ask('WebDriver:ExecuteAsyncScript', { script, args })) as {
      value: { shown?: unknown; error?: string };
    };
    assert.equal(value.error, undefined);
    return value.shown;
  };
}

async function connected(port: number): Promise<Socket> {
  const end = performance.now() + EVENTUALLY_MS;
  for (;;) {
    const socket = connect(port, '127.0.0.1');
    try {
      await once(socket, 'connect');
      return socket;
    } catch (error) {
      if (performance.now() > end) throw error;
    }
    await setTimeout(200);
  }
}

/** One command after the other. */
function commands(socket: Socket): (name: string, parameters: object) => Promise<unknown> {
  const waiting = new Map<number, (message: [number, number, unknown, unknown]) => void>();
  let received = Buffer.alloc(0);
  socket.on('data', (piece: Buffer) => {
    received = Buffer.concat([received, piece]);
    for (;;) {
      const colon = received.indexOf(':');
      const end = colon + 1 + Number(received.subarray(0, colon).toString());
      if (colon < 0 || received.length < end) return;
      const message = JSON.parse(received.subarray(colon + 1, end).toString());
      received = received.subarray(end);
      // the first thing it says is who it is
      if (Array.isArray(message)) waiting.get(message[1])?.(message as [number, number, unknown, unknown]);
    }
  });
  let last = 0;
  return async (name, parameters) => {
    const id = ++last;
    const text = JSON.stringify([0, id, name, parameters]);
    const [, , error, result] = await new Promise<[number, number, unknown, unknown]>((resolve) => {
      waiting.set(id, resolve);
      socket.write(`${Buffer.byteLength(text)}:${text}`);
    });
    assert.equal(error, null, JSON.stringify(error));
    return result;
  };
}
