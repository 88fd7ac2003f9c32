// A fleet as a network of queues, run event by event: stations (gateways, room servers, what hashes passwords, the
// shared store) work on one job at a time each, requests come at random. No formula: what waits, waits in line.

export const KINDS = ['read', 'post', 'log-in'] as const;
export type Kind = (typeof KINDS)[number];

/** Milliseconds of a processor that one of each takes, as measured. */
export interface ServiceTimes {
  gateway: Record<Kind, number>;
  roomServer: Record<Kind, number>;
  /** of a log-in with a password, in threads beside the room server's own */
  password: number;
  /** of the shared store, for a log-in: throttle and session */
  store: number;
  /** that one event stream costs its gateway, and the room server, for a post that it hears of */
  eventAtGateway: number;
  eventAtRoomServer: number;
  /** of the client, where it runs on the same machine */
  client: number;
}

export interface FleetPlan {
  gateways: number;
  roomServers: number;
  /** hashes passwords at the same time, at each room server */
  passwordThreads: number;
  /** of all together, by kind; each a second */
  rates: Record<Kind, number>;
  /** event streams that hear of a post */
  fanOut: number;
  times: ServiceTimes;
  /** one way between two parts, in milliseconds */
  networkMs: number;
}

export interface Quantiles {
  mean: number;
  median: number;
  p95: number;
  p99: number;
}

export interface Outcome {
  /** of each kind, in milliseconds */
  latency: Record<Kind, Quantiles>;
  /** share of the time that the busiest of each has worked: 1 is all of it */
  busy: Record<StationKind, number>;
  /** that nothing more goes through: the first to be busy all the time */
  first: StationKind;
}

export const STATIONS = ['gateway', 'room server', 'passwords', 'store', 'client'] as const;
export type StationKind = (typeof STATIONS)[number];

interface Job {
  station: Station;
  ms: number;
  done: () => void;
}

/** First in, first out; either costs the same however long it is. */
class Line<T> {
  #items: T[] = [];
  #head = 0;

  push(item: T): void {
    this.#items.push(item);
  }

  shift(): T | undefined {
    if (this.#head * 2 > this.#items.length) {
      this.#items = this.#items.slice(this.#head);
      this.#head = 0;
    }
    return this.#head < this.#items.length ? this.#items[this.#head++] : undefined;
  }
}

/** Serves its jobs in their order, `places` at a time. */
class Station {
  readonly kind: StationKind;
  readonly waiting = new Line<Job>();
  free: number;
  readonly places: number;
  busyMs = 0;

  constructor(kind: StationKind, places = 1) {
    this.kind = kind;
    this.free = places;
    this.places = places;
  }
}

/** Numbers from 0 to 1 that are the same each time (mulberry32). */
export function randomNumbers(seed: number): () => number {
  let state = seed >>> 0;
  return () => {
    state = (state + 0x6d2b79f5) >>> 0;
    let mixed = Math.imul(state ^ (state >>> 15), state | 1);
    mixed ^= mixed + Math.imul(mixed ^ (mixed >>> 7), mixed | 61);
    return ((mixed ^ (mixed >>> 14)) >>> 0) / 2 ** 32;
  };
}

