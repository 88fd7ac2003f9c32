// The client at recorded sessions, where it says the very same as the recorded one.

import { Connection } from '../../src/room-server/connection/connection.ts';
import { Pool } from '../../src/room-server/connection/pool.ts';
import type { Ending } from './gateway.ts';
import { recordedPeer } from './recorded-peer.ts';
import { loadTranscript, type Step, scriptedPeer } from './scripted-peer.ts';

const transcripts = new URL('../fixtures/transcripts/', import.meta.url);

/** whom recordings know */
export const RECORDED_ANN = { user: 'ann', password: 'annpw' };

/** A connection to a peer that plays the greeting of a session and then its lines `from` to `to`. */
export async function playing(t: Ending, file: string, session: string, from: number, to: number) {
  const { sessions } = await loadTranscript(new URL(file, transcripts));
  const steps = sessions.get(session)!;
  const isWanted = (step: Step) => 'lineNumber' in step && step.lineNumber >= from && step.lineNumber <= to;
  const peer = await scriptedPeer([steps[0]!, ...steps.slice(1).filter(isWanted)]);
  const connection = await Connection.open({ path: peer.path });
  t.after(async () => {
    connection.close();
    await peer.close();
  });
  return { connection, done: peer.done };
}

/** A pool at a peer that answers what was recorded. */
export async function recordedPool(t: Ending, file: string): Promise<Pool> {
  const peer = await recordedPeer(new URL(file, transcripts));
  const pool = new Pool({ target: { path: peer.path }, clientName: 'test', clientVersion: '1' });
  t.after(async () => {
    pool.close();
    await peer.close();
    peer.check();
  });
  return pool;
}
