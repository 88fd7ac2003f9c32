// Limits of --workers, of operators' tools, and of the store that several gateways share, each with its reason.

import { KIB, MIB } from './units.ts';

export const MAX_WORKERS = 64; // each takes some 100 MB
export const FIRST_RESTART_MS = 100; // delay of the first restart
/** longest delay for a worker that keeps crashing: each start costs a second of CPU time */
export const LAST_RESTART_MS = 30_000;
/** a worker that ran this long is restarted without delay */
export const STEADY_WORKER_MS = 60_000;
/** additional time after the grace period before a worker is killed */
export const WORKER_END_MS = 5_000;

// Operators' tools: the administration listener, readiness, the doctor
/** how long readiness waits for the room server */
export const READY_TIMEOUT_MS = 3000;
/** readiness is cached this long, so that probes cannot overload the room server */
export const READY_KNOWN_MS = 1000;
/** connections to the administration listener: a scraper, load balancers, a person */
export const MAX_ADMIN_CONNECTIONS = 32;
export const DOCTOR_TIMEOUT_MS = 30_000; // per request
export const LOW_DISK_BYTES = 1024 * MIB; // two of the largest messages, including SQLite's overhead
/** sessions last for weeks and calendars use minutes, so a smaller difference is harmless */
export const MAX_CLOCK_DIFFERENCE_SECONDS = 60;
export const EVENT_LOOP_SAMPLE_MS = 20; // resolution of the event loop delay

// The store that gateways share (Redis, Valkey): replies (RESP)
export const MAX_REPLY_LINE_BYTES = 64 * KIB; // a status, an error or a length: the longest are errors of scripts
export const MAX_BULK_BYTES = MIB; // we store nothing longer than a chunk of an upload
export const MAX_REPLY_DEPTH = 8; // CLUSTER SLOTS nests four
/** of one reply at all depths: 1,000 uploads of a user, or a page of a scan, with some reserve */
export const MAX_REPLY_ELEMENTS = 100_000;
export const MAX_REPLY_BYTES = 16 * MIB; // of one reply: 1,000 records of uploads are 1 MB

// Connections
/** pending commands of one connection: some milliseconds of work for the store, 1 MB here */
export const MAX_COMMANDS_WAITING = 10_000;
/** sent to the store and not answered, of all askers; the store answers one after the other */
export const MAX_COMMANDS_AT_ONCE = 256;
/** of these for one account or address: the chunks of some uploads, which hide the round trip */
export const MAX_COMMANDS_AT_ONCE_PER_ASKER = 16;
/** a command for each request of MAX_HTTP_CONNECTIONS_PER_ADDRESS, and more */
export const MAX_COMMANDS_WAITING_PER_ASKER = 2_500;
export const COMMAND_WAIT_MS = 15_000; // then 503, as for a connection to the room server
export const MAX_COMMAND_BYTES_WAITING = 32 * MIB; // not yet written to the socket: chunks of a hundred uploads
export const STORE_CONNECT_MS = 2_000; // the store is nearby: it is down if this takes longer
/** a connection without a reply is closed: requests wait for it */
export const STORE_REPLY_MS = 3_000;
export const FIRST_STORE_RETRY_MS = 50; // a restarting server is back in a moment
export const LAST_STORE_RETRY_MS = 2_000; // attempts to connect cost little
export const MAX_REDIRECTS = 5; // MOVED and ASK for one command; more are a loop
export const TRY_AGAIN_MS = 50; // TRYAGAIN: the keys of a command are being moved between two nodes
/** minimum interval between requests for a cluster's map, whatever the nodes answer */
export const SLOT_MAP_MS = 1_000;
export const MAX_CLUSTER_NODES = 1_000; // by the cluster specification

// Notices between gateways
/** poll interval: a missed notification is noticed after this delay */
export const STORE_BEAT_MS = 2_000;
export const MAX_SUBSCRIPTION_SILENCE_MS = 10_000; // a subscribed connection that does not answer a PING is closed
/** a gateway without news for this long no longer trusts its replica of log-outs and locks */
export const REPLICA_TRUSTED_MS = 600_000;
export const MAX_LOG_ENTRIES = 10_000; // changes that a gateway can miss without a full reload
export const LOG_PAGE_ENTRIES = 500; // read at once
export const SCAN_PAGE_ENTRIES = 1_000; // per page of a full load: a millisecond for the store
/** how long a change waits for other gateways to confirm it; a disconnected one will poll */
export const NOTIFIED_WAIT_MS = 1_000;
/** queued while the store is down: some 100 bytes each, or instant messages; the oldest are dropped */
export const MAX_UNSENT_NOTICES = 1_000;
export const MAX_UNACKNOWLEDGED = 10_000; // changes whose acknowledgements are pending

// Content of the store
export const UPLOAD_CHUNK_BYTES = 256 * KIB; // one value: a millisecond of the connection
export const UPLOAD_CHUNKS_AT_ONCE = 4; // being sent to the store, per upload
/** chunks of an incomplete upload expire after this time; a complete one of 2 GiB takes minutes */
export const UPLOAD_PART_SECONDS = 3_600;
/** an upload in progress counts this long after its gateway last renewed the lease */
export const UPLOAD_LEASE_SECONDS = 60;
export const UPLOAD_LEASE_RENEW_MS = 20_000;
/** a log-in that waits for others polls at this interval, doubled each time up to the second */
export const FIRST_ATTEMPT_WAIT_MS = 25;
export const LAST_ATTEMPT_WAIT_MS = 400;
export const LOCK_TRIES = 20; // each fails only if another lock was taken or released in the meantime
export const MAX_STORE_HOSTS = 32; // in one address
