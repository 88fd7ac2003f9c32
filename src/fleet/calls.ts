// Remote procedure calls between two processes of one server over an ordered channel (node:child_process 'ipc' or a
// MessagePort). Each end has named functions that the other may call with plain data.

import { AppError, type AppErrorOptions, type ErrorCode } from '../errors.ts';

export type CallMessage =
  | { id: number; name: string; args: unknown[] }
  | { id: number; value: unknown }
  | { id: number; error: SentError };

/** An error as plain data; without code: an unexpected error. */
interface SentError extends AppErrorOptions {
  code: ErrorCode | undefined;
  message: string;
  /** of an unexpected error: the system's code, such as ENOSPC */
  systemCode?: string;
}

/** May return a promise; what it throws is thrown at the caller. */
export type CallHandler = (...args: never[]) => unknown;

export class Calls {
  readonly #post: (message: CallMessage) => void;
  readonly #handlers: Readonly<Record<string, CallHandler>>;
  readonly #pending = new Map<number, PromiseWithResolvers<unknown>>();
  #lastId = 0;
  #isEnded = false;

  /** `post` sends a message; pass received messages to take(). */
  constructor(post: (message: CallMessage) => void, handlers: Readonly<Record<string, CallHandler>>) {
    this.#post = post;
    this.#handlers = handlers;
  }

  /** Throws what the other end throws, and busy if that has ended. */
  call<T>(name: string, ...args: unknown[]): Promise<T> {
    if (this.#isEnded) return Promise.reject(goneError());
    const id = ++this.#lastId;
    const pending = Promise.withResolvers<unknown>();
    this.#pending.set(id, pending);
    this.#send({ id, name, args });
    return pending.promise as Promise<T>;
  }

  /** Handles a received message. */
  take(message: CallMessage): void {
    if ('name' in message) {
      void this.#answer(message.id, message.name, message.args);
      return;
    }
    const pending = this.#pending.get(message.id);
    this.#pending.delete(message.id);
    if ('error' in message) pending?.reject(errorOf(message.error));
    else pending?.resolve(message.value);
  }

  /** The other end has ended: pending calls fail with busy. */
  end(): void {
    this.#isEnded = true;
    for (const { reject } of this.#pending.values()) reject(goneError());
    this.#pending.clear();
  }

  async #answer(id: number, name: string, args: unknown[]): Promise<void> {
    try {
      if (!Object.hasOwn(this.#handlers, name)) throw new Error(`Unknown call ${name}.`);
      this.#send({ id, value: await this.#handlers[name]!(...(args as never[])) });
    } catch (error) {
      this.#send({ id, error: sentError(error) });
    }
  }

  #send(message: CallMessage): void {
    if (!this.#isEnded) this.#post(message);
  }
}

function sentError(error: unknown): SentError {
  if (!(error instanceof AppError)) {
    const { stack, code: systemCode } = error as NodeJS.ErrnoException;
    return { code: undefined, message: stack ?? String(error), ...(systemCode !== undefined && { systemCode }) };
  }
  const { code, message, backendCode, retryAfterSeconds, condition } = error;
  return {
    code,
    message,
    ...(backendCode !== undefined && { backendCode }),
    ...(retryAfterSeconds !== undefined && { retryAfterSeconds }),
    ...(condition !== undefined && { condition }),
  };
}

function errorOf({ code, message, systemCode, ...options }: SentError): Error {
  if (code !== undefined) return new AppError(code, message, options);
  return Object.assign(new Error(message), systemCode !== undefined && { code: systemCode });
}

function goneError(): AppError {
  return new AppError('busy', 'A part of this server is restarting.', { retryAfterSeconds: 1 });
}
