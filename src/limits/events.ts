// Limits of event streams, for what a peer controls, each with its reason.

export { EVENTS_KEEP_ALIVE_MS, MAX_EVENT_STREAMS_PER_USER } from './settable.ts';

// Event streams
export const MAX_EVENT_STREAMS = 2000; // each is an open connection
/** poll interval for a room server without notices, per user with a stream: changes appear within two seconds */
export const EVENTS_POLL_MS = 1500;
/** poll interval for a room server with notices; less than CONNECTION_IDLE_MS, to keep the connection open */
export const EVENTS_CHECK_MS = 45_000;
export const EVENTS_RETRY_MS = 1000; // after the connection with notices was lost
/** state of a user's rooms is cached this long after the last stream, for reloads */
export const EVENTS_LINGER_MS = 10_000;
export const EVENTS_RECONNECT_MS = 3000; // reconnect delay for clients
/** clients whose stream ends with the server reconnect at random times within this period */
export const EVENTS_SPREAD_MS = 5000;
export const MAX_EVENT_NUMBERS = 1000; // message numbers per event and per watched room

// Instant messages to be fetched
/** dropped if the recipient was inactive this long: twice as long as a session at the room server lasts */
export const INSTANT_KEPT_MS = 600_000;
export const MAX_INSTANT_BOXES = 10_000; // sessions or users with instant messages
export const MAX_WAITING_INSTANT_CHARS = 32 * 1024 * 1024; // of all texts; the oldest boxes are dropped
/** fetched messages remembered per box, to recognize duplicates from other gateways */
export const MAX_TAKEN_INSTANTS = 1000;
