// The visit of the doctor at a gateway that is not well: what it is told is said, and the draft is deleted again.

import assert from 'node:assert/strict';
import { once } from 'node:events';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { describe, it, type TestContext } from 'node:test';
import { tryGateway } from '../../../src/extra/doctor/doctor.ts';
import { DEFAULTS } from '../../support/command-line.ts';

const ANN = { name: 'Ann', password: 'hunter2' };
const LETTER = 'Dear doctor,\nthis was posted to test whether it can be read.\n';

/** What is found where each kind of request is answered so; what is not given goes well. */
async function visit(t: TestContext, answers: Record<string, [status: number, body: string]>, user = true) {
  const asked: string[] = [];
  const server = createServer((request, response) => {
    const path = request.url!.replace(/doctor-[0-9a-f]{12}/, 'LETTER').replace('/svc/', '');
    const key = `${request.method} ${path}`;
    asked.push(key);
    const fine: Record<string, [number, string]> = {
      'GET a/whoami': [200, ''],
      'GET r/': [200, '[]'],
      'PUT r/_DRAFTS_/LETTER.txt': [201, ''],
      'GET r/_DRAFTS_/LETTER.txt': [200, LETTER],
      'DELETE r/_DRAFTS_/LETTER.txt': [204, ''],
    };
    const [status, body] = answers[key] ?? fine[key]!;
    request.resume();
    response.writeHead(status).end(body);
  }).listen(0, '127.0.0.1');
  t.after(() => server.close());
  await once(server, 'listening');
  const { port } = server.address() as AddressInfo;
  const findings = await Array.fromAsync(tryGateway({ ...DEFAULTS, port }, { user: user ? ANN : undefined }));
  return { asked, last: findings.at(-1)!, findings };
}

const problem = (detail: string) => JSON.stringify({ detail, status: 0 });

describe('the visit of the doctor', () => {
  it('goes well where everything does', async (t) => {
    const { findings } = await visit(t, {});
    assert.deepEqual(
      findings.map(([level]) => level),
      ['ok', 'ok', 'ok'],
    );
  });

  it('logs nobody in where nobody is named', async (t) => {
    const { asked, last } = await visit(t, {}, false);
    assert.deepEqual(asked, ['GET a/whoami']);
    assert.deepEqual(last.slice(0, 2), ['note', 'log-in']);
  });

  for (const [key, answer, what, text] of [
    ['GET a/whoami', [404, ''], 'gateway', /status 404 below \/svc\/; check --prefix/],
    ['GET r/', [401, ''], 'log-in', /^Ann: wrong name or password$/],
    ['GET r/', [503, problem('Too many sessions.')], 'log-in', /^Ann: Too many sessions\. \(503\)$/],
    ['PUT r/_DRAFTS_/LETTER.txt', [507, problem('The disk is full.')], 'draft', /The disk is full\. \(507\)$/],
    ['GET r/_DRAFTS_/LETTER.txt', [502, 'oops'], 'draft', /status 502$/],
    ['GET r/_DRAFTS_/LETTER.txt', [200, 'Dear Ann'], 'draft', /different text/],
    ['DELETE r/_DRAFTS_/LETTER.txt', [500, ''], 'draft', /^deleting it failed: status 500; delete it by hand$/],
  ] as const) {
    it(`says what is wrong: ${key} is answered with ${answer[0]}`, async (t) => {
      const { asked, last } = await visit(t, { [key]: [...answer] });
      assert.deepEqual(last.slice(0, 2), ['wrong', what]);
      assert.match(last[2], text);
      assert.ok(!last[2].includes('hunter2'));
      if (/GET.*LETTER/.test(key)) assert.equal(asked.at(-1), 'DELETE r/_DRAFTS_/LETTER.txt');
    });
  }
});
