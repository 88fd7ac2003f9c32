// Holds a conversation again and again while its room server's bytes are harmed, and judges each answer: it is right, a
// clear error, or visibly broken off; what it says of a change is true; the next request works.

import assert from 'node:assert/strict';
import { type ByteFault, type Direction, FAULT_KINDS, type FaultKind } from './fault-proxy.ts';
import { type FaultSite, SECRET } from './fault-site.ts';
import type { Asking, Talk } from './fault-talks.ts';
import type { Random } from './random.ts';
import { sendHttp } from './raw-http.ts';

/** longer than any answer may take, silences and tries included */
const HUNG_MS = 15_000;
/** Patience ends in so many steps: a machine that stood still for a minute has taken one of them, and not all. */
const PATIENCE_STEPS = 20;
/** of a client whose own connection stalls: it gives up, and the gateway has to take that */
const GIVE_UP_MS = 150;
/** of these, whatever comes twice or changed is taken for what the room server said: nothing in the protocol tells */
const CHANGES_CONTENT: ReadonlySet<FaultKind> = new Set(['repeat', 'corrupt']);
const MAY_UNTELL: ReadonlySet<FaultKind> = new Set(['stall', 'repeat', 'corrupt']);
const DIRECTIONS: readonly Direction[] = ['down', 'up'];
const KEEP_CONTENT: readonly FaultKind[] = FAULT_KINDS.filter((kind) => !CHANGES_CONTENT.has(kind));

/**
 * Changed content comes last, for the gateway keeps what it was told. What it tells its client is not changed, which
 * would only try that client, nor a password, after some of which nobody is let in.
 */
export function faultsOf(
  { isFront }: Pick<FaultSite, 'isFront'>,
  { logsIn = false }: Pick<Talk, 'logsIn'>,
): Pick<ByteFault, 'kind' | 'direction'>[] {
  const changed = DIRECTIONS.filter((direction) => (direction === 'up' ? isFront || !logsIn : !isFront));
  return [
    ...KEEP_CONTENT.flatMap((kind) => DIRECTIONS.map((direction) => ({ kind, direction }))),
    ...[...CHANGES_CONTENT].flatMap((kind) => changed.map((direction) => ({ kind, direction }))),
  ];
}

const BOBS_MAIL: Asking = { method: 'GET', path: 'r/_MAIL_/mailbox' };
/** a request that has not come whole */
const NOT_READ: ReadonlySet<number> = new Set([400, 408]);
/** the room server was not reached, or not understood, or is silent */
const NOT_ANSWERED: ReadonlySet<number> = new Set([502, 503, 504]);

interface Told {
  status: number;
  type: string;
  body: string;
}

/** `broken`: the connection ended before the answer did; `hung`: it did not end */
export type Outcome = Told | 'broken' | 'hung';

export interface Judged {
  talk: string;
  fault: ByteFault;
  /** for the table */
  answer: string;
  problem: string | undefined;
}

/** Which positions of so many bytes are harmed. */
export type Choice = (bytes: Buffer, kind: FaultKind, direction: Direction) => number[];

/** `count` of those beside the ends of lines, and as many others; of stalls, which take their time, half of them. */
export function someOf(random: Random, count: number): Choice {
  return (bytes, kind) => {
    const besideEnds = new Set<number>([0]);
    for (let lf = bytes.indexOf(10); lf >= 0; lf = bytes.indexOf(10, lf + 1)) {
      for (const at of [lf - 1, lf, lf + 1]) if (at >= 0 && at < bytes.length) besideEnds.add(at);
    }
    const ends = [...besideEnds];
    if (bytes.length === 0) return [];
    const chosen = Array.from({ length: count }, () => [ends[random(ends.length)]!, random(bytes.length)]);
    return [...new Set(kind === 'stall' ? chosen.map((pair) => pair[random(2)]!) : chosen.flat())];
  };
}

