import type { TestContext } from 'node:test';
import { updateVisit, visitOf } from '../../src/backend/store/visits.ts';
import { msgs } from '../../src/backend/verbs/message-lists.ts';
import { ent0 } from '../../src/backend/verbs/posting.ts';
import { SequenceSet } from '../../src/protocol/sequence-set.ts';
import { messageWorld, run } from './message-session.ts';

const FRUIT: [string, string, string][] = [
  ['4|Apples', '', 'red fruit'],
  ['4|Pears', '', 'green fruit'],
  ['0|', '', ''],
  ['4|Re: Apples', 'first-ref@x!second-ref@y', 'reply'],
  ['4|Apples', '', 'again'],
];

/** A room with five messages, numbers 1 to 5. */
export function world(t: TestContext) {
  const w = messageWorld(t);
  const ann = w.user('ann');
  const box = w.room('Box');
  const session = w.session(ann, box);
  for (const [fields, references, text] of FRUIT) {
    const body = fields.startsWith('4') ? `Content-type: text/plain; charset=utf-8\n\n${text}\n` : 'format 0\n';
    run(session, ent0, `1|||${fields}||1|||||${references}`, body);
  }
  const list = (args: string, body?: string) => run(session, msgs, args, body);
  /** rows without status line and end */
  const rows = (args: string, body?: string) => list(args, body).split('\n').slice(1, -2);
  const seen = (set: string) =>
    updateVisit(w.store, visitOf(w.store, ann.id, box.id), { seen: SequenceSet.parse(set) });
  return { w, ann, box, session, list, rows, seen };
}
