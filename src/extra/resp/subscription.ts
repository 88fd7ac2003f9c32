// Subscribes to channels of a store on a connection of its own, which is reopened when lost (redis.io, "Redis
// Pub/Sub"). Messages published in between are lost; `onJoined` signals a possible gap.

import { setTimeout as sleep } from 'node:timers/promises';
import { MAX_SUBSCRIPTION_SILENCE_MS } from '../../limits/processes.ts';
import type { RespConnection } from './connection.ts';
import { Pause } from './node.ts';
import { ReplyError, type RespReply, replyItems, replyText } from './reply.ts';
import type { StoreClient } from './store-client.ts';

export interface SubscriptionHooks {
  onMessage(channel: string, text: string): void;
  /** no messages are missed from now until the next call */
  onJoined(): void;
}

export class Subscription {
  readonly #client: StoreClient;
  readonly #channels: readonly string[];
  readonly #hooks: SubscriptionHooks;
  readonly #closing = new AbortController();
  #connection: RespConnection | undefined;

  /** `key`: subscribes at the server that stores it, so that this server can count subscribers. */
  constructor(client: StoreClient, key: string, channels: readonly string[], hooks: SubscriptionHooks) {
    this.#client = client;
    this.#channels = channels;
    this.#hooks = hooks;
    void this.#keepOpen(key);
  }

  close(): void {
    this.#closing.abort();
    this.#connection?.close();
  }

  async #keepOpen(key: string): Promise<void> {
    const { signal } = this.#closing;
    let pause = new Pause();
    while (!signal.aborted) {
      try {
        const connection = await this.#client.connectFor(key);
        pause = new Pause();
        await this.#listen(connection);
      } catch {
        // reported to callers of the client
      }
      await sleep(pause.begin(), undefined, { signal, ref: false }).catch(() => undefined);
    }
  }

  /** Resolves when the connection is lost. */
  #listen(connection: RespConnection): Promise<void> {
    this.#connection = connection;
    return new Promise((resolve) => {
      let heard = performance.now();
      const timer = setInterval(() => {
        if (performance.now() - heard > MAX_SUBSCRIPTION_SILENCE_MS) connection.close(new Error('it does not respond'));
        else connection.send(['PING']);
      }, MAX_SUBSCRIPTION_SILENCE_MS / 4);
      timer.unref();
      connection.onClose = () => {
        clearInterval(timer);
        resolve();
      };
      let joined = 0;
      connection.onPush = (reply: RespReply) => {
        heard = performance.now();
        if (reply instanceof ReplyError) return connection.close(reply);
        const [kind, channel, text] = replyItems(reply).map(replyText);
        if (kind === 'message' && channel !== undefined && text !== undefined) this.#hooks.onMessage(channel, text);
        else if (kind === 'subscribe' && ++joined === this.#channels.length) this.#hooks.onJoined();
      };
      if (this.#closing.signal.aborted) connection.close();
      else connection.send(['SUBSCRIBE', ...this.#channels]);
      if (connection.isClosed) resolve();
    });
  }
}
