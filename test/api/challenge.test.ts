// The challenge of a 401.

import assert from 'node:assert/strict';
import { it } from 'node:test';
import { addChallenge } from '../../src/api/dispatch.ts';
import type { Exchange } from '../../src/http/exchange.ts';

/** What is added to the answer of a request with these header fields. */
function added(headers: Record<string, string>): string[][] {
  const fields: string[][] = [];
  const exchange = {
    header: (name: string) => headers[name],
    addHeader: (name: string, value: string) => fields.push([name, value]),
  };
  addChallenge(exchange as Partial<Exchange> as Exchange);
  return fields;
}

const CHALLENGE = [['WWW-Authenticate', 'Basic realm="Vestibule", charset="UTF-8"']];

it('Programs, and people who open an address, are asked for a name and a password', () => {
  for (const headers of [
    {},
    { accept: 'text/html,image/*' },
    { 'sec-fetch-mode': 'navigate' },
    { 'sec-fetch-mode': 'navigate', 'sec-fetch-dest': 'document' },
  ]) {
    assert.deepEqual(added(headers as Record<string, string>), CHALLENGE, JSON.stringify(headers));
  }
});

it('What a page fetches or shows opens no window of the browser', () => {
  for (const headers of [
    { 'sec-fetch-mode': 'cors' },
    { 'sec-fetch-mode': 'same-origin' },
    { 'x-requested-with': '' },
    { accept: 'text/event-stream' },
    { accept: 'image/avif,image/webp,*/*;q=0.8' },
    { 'sec-fetch-mode': 'no-cors', 'sec-fetch-dest': 'image' },
    { 'sec-fetch-mode': 'navigate', 'sec-fetch-dest': 'iframe' },
    { 'sec-fetch-mode': 'navigate', 'x-requested-with': 'x' },
  ]) {
    assert.deepEqual(added(headers as Record<string, string>), [], JSON.stringify(headers));
  }
});
