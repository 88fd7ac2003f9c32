// Bounds of what operators ask: the administration listener, readiness, the doctor.

import { MIB } from './units.ts';

/** an answer of the room server that readiness is judged by; longer, and a balancer had better go elsewhere */
export const READY_TIMEOUT_MS = 3000;
/** the judgement is kept that long: whoever reaches the listener cannot make the room server busy */
export const READY_KNOWN_MS = 1000;
/** connections to the administration listener: a scraper, a balancer or two, and somebody who looks */
export const MAX_ADMIN_CONNECTIONS = 32;
export const DOCTOR_TIMEOUT_MS = 30_000; // for one request: slower than any that a person would wait for
export const LOW_DISK_BYTES = 1024 * MIB; // two of the largest messages with what SQLite writes beside them
/** a session lasts for weeks and a calendar counts in minutes: less than that does no harm */
export const MAX_CLOCK_DIFFERENCE_SECONDS = 60;
export const EVENT_LOOP_SAMPLE_MS = 20; // how often the delay of the event loop is measured
