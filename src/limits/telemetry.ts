// Limits for operators' tools: the administration listener, readiness, the doctor.

import { MIB } from './units.ts';

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
