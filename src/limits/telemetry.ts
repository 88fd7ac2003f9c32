// Bounds of what operators ask: the administration listener, readiness.

/** an answer of the room server that readiness is judged by; longer, and a balancer had better go elsewhere */
export const READY_TIMEOUT_MS = 3000;
/** the judgement is kept that long: whoever reaches the listener cannot make the room server busy */
export const READY_KNOWN_MS = 1000;
/** connections to the administration listener: a scraper, a balancer or two, and somebody who looks */
export const MAX_ADMIN_CONNECTIONS = 32;
export const EVENT_LOOP_SAMPLE_MS = 20; // how often the delay of the event loop is measured