/** Runs `requests` of them through an empty fleet; the first tenth is not counted. The same seed, the same outcome. */
export function simulate(plan: FleetPlan, requests: number, seed = 1): Outcome {
  const random = randomNumbers(seed);
  const exponential = (mean: number) => -mean * Math.log(1 - random());
  /** half of it always, half at random: work differs, but none takes no time */
  const varied = (mean: number) => mean / 2 + exponential(mean / 2);
  const timeline = new Timeline();
  const many = (kind: StationKind, count: number, places = 1) =>
    Array.from({ length: count }, () => new Station(kind, places));
  const gateways = many('gateway', plan.gateways);
  const rooms = many('room server', plan.roomServers);
  const passwords = many('passwords', plan.roomServers, plan.passwordThreads);
  const store = new Station('store');
  const client = new Station('client');
  const pick = <T>(all: readonly T[]): T => all[Math.floor(random() * all.length)]!;
  const { times, networkMs } = plan;
  const total = KINDS.reduce((sum, kind) => sum + plan.rates[kind], 0);
  const taken: Record<Kind, number[]> = { read: [], post: [], 'log-in': [] };

  /** A request on its way: each step when the one before is done. */
  function request(kind: Kind, isCounted: boolean, i: number): void {
    const began = timeline.now;
    const gateway = gateways[i % gateways.length]!;
    const at = Math.floor(random() * rooms.length);
    const room = rooms[at]!;
    const half = times.gateway[kind] / 2;
    const steps: [Station, number][] = [
      [client, times.client],
      [gateway, half],
    ];
    if (kind === 'log-in')
      steps.push([store, times.store], [room, times.roomServer[kind]], [passwords[at]!, times.password]);
    else steps.push([room, times.roomServer[kind]]);
    steps.push([gateway, half]);
    const next = (step: number): void => {
      if (step < steps.length) {
        const [station, ms] = steps[step]!;
        timeline.after(networkMs, () => work(timeline, { station, ms: varied(ms), done: () => next(step + 1) }));
        return;
      }
      if (isCounted) taken[kind].push(timeline.now - began);
      if (kind === 'post' && plan.fanOut > 0) tell(room);
    };
    next(0);
  }

  /** The streams hear of a post: spread over the gateways, one job at each for all of its streams. */
  function tell(room: Station): void {
    work(timeline, { station: room, ms: plan.fanOut * times.eventAtRoomServer, done: () => {} });
    const told = Math.min(gateways.length, Math.max(1, Math.round(plan.fanOut)));
    const ms = (plan.fanOut / told) * times.eventAtGateway;
    for (let i = 0; i < told; i++) {
      const gateway = told === gateways.length ? gateways[i]! : pick(gateways);
      work(timeline, { station: gateway, ms, done: () => {} });
    }
  }

  function kindOf(): Kind {
    let left = random() * total;
    return KINDS.find((kind) => (left -= plan.rates[kind]) < 0) ?? 'read';
  }

  let made = 0;
  const arrive = () => {
    request(kindOf(), made >= requests / 10, made);
    if (++made < requests) timeline.after(exponential(1000 / total), arrive);
  };
  timeline.after(0, arrive);
  // what is left to be done when the last one has come counts for nobody's share
  const lastArrival = timeline.run(() => made < requests);
  const busyOf = (stations: readonly Station[]) =>
    Math.max(...stations.map(({ busyMs, places }) => Math.min(1, busyMs / places / lastArrival)));
  const busy: Record<StationKind, number> = {
    gateway: busyOf(gateways),
    'room server': busyOf(rooms),
    passwords: busyOf(passwords),
    store: busyOf([store]),
    client: busyOf([client]),
  };
  timeline.run(() => true);
  const latency = Object.fromEntries(KINDS.map((kind) => [kind, quantiles(taken[kind])])) as Outcome['latency'];
  return { latency, busy, first: STATIONS.reduce((most, kind) => (busy[kind] > busy[most] ? kind : most)) };
}

/** Begins it, or puts it into the line of its station. */
function work(timeline: Timeline, job: Job): void {
  const { station } = job;
  if (station.free === 0) {
    station.waiting.push(job);
    return;
  }
  station.free--;
  begin(timeline, job);
}

function begin(timeline: Timeline, { station, ms, done }: Job): void {
  station.busyMs += ms;
  timeline.after(ms, () => {
    const next = station.waiting.shift();
    if (next) begin(timeline, next);
    else station.free++;
    done();
  });
}

/** What happens when, in milliseconds: a heap, the earliest first. */
class Timeline {
  now = 0;
  readonly #heap: { at: number; act: () => void }[] = [];

  after(ms: number, act: () => void): void {
    const heap = this.#heap;
    const entry = { at: this.now + ms, act };
    let i = heap.push(entry) - 1;
    for (let parent = (i - 1) >> 1; i > 0 && heap[parent]!.at > entry.at; parent = (i - 1) >> 1) {
      heap[i] = heap[parent]!;
      i = parent;
    }
    heap[i] = entry;
  }

  /** While there is something, and as long as `goesOn`; answers what time it is then. */
  run(goesOn: () => boolean): number {
    while (this.#heap.length > 0 && goesOn()) {
      const { at, act } = this.#pop();
      this.now = at;
      act();
    }
    return this.now;
  }

  #pop() {
    const heap = this.#heap;
    const first = heap[0]!;
    const last = heap.pop()!;
    if (heap.length === 0) return first;
    let i = 0;
    for (let child = 1; child < heap.length; child = 2 * i + 1) {
      if (child + 1 < heap.length && heap[child + 1]!.at < heap[child]!.at) child++;
      if (heap[child]!.at >= last.at) break;
      heap[i] = heap[child]!;
      i = child;
    }
    heap[i] = last;
    return first;
  }
}

/** Of times in milliseconds; 0 of nothing. */
export function quantiles(values: readonly number[]): Quantiles {
  const sorted = values.toSorted((a, b) => a - b);
  const at = (share: number) => sorted[Math.min(sorted.length - 1, Math.floor(share * sorted.length))] ?? 0;
  const sum = values.reduce((all, each) => all + each, 0);
  return { mean: sum / Math.max(1, values.length), median: at(0.5), p95: at(0.95), p99: at(0.99) };
}
