// OPTIONS: what can be done with a resource (RFC 9110 section 9.3.7). Answered without a log-in, because many clients
// probe before they send one.

import type { Exchange } from '../http/exchange.ts';
import { type Sent, sendEmpty } from '../http/respond.ts';
import type { App } from './app.ts';

const OF_ROOM = 'OPTIONS, GET, HEAD';
const OF_MESSAGE = 'OPTIONS, GET, HEAD, PUT, DELETE, MOVE, COPY';

export function answerOptions(x: Exchange, _app: App): Sent {
  const allow = x.params.name === undefined ? OF_ROOM : OF_MESSAGE;
  return sendEmpty(x, 200, { Allow: allow, DAV: '1', 'MS-Author-Via': 'DAV' });
}
