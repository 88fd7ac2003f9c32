// What a room server sends to the gateway, and a line client to the room server, costs steps in proportion to its
// length, however it arrives.

import './growth.ts';
import { describe } from 'node:test';
import { guardListing, listingText } from '../../src/backend/content/message-text.ts';
import { collectText } from '../../src/backend/session/reply.ts';
import { CommandReader, TextReader } from '../../src/backend/wire/incoming.ts';
import { AnswerReader } from '../../src/protocol/answer.ts';
import { isFieldSafe, splitFields, toInt, wholeLineCommand } from '../../src/protocol/fields.ts';
import { ListingStream } from '../../src/protocol/framing.ts';
import { ByteQueue } from '../../src/protocol/lines.ts';
import { parseMessageFields, parseMessageRow, parsePart } from '../../src/protocol/message-fields.ts';
import { SequenceSet } from '../../src/protocol/sequence-set.ts';
import { parseSuggestion } from '../../src/room-server/users.ts';
import { asBytes, cut, grows, mixtures } from './growth.ts';

const LINES = asBytes(
  mixtures(
    ['\n', '0', '000\n', '\r\n', 'a', '200 a\n', '\0'],
    ['100 a\n', ''],
    ['100 a\n', '\n000\n'],
    ['600 9999\n', ''],
  ),
);

for (const [ways, size] of [
  ['at once', 1 << 20],
  ['byte by byte', 1],
] as const) {
  /** gives the chunks to a reader, which is asked after each */
  const fed = (bytes: Buffer, read: (queue: ByteQueue) => void) => {
    const queue = new ByteQueue();
    for (const chunk of cut(bytes, size)) {
      queue.push(chunk);
      read(queue);
    }
  };

  describe(`steps of what reads lines, ${ways}`, () => {
    grows(
      'answers',
      LINES,
      (bytes) => {
        let reader = new AnswerReader();
        fed(bytes, (queue) => {
          while (reader.read(queue)) reader = new AnswerReader();
        });
      },
      { perUnit: 60 },
    );
    grows(
      'listings passed on',
      LINES,
      (bytes) => {
        const stream = new ListingStream();
        fed(bytes, (queue) => {
          for (let read = stream.read(queue); read !== undefined && read !== 'end'; ) read = stream.read(queue);
        });
      },
      { perUnit: 60 },
    );
    grows(
      'commands',
      LINES,
      (bytes) => {
        const queue = new ByteQueue();
        const reader = new CommandReader(queue);
        for (const chunk of cut(bytes, size)) {
          queue.push(chunk);
          while (reader.next());
        }
      },
      { perUnit: 60 },
    );
    grows(
      'texts',
      LINES,
      (bytes) => {
        const begin = () => new TextReader(collectText(1 << 20, () => ''));
        let reader = begin();
        fed(bytes, (queue) => {
          if (!reader.read(queue)) return;
          reader.end();
          reader = begin();
        });
      },
      { perUnit: 60 },
    );
  });
}

describe('steps of what takes lines apart', () => {
  const row = mixtures(['|', '1', ',', 'a', ' ', '"', '-'], ['1|2|', ''], ['a|a|', '|1||text/plain|3||']);
  grows(
    'fields',
    row,
    (line) => {
      for (const field of splitFields(line)) toInt(field);
      parseMessageRow(line);
      parsePart(line);
      isFieldSafe(line);
      wholeLineCommand('INVT', line);
    },
    { perUnit: 40 },
  );
  grows(
    'fields of a message',
    mixtures(['a=', '=', '\n', 'part=', 'pref=', '|', 'text', 'b=c\n']),
    (text) => parseMessageFields(text.split('\n')),
    { perUnit: 60 },
  );
  grows(
    'sets of numbers',
    mixtures([',', ':', '*', '1', '1,', '1:2,', '9:1,', '*:1,']),
    (text) => {
      const set = SequenceSet.parse(text);
      set.contains(7);
      set.gaps();
      set.toString();
    },
    { perUnit: 60 },
  );
  grows(
    'suggestions',
    mixtures(['<', '>', '"', '\\', ' ', 'a', '<a>', '\\"'], ['"', '" <a>'], ['"a" <', '>']),
    parseSuggestion,
    { perUnit: 40 },
  );
  grows(
    'texts in listings',
    asBytes(mixtures(['000', '\n', '\r\n', '\r', '000\n', '0', 'a'])),
    (bytes) => {
      listingText(bytes.toString());
      for (const _ of guardListing(cut(bytes, 1)));
    },
    { perUnit: 60 },
  );
});