/** The conversation with each fault at each position that is chosen for it. `user` is nobody else's meanwhile. */
export async function disturb(site: FaultSite, talk: Talk, user: string, choose: Choice): Promise<Judged[]> {
  const { proxy } = site;
  const straight = site.straight(user);
  const newAsking = await talk.prepare(straight, user);
  const lobby = await ask(site, user, { method: 'GET', path: 'r/Lobby' }, talk);
  const patienceFor = (fault?: ByteFault) => (site.isFront && fault?.kind === 'stall' ? GIVE_UP_MS : HUNG_MS);
  const once = async (fault?: ByteFault) => {
    const asking = await newAsking(straight);
    if (talk.logsIn) await dropAll(site);
    proxy.arm(fault);
    const outcome = await ask(site, user, asking, talk, patienceFor(fault));
    return { asking, outcome };
  };
  await once(); // from then on it is known what the gateway remembers
  const right = textOf((await once()).outcome, talk);
  assert.ok(talk.right.includes(Number(right.slice(0, 3))), `${talk.name}: ${right}`);
  const lengths: Record<Direction, Buffer> = { up: proxy.passed('up'), down: proxy.passed('down') };
  const judged: Judged[] = [];
  for (const { kind, direction } of faultsOf(site, talk)) {
    for (const position of choose(lengths[direction], kind, direction)) {
      const fault = { kind, direction, position };
      const isWithBob = position % 3 === 0;
      const bob = isWithBob ? ask(site, 'bob', BOBS_MAIL, talk, patienceFor(fault)) : undefined;
      const { asking, outcome } = await once(fault);
      const struck = proxy.hasStruck();
      proxy.arm();
      const next = () => ask(site, user, { method: 'GET', path: 'r/Lobby' }, talk);
      let after = await next();
      // what comes twice may come while the next request waits on that connection, which is its end
      // (of a client, what it has said twice is no request, nor what is left where it has said that it says less, and
      // its connection ends with the answer to that)
      const isLeftOver = kind === 'repeat' || (site.isFront && kind === 'corrupt' && direction === 'up');
      if (isLeftOver && /^(?:502|broken$)/.test(textOf(after, talk))) after = await next();
      // a command that comes twice or is another has an answer too many, or none, which shows with the next request
      const isOther = !site.isFront && direction === 'up' && CHANGES_CONTENT.has(kind);
      if (isOther && /^(?:4|50[24])/.test(textOf(after, talk))) after = await next();
      // what falls silent while it owes nothing shows with the next request, and so does an answer that was lost with
      // the end of the notice before it
      const isSilent = kind === 'stall' || (kind === 'corrupt' && talk.until !== undefined);
      if (isSilent && outcome === 'hung' && !site.isFront && /^504/.test(textOf(after, talk))) after = await next();
      const made = await asking.made?.(straight);
      const problem =
        judge(site, talk, fault, outcome, right) ??
        judgeChange(talk, fault, outcome, made) ??
        judgeNext(textOf(after, talk), textOf(lobby, talk)) ??
        judgeBob(kind, await bob);
      const isHung = problem !== undefined && [outcome, after].includes('hung');
      const answer = struck ? classOf(outcome, textOf(outcome, talk) === right) : 'not reached';
      judged.push({ talk: talk.name, fault, answer, problem: isHung ? `${problem}\n${await site.state()}` : problem });
    }
  }
  return judged;
}

/** The gateway has noticed when it comes back. */
async function dropAll({ proxy }: FaultSite): Promise<void> {
  proxy.drop();
  for (let i = 0; i < 5; i++) await new Promise((resolve) => setImmediate(resolve));
}

async function ask(site: FaultSite, user: string, asking: Asking, talk: Talk, patienceMs = HUNG_MS): Promise<Outcome> {
  const stop = new AbortController();
  let timer: NodeJS.Timeout | undefined;
  let steps = 0;
  const hung = new Promise<'hung'>((resolve) => {
    timer = setInterval(() => ++steps === PATIENCE_STEPS && resolve('hung'), patienceMs / PATIENCE_STEPS);
  });
  const answered = answerOf(site, user, asking, talk, stop.signal).catch(() => 'broken' as const);
  const outcome = await Promise.race([answered, hung]);
  clearInterval(timer);
  stop.abort();
  return outcome;
}

async function answerOf(
  { url, straight }: FaultSite,
  user: string,
  { method, path, headers, body, meanwhile }: Asking,
  { until }: Talk,
  signal: AbortSignal,
): Promise<Told> {
  const authorization = `Basic ${Buffer.from(`${user}:${user}pw`).toString('base64')}`;
  const init = { method, headers: { ...headers, authorization }, signal, ...(body !== undefined && { body }) };
  const answer = await sendHttp(url, `/svc/${path}`, init);
  const type = answer.headers.get('content-type') ?? '';
  if (!type.startsWith('text/event-stream')) return { status: answer.status, type, body: await answer.text() };
  let told = '';
  for await (const piece of answer.body!.pipeThrough(new TextDecoderStream())) {
    if (told === '') await meanwhile?.(straight(user));
    told += piece;
    if (until?.test(told)) break;
  }
  return { status: answer.status, type, body: until?.exec(told)?.[0] ?? told };
}

