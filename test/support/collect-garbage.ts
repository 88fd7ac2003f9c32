// Preloaded into a gateway (--import, with --expose-gc): garbage goes ten times a second, or each `?ms=`, so that its
// memory shows what is held, not what V8 has not come to collect.

const INTERVAL_MS = 100;

setInterval(() => globalThis.gc?.(), Number(new URL(import.meta.url).searchParams.get('ms') ?? INTERVAL_MS)).unref();
