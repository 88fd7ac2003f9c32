// Bounds of event streams: bytes, counts, depth and time that a peer controls, each with its reason.

export { EVENTS_KEEP_ALIVE_MS, MAX_EVENT_STREAMS_PER_USER } from './settable.ts';

// Event streams
export const MAX_EVENT_STREAMS = 2000; // streams in all: each is an open connection
/**
 * how often a room server without notices is asked for its list of rooms, for each user who has a stream open: a change
 * is in the stream within two seconds, the time of the answers included
 */
export const EVENTS_POLL_MS = 1500;
/** how often one that tells of changes is asked all the same; less than CONNECTION_IDLE_MS keeps its connection open */
export const EVENTS_CHECK_MS = 45_000;
export const EVENTS_RETRY_MS = 1000; // after the connection with the notices was lost
/** what is known of a user's rooms is kept that long without a stream: reloads and other rooms begin a new one */
export const EVENTS_LINGER_MS = 10_000;
export const EVENTS_RECONNECT_MS = 3000; // after which a client that has lost its stream shall connect again
/** clients whose stream ends with the server connect again within this time, spread over it: not all at one moment */
export const EVENTS_SPREAD_MS = 5000;
export const MAX_EVENT_NUMBERS = 1000; // message numbers in one event, and numbers kept for each room that is watched

// Instant messages that wait to be fetched
/** those of who has not been heard of for so long go: twice as long as a session with the room server waits for him */
export const INSTANT_KEPT_MS = 600_000;
export const MAX_INSTANT_BOXES = 10_000; // sessions or users that something waits for, or was fetched by lately
export const MAX_WAITING_INSTANT_CHARS = 32 * 1024 * 1024; // of all texts together; the oldest boxes go
/** fetched ones of one box that are known: a copy of one that comes later, by another gateway, is left out */
export const MAX_TAKEN_INSTANTS = 1000;