function textOf(outcome: Outcome, { varies }: Talk): string {
  if (typeof outcome === 'string') return outcome;
  const { status, body } = outcome;
  return `${status} ${varies ? body.replaceAll(varies, '') : body}`;
}

function judge(
  { isFront }: FaultSite,
  talk: Talk,
  { kind, direction }: ByteFault,
  outcome: Outcome,
  right: string,
): string | undefined {
  // of a change that is not told, or told of another room, a stream says nothing
  // and a client that says another length, or no end of its head, is waited for: slow-bodies.slow.ts says for how long
  const isSilent = isFront
    ? kind === 'stall' || (kind === 'corrupt' && direction === 'up')
    : talk.until !== undefined && MAY_UNTELL.has(kind) && (direction === 'down' || CHANGES_CONTENT.has(kind));
  if (outcome === 'hung') return isSilent ? undefined : 'no answer';
  if (outcome === 'broken') return undefined;
  const { status, type, body } = outcome;
  const text = textOf(outcome, talk);
  if (body.includes(SECRET)) return `has what is another user's: ${text}`;
  if (status === 500) return text;
  if (isFront ? direction === 'up' && NOT_READ.has(status) : NOT_ANSWERED.has(status)) return undefined;
  if (CHANGES_CONTENT.has(kind)) return status < 300 ? malformed(type, body) : undefined;
  return text === right ? undefined : `${text}\nis not\n${right}`;
}

/** Whatever the room server said, the form of the answer is right. */
function malformed(type: string, body: string): string | undefined {
  if (/json/.test(type)) {
    try {
      JSON.parse(body);
    } catch {
      return `no JSON: ${body}`;
    }
  }
  if (/xml/.test(type) && !/<\/(?:D:multistatus|D:prop|feed)>\n$/.test(body)) return `no XML: ${body}`;
  return undefined;
}

function judgeChange(
  { isOfAnswer }: Talk,
  { kind, direction }: ByteFault,
  outcome: Outcome,
  made: 0 | 1 | 'broken' | undefined,
): string | undefined {
  // who says something else gets something else
  if (made === undefined || (direction === 'up' && CHANGES_CONTENT.has(kind))) return undefined;
  if (made === 'broken' && isOfAnswer && CHANGES_CONTENT.has(kind)) return undefined;
  if (made === 'broken') return 'it was made by halves, or twice';
  if (typeof outcome === 'string' || outcome.status > 500) return undefined; // it says that it does not know
  if (outcome.status < 300) return made === 1 ? undefined : `${outcome.status}, but it was not made`;
  if (CHANGES_CONTENT.has(kind)) return undefined;
  return made === 0 ? undefined : `${outcome.status}, but it was made`;
}

function judgeNext(after: string, right: string): string | undefined {
  return after === right ? undefined : `the next request: ${after}`;
}

function judgeBob(kind: FaultKind, outcome: Outcome | undefined): string | undefined {
  if (outcome === undefined || typeof outcome === 'string' || outcome.status !== 200) return undefined;
  return CHANGES_CONTENT.has(kind) || outcome.body.includes(SECRET) ? undefined : `bob was told ${outcome.body}`;
}

function classOf(outcome: Outcome, isRight: boolean): string {
  if (typeof outcome === 'string') return outcome;
  if (isRight) return 'right';
  return outcome.status < 300 ? 'other 2xx' : String(outcome.status);
}

/** A line for each answer that is none of those that may be given. */
export function problemsOf(judged: readonly Judged[]): string[] {
  return judged.flatMap(({ talk, fault: { kind, direction, position }, problem }) =>
    problem === undefined ? [] : [`${talk}, ${direction} ${kind} at ${position}: ${problem.slice(0, 2000)}`],
  );
}

/** Faults down, answers across, and how many there were of each. */
export function tableOf(judged: readonly Judged[]): string {
  const answers = [...new Set(judged.map(({ answer }) => answer))].sort();
  const counted = Map.groupBy(judged, ({ fault }) => `${fault.direction} ${fault.kind}`);
  const rows = [['', ...answers]];
  for (const [name, of] of counted) {
    rows.push([name, ...answers.map((answer) => String(of.filter((each) => each.answer === answer).length))]);
  }
  return rows.map(([name, ...cells]) => name!.padEnd(14) + cells.map((cell) => cell.padStart(12)).join('')).join('\n');
}
