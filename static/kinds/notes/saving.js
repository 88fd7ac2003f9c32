// Saves what is written after a pause in writing, one version after the other.

/** a pause in writing after which it is saved */
const PAUSE_MS = 800;

/**
 * `save` gets what was written last and throws what stops it: then nothing is saved until somebody writes again, or
 * `flush` is called.
 * @template T
 * @param {(written: T) => Promise<unknown>} save
 * @param {(state: 'waiting' | 'saved' | unknown) => void} told an error is told as it is
 */
export function saver(save, told) {
  /** @type {{ written: T } | undefined} */
  let waiting;
  let timer = 0;
  /** @type {Promise<void> | undefined} */
  let running;

  async function run() {
    while (waiting) {
      const { written } = waiting;
      waiting = undefined;
      try {
        await save(written);
        if (!waiting) told('saved');
      } catch (problem) {
        waiting ??= { written };
        told(problem);
        return;
      }
    }
  }

  const flush = () => {
    clearTimeout(timer);
    running ??= run().finally(() => {
      running = undefined;
    });
    return running;
  };
  return {
    /** @param {T} written */
    later(written) {
      waiting = { written };
      clearTimeout(timer);
      timer = window.setTimeout(flush, PAUSE_MS);
      told('waiting');
    },
    /** Saves what waits now. */
    flush,
    /** What waits is not saved; what is on its way is waited for. */
    drop() {
      clearTimeout(timer);
      waiting = undefined;
      return running;
    },
    isWaiting: () => waiting !== undefined || running !== undefined,
  };
}
