// A body as it lies in a spool, ready to be posted.

import { PLAIN_POSTING, type ReceivedMessage } from '../../src/gateway/message/posting.ts';
import { EncodingScanner } from '../../src/mime/encoding-facts.ts';

export function receivedMessage(text: string, more: Partial<ReceivedMessage> = {}): ReceivedMessage {
  const bytes = Buffer.from(text);
  const scan = new EncodingScanner();
  scan.push(bytes);
  const body = {
    size: bytes.length,
    async *open(start = 0, end = bytes.length) {
      if (end > start) yield bytes.subarray(start, end);
    },
    async [Symbol.asyncDispose]() {},
  };
  const common = { contentType: 'text/plain', posting: PLAIN_POSTING, attachments: [], name: '' };
  return { ...common, body, facts: scan.end(), ...more };
}
