// The one error class of the product and the list of its codes. Every layer throws it; http/problem.ts alone turns a
// code into an HTTP status. What is not an AppError is a fault of ours: `internal` to the client, complete in the log.

export const ERROR_CODES = [
  'bad_request', // the request cannot be understood or carries a value that must not be passed on
  'not_logged_in', // no identity, or wrong credentials
  'forbidden', // the identity is known and may not do this
  'other_account', // the request names another account than that of the session
  'not_found',
  'method_not_allowed',
  'conflict', // the state of the resource does not allow it (name taken, target missing)
  'precondition_failed',
  'locked', // RFC 4918 section 11.3: by a lock whose token the request does not name
  'too_large',
  'uri_too_long',
  'unsupported_media_type',
  'range_not_satisfiable',
  'misdirected_request', // for a host that is not served here
  'too_many_requests',
  'headers_too_large',
  'request_timeout', // the client stopped sending its body
  'busy', // try again later
  'wrong_destination', // RFC 4918 section 9.9.4: a Destination on another server
  'insufficient_storage', // the disk or a quota is full
  'shared_unreachable', // what several gateways share (--shared) cannot be asked now
  'backend_unreachable', // no connection to the room server
  'backend_lost', // the connection died before the answer was complete
  'backend_protocol', // the room server broke the protocol or one of our bounds
  'backend_timeout', // no answer in time
  'not_rendered', // a message that cannot be made ready for reading, or not in time; it can be fetched as it is
  'internal',
] as const;

export type ErrorCode = (typeof ERROR_CODES)[number];

/** A precondition of DAV that does not hold (RFC 4918 section 16). */
export interface DavCondition {
  /** of the element; DAV: unless given */
  namespace?: string;
  name: string;
  /** of the resources that are in the way: absolute paths, percent-encoded */
  hrefs: readonly string[];
  /** the message says more than the name, so the document has it */
  isExplained?: boolean;
}

/** RFC 4331 section 6 */
export const NO_DISK_SPACE: DavCondition = { name: 'sufficient-disk-space', hrefs: [] };
export const QUOTA_REACHED: DavCondition = { name: 'quota-not-exceeded', hrefs: [] };

export interface AppErrorOptions {
  /** three-digit code of the room server, where it was the room server that refused */
  backendCode?: number | undefined;
  /** seconds after which trying again makes sense */
  retryAfterSeconds?: number;
  /** for clients of DAV */
  condition?: DavCondition;
  cause?: unknown;
}

/** `message` is for people and may reach the client: no paths, no secrets, no text of the room server. */
export class AppError extends Error {
  readonly code: ErrorCode;
  readonly backendCode: number | undefined;
  readonly retryAfterSeconds: number | undefined;
  readonly condition: DavCondition | undefined;

  constructor(code: ErrorCode, message: string, options: AppErrorOptions = {}) {
    super(message, options.cause === undefined ? undefined : { cause: options.cause });
    this.name = 'AppError';
    this.code = code;
    this.backendCode = options.backendCode;
    this.retryAfterSeconds = options.retryAfterSeconds;
    this.condition = options.condition;
  }
}

/** Undefined where the result is not_found: a message may be deleted at any time. */
export async function unlessGone<T>(result: Promise<T>): Promise<T | undefined> {
  try {
    return await result;
  } catch (error) {
    if (isNotFound(error)) return undefined;
    throw error;
  }
}

export function isNotFound(error: unknown): boolean {
  return error instanceof AppError && error.code === 'not_found';
}
