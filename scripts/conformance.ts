// Checks a deployment, or this source tree, against what was asked of the HTTP interface: runs test/contract/http and
// prints row by row what holds. `npm run conformance -- --url https://host/svc/ --user alice --password secret`;
// without --url two gateways of its own are checked. Makes personal rooms of that account and removes them, needs no
// demo data and no rights. Exit code 1 when something does not hold; a row that could not be run has not passed.

import { globSync } from 'node:fs';
import { run } from 'node:test';
import { fileURLToPath } from 'node:url';
import { parseArgs } from 'node:util';

const USAGE = `npm run conformance -- [--url URL --user NAME --password PASSWORD] [options]

--url URL              the deployment, with its prefix: https://host/svc/
--user NAME            an account there; its password also from CONFORMANCE_PASSWORD
--password PASSWORD
--room NAME            a room that everybody can read (Lobby)
--other-user NAME      a second account, for what concerns two
--other-password PASSWORD`;

const ENVIRONMENT = {
  url: 'CONFORMANCE_URL',
  user: 'CONFORMANCE_USER',
  password: 'CONFORMANCE_PASSWORD',
  room: 'CONFORMANCE_ROOM',
  'other-user': 'CONFORMANCE_OTHER_USER',
  'other-password': 'CONFORMANCE_OTHER_PASSWORD',
} as const;

type Outcome = 'pass' | 'FAIL' | 'not run';

interface Row {
  id: string;
  title: string;
  outcome: Outcome;
  reason: string;
}

function readOptions(): void {
  const option = { type: 'string' } as const;
  const names = Object.keys(ENVIRONMENT) as (keyof typeof ENVIRONMENT)[];
  const { values } = parseArgs({ options: Object.fromEntries(names.map((name) => [name, option])) });
  for (const name of names) if (values[name] !== undefined) process.env[ENVIRONMENT[name]] = String(values[name]);
  const { CONFORMANCE_URL: url, CONFORMANCE_USER: user } = process.env;
  if (url !== undefined && (!URL.canParse(url) || !user)) throw new Error('--url needs a URL and --user');
}

/** One question instead of a hundred: a wrong password would soon lock the account out. */
async function requireLogIn(): Promise<void> {
  const { CONFORMANCE_URL: url, CONFORMANCE_USER: user, CONFORMANCE_PASSWORD: password = '' } = process.env;
  if (url === undefined) return;
  const authorization = `Basic ${Buffer.from(`${user}:${password}`).toString('base64')}`;
  const response = await fetch(new URL('a/whoami', url.endsWith('/') ? url : `${url}/`), {
    headers: { authorization },
  });
  const wait = response.headers.get('retry-after');
  const advice = wait === null ? '' : `; try again in ${wait} s`;
  if (!response.ok) throw new Error(`${response.url} answers ${response.status} to ${user}${advice}`);
}

const ORDER = ['row', 'rule', 'common', 'caller', 'rooms', 'messages', 'uploads', 'server'];

function byId(a: Row, b: Row): number {
  const [[kind = '', number = ''], [otherKind = '', otherNumber = '']] = [a.id.split(' '), b.id.split(' ')];
  return ORDER.indexOf(kind) - ORDER.indexOf(otherKind) || Number(number) - Number(otherNumber);
}

/** The rows by target, and what went wrong outside of them. */
async function runSuite(): Promise<{ tables: Map<string, Row[]>; faults: string[] }> {
  const folder = fileURLToPath(new URL('../test/contract/http/', import.meta.url));
  const files = globSync(`${folder}*.test.ts`).sort();
  const tables = new Map<string, Row[]>();
  const faults: string[] = [];
  let target = '';
  const add = (name: string, outcome: Outcome, reason: string) => {
    const [, id = '', title = ''] = /^(\w+ \d+): (.*)$/s.exec(name) ?? [];
    if (!tables.has(target)) tables.set(target, []);
    tables.get(target)!.push({ id, title, outcome, reason });
  };
  // one file after the other: a deployment is not to be overrun
  for await (const { type, data } of run({ files, concurrency: false, timeout: 120_000 })) {
    if (type === 'test:start' && data.nesting === 0) target = data.name;
    if (type === 'test:stderr') process.stderr.write(data.message);
    if (type !== 'test:pass' && type !== 'test:fail') continue;
    const { name, nesting, skip, details } = data;
    const message = 'error' in details ? complaint(details.error) : '';
    if (nesting === 0 && type === 'test:fail' && !/subtests? failed/.test(message)) faults.push(`${name}: ${message}`);
    if (nesting !== 1) continue;
    if (skip !== undefined && skip !== false) add(name, 'not run', String(skip));
    else if (type === 'test:pass') add(name, 'pass', '');
    else add(name, 'FAIL', message);
  }
  return { tables, faults };
}

/** The first lines of what the assertion says. */
function complaint(error: Error): string {
  const { message } = error.cause instanceof Error ? error.cause : error;
  return message.split('\n').filter(Boolean).slice(0, 6).join(' ').slice(0, 300);
}

function print(target: string, rows: Row[]): void {
  console.log(`\n${target}\n`);
  for (const { id, title, outcome, reason } of rows.sort(byId)) {
    console.log(`${id.padEnd(12)} ${outcome.padEnd(8)} ${title}${reason === '' ? '' : `\n${' '.repeat(22)}${reason}`}`);
  }
  const count = (wanted: Outcome) => rows.filter(({ outcome }) => outcome === wanted).length;
  const sums = (['pass', 'FAIL', 'not run'] as const).map((outcome) => `${count(outcome)} ${outcome}`);
  console.log(`\n${rows.length} rows: ${sums.join(', ')}`);
}

try {
  readOptions();
} catch (error) {
  console.error(`${(error as Error).message}\n\n${USAGE}`);
  process.exit(2);
}
try {
  await requireLogIn();
} catch (error) {
  const { message, cause } = error as Error;
  console.error(cause instanceof Error ? `${message}: ${cause.message}` : message);
  process.exit(1);
}
const { tables, faults } = await runSuite();
for (const [target, rows] of tables) print(target, rows);
for (const fault of faults) console.error(`\n${fault}`);
const hasFailed = [...tables.values()].flat().some(({ outcome }) => outcome === 'FAIL');
process.exit(hasFailed || faults.length > 0 || tables.size === 0 ? 1 : 0);
