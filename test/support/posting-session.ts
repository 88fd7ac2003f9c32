// A session that posts messages of any format to a room.

import type { TestContext } from 'node:test';
import { ent0 } from '../../src/backend/verbs/posting.ts';
import { messageWorld, run } from './message-session.ts';

export function world(t: TestContext) {
  const w = messageWorld(t);
  const ann = w.user('ann');
  const box = w.room('Box');
  const session = w.session(ann, box);
  const post = (format: number, body: string | Buffer, subject = 's') =>
    run(session, ent0, `1|||${format}|${subject}||1`, body);
  return { w, ann, box, session, post };
}
