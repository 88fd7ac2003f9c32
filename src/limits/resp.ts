// Bounds of the store that gateways share (Redis, Valkey): its replies, what waits for them, and what lies in it.

import { KIB, MIB } from './units.ts';

// Replies (RESP)
export const MAX_REPLY_LINE_BYTES = 64 * KIB; // a status, an error or a length: the longest are errors of scripts
export const MAX_BULK_BYTES = MIB; // we store nothing longer than a chunk of an upload
export const MAX_REPLY_DEPTH = 8; // CLUSTER SLOTS nests four
/** of one reply, all depths together: 1,000 uploads of a user, or a page of a scan, and some to spare */
export const MAX_REPLY_ELEMENTS = 100_000;
export const MAX_REPLY_BYTES = 16 * MIB; // of one reply: 1,000 records of uploads are 1 MB

// Connections
/** commands of one connection whose replies are awaited: some milliseconds of work for a server, 1 MB here */
export const MAX_COMMANDS_WAITING = 10_000;
export const MAX_COMMAND_BYTES_WAITING = 32 * MIB; // not yet taken by the socket: chunks of a hundred uploads
export const STORE_CONNECT_MS = 2_000; // it is near: what takes longer is down
/** without a reply, the connection is given up: people wait for what asks */
export const STORE_REPLY_MS = 3_000;
export const FIRST_STORE_RETRY_MS = 50; // a server that starts again is there in a moment
export const LAST_STORE_RETRY_MS = 2_000; // a connect to what is down costs little
export const MAX_REDIRECTS = 5; // MOVED and ASK for one command: more are a circle
export const TRY_AGAIN_MS = 50; // TRYAGAIN: keys of one command are on their way between two nodes
/** the map of a cluster is asked for no more often, whatever the nodes answer */
export const SLOT_MAP_MS = 1_000;
export const MAX_CLUSTER_NODES = 1_000; // what a cluster has at most by its specification

// What gateways tell each other
/** each asks so often what has changed, also when nothing rang: so long a lost bell goes unnoticed */
export const STORE_BEAT_MS = 2_000;
export const MAX_BELL_SILENCE_MS = 10_000; // a subscribed connection that does not answer a PING is given up
/** a gateway that has heard nothing for so long no longer trusts what it knows of log-outs and locks */
export const COPY_TRUSTED_MS = 600_000;
export const MAX_LOG_ENTRIES = 10_000; // changes that a gateway can have missed without loading all anew
export const LOG_PAGE_ENTRIES = 500; // read at once
export const SCAN_PAGE_ENTRIES = 1_000; // of a load: a millisecond of the server
/** other gateways are waited for so long before a change counts as told: one that is cut off will ask */
export const TOLD_WAIT_MS = 1_000;
/** kept while the store is away: some 100 bytes each, or instant messages; the oldest go */
export const MAX_UNTOLD_NOTICES = 1_000;
export const MAX_TELLING = 10_000; // changes whose acknowledgements are awaited

// What lies in it
export const UPLOAD_CHUNK_BYTES = 256 * KIB; // one value: a millisecond of the connection
export const UPLOAD_CHUNKS_AT_ONCE = 4; // on their way to the store, of one upload
/** chunks of an upload that never becomes whole go after this time; a whole one of 2 GiB takes minutes */
export const UPLOAD_PART_SECONDS = 3_600;
/** an upload under way counts for so long after its gateway last said that it is */
export const UPLOAD_LEASE_SECONDS = 60;
export const UPLOAD_LEASE_RENEW_MS = 20_000;
/** a log-in that waits for others asks again so soon, then half as often, down to the last */
export const FIRST_ATTEMPT_WAIT_MS = 25;
export const LAST_ATTEMPT_WAIT_MS = 400;
export const LOCK_TRIES = 20; // each fails only where another lock was taken or given back meanwhile
export const MAX_STORE_HOSTS = 32; // named in one address
