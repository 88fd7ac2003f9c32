// The header field If (RFC 4918 section 10.4).

import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { evaluate, type Validators } from '../../src/http/conditional.ts';
import type { Exchange } from '../../src/http/exchange.ts';
import { parseIf, submittedTokens } from '../../src/http/if-header.ts';
import { MAX_IF_CONDITIONS } from '../../src/limits/dav.ts';

const NOW: Validators = { etag: '"7"', lastModified: 784111777 };

function outcomeOf(method: string, value: string, validators: Validators = NOW) {
  const header = (name: string) => (name === 'if' ? value : undefined);
  return evaluate({ method, rawPath: '/svc/r/A%20B/f.txt', header } as Exchange, validators);
}

describe('If (RFC 4918 section 10.4)', () => {
  const outcome = (value: string, validators?: Validators) => outcomeOf('PUT', value, validators);

  it('holds when all of one list holds', () => {
    for (const value of [
      '(["7"])',
      ' ( ["7"] ) ',
      '(["8"]) (["7"])',
      '(["7"]) (["8"])',
      '(["7"]Not<DAV:no-lock>)',
      '(Not <urn:uuid:1>)',
      '(NOT ["8"] not["9"])',
      '<http://host/svc/r/A%20B/f.txt> (["7"])',
      '</svc/r/A B/f.txt>(["7"])',
      '</svc/r/A%20B/f.txt/>(["7"])',
      '</svc/r/A%20B/> (<urn:uuid:1>) </svc/r/%41%20B/f.txt> (["7"])',
      '</svc/r/other> (Not ["7"])',
      '(["a)b>"]) (["7"])',
    ]) {
      assert.equal(outcome(value), 'proceed', value);
    }
    assert.equal(outcome('(Not ["7"])', { exists: false, etag: '"7"' }), 'proceed');
    assert.equal(outcomeOf('GET', '(["7"])'), 'proceed');
  });

  it('fails for other tags, for each lock, and for tags of other resources', () => {
    for (const value of [
      '(["8"])',
      '([W/"7"])',
      '(Not ["7"])',
      '(<urn:uuid:1>)',
      '(<urn:uuid:1> ["7"])',
      '(["7"] Not ["7"])',
      '</svc/r/A%20B> (["7"])',
      '</svc/r/A%20B/f.txt> (["8"]) </svc/r/other> (["7"])',
    ]) {
      assert.equal(outcome(value), 'precondition_failed', value);
    }
    assert.equal(outcome('(["7"])', { exists: false }), 'precondition_failed');
    assert.equal(outcome('(["7"])', {}), 'precondition_failed');
    assert.equal(outcomeOf('GET', '(["8"])'), 'precondition_failed');
  });

  it('is refused where it cannot be read', () => {
    for (const value of [
      '',
      'x',
      '()',
      '(["7"]',
      '(["7"])x',
      '["7"]',
      '("7")',
      '([7])',
      '(Not)',
      '(Not Not ["7"])',
      '(["7"])) ',
      '((["7"]))',
      '(["7"]) </svc/r/> (["7"])',
      '</svc/%zz> (["7"])',
      '<unended',
    ]) {
      assert.throws(() => outcome(value), { code: 'bad_request' }, value);
    }
  });

  it('meets the locks that cover the resource', () => {
    const locked: Validators = { ...NOW, lockTokens: ['urn:uuid:1', 'urn:uuid:2'] };
    for (const value of ['(<urn:uuid:1>)', '(<urn:uuid:1> <urn:uuid:2> ["7"])', '(<x>) (Not <DAV:no-lock>)']) {
      assert.equal(outcome(value, locked), 'proceed', value);
    }
    for (const value of ['(Not <urn:uuid:1>)', '(<urn:uuid:1> ["8"])', '(<urn:uuid:3>)', '(<DAV:no-lock>)']) {
      assert.equal(outcome(value, locked), 'precondition_failed', value);
    }
  });

  it('asks of other resources what is known of them', () => {
    const others = new Map([['/svc/r/A B', { etag: undefined, tokens: ['urn:uuid:9'] }]]);
    assert.equal(outcome('<http://host/svc/r/A%20B/> (<urn:uuid:9>)', { ...NOW, others }), 'proceed');
    assert.equal(outcome('</svc/r/A%20B/f.txt> (<urn:uuid:9>)', { ...NOW, others }), 'precondition_failed');
  });

  it('submits every token that it names, wherever', () => {
    const lists = parseIf('</a> (Not <urn:1> ["7"]) </b> (<urn:2>) (<urn:1>)');
    assert.deepEqual([...submittedTokens(lists)], ['urn:1', 'urn:2']);
  });

  it('has a bounded number of conditions', () => {
    const conditions = (count: number) => `(${'["7"]'.repeat(count)})`;
    assert.equal(outcome(conditions(MAX_IF_CONDITIONS)), 'proceed');
    assert.throws(() => outcome(conditions(MAX_IF_CONDITIONS + 1)), { code: 'bad_request' });
  });
});
