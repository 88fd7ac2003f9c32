// `traceparent` (W3C Trace Context): joins a request to what the proxy in front and other programs log of
// it. A request without one begins a trace of its own.

import { randomId } from '../system/random-id.ts';

export interface TraceParent {
  /** 32 hex digits, not all 0 */
  traceId: string;
  /** 16 hex digits: who called, or the request itself */
  parentId: string;
  /** the caller records this trace */
  isSampled: boolean;
}

const VERSION_00 = /^00-([0-9a-f]{32})-([0-9a-f]{16})-([0-9a-f]{2})$/;
/** later versions may add fields behind a dash */
const LATER = /^(?!00|ff)[0-9a-f]{2}-([0-9a-f]{32})-([0-9a-f]{16})-([0-9a-f]{2})(?:-|$)/;

/** Undefined for what is none: then a new trace is begun. */
export function parseTraceParent(text: string | undefined): TraceParent | undefined {
  if (text === undefined) return undefined;
  const [, traceId = '', parentId = '', flags = ''] = VERSION_00.exec(text) ?? LATER.exec(text) ?? [];
  if (/^0*$/.test(traceId) || /^0*$/.test(parentId)) return undefined;
  return { traceId, parentId, isSampled: (Number.parseInt(flags, 16) & 1) === 1 };
}

/** What this request is, as a part of the trace of its caller, or of a new one. */
export function continuedTrace(caller: TraceParent | undefined): TraceParent {
  return {
    traceId: caller?.traceId ?? randomId(16),
    parentId: randomId(8),
    isSampled: caller?.isSampled ?? false,
  };
}

export function formatTraceParent({ traceId, parentId, isSampled }: TraceParent): string {
  return `00-${traceId}-${parentId}-${isSampled ? '01' : '00'}`;
}
