// How many steps a backtracking matcher takes for one match, V8's being one: a character looked at, a way taken or
// taken back. Runs before V8 does the same match, so that an exponential one ends a test and does not
// hang it.

import { compile, type Instruction, type Program } from './regexp-program.ts';

/** of one regular expression on one text: what is meant to be linear stays far below */
const MAX_STEPS = 5_000_000;

export class TooManySteps extends Error {
  constructor(expression: RegExp, length: number) {
    super(`${expression} takes more than ${MAX_STEPS} steps over ${length} characters`);
  }
}

interface Count {
  steps: number;
}

/** where the match lies; undefined where there is none */
export interface Found {
  index: number;
  end: number;
}

const programs = new Map<string, Program>();

/** What `expression.exec(text)` is going to do, from its lastIndex. Throws TooManySteps. */
export function countMatch(expression: RegExp, text: string): { steps: number; found: Found | undefined } {
  const key = String(expression);
  const program = programs.get(key) ?? compile(expression);
  programs.set(key, program);
  const count: Count = { steps: 0 };
  const isMoving = expression.global || expression.sticky;
  for (let at = isMoving ? expression.lastIndex : 0; at <= text.length; at += widthAt(text, at, program.isUnicode)) {
    count.steps++;
    const end = run(program.instructions, program.isUnicode, text, at, count);
    if (count.steps > MAX_STEPS) throw new TooManySteps(expression, text.length);
    if (end >= 0) return { steps: count.steps, found: { index: at, end } };
    if (expression.sticky || program.isAnchored) break;
  }
  return { steps: count.steps, found: undefined };
}

/** what to go back to: a place in program and text, the rest of a run, or the value that a register had */
type Way =
  | { kind: 'place'; pc: number; at: number }
  | { kind: 'shorter'; pc: number; at: number; shortest: number; isBackward: boolean }
  | { kind: 'longer'; pc: number; at: number; left: number; run: Extract<Instruction, { op: 'run' }> }
  | { kind: 'register'; register: number; value: number };

/** The end of the match that begins at `start`, -1 where there is none or the count is beyond MAX_STEPS. */
function run(program: Instruction[], isUnicode: boolean, text: string, start: number, count: Count): number {
  const ways: Way[] = [];
  const registers: number[] = [];
  let pc = 0;
  let at = start;
  let isFailed = false;

  /** over one character; -1 where there is none that passes */
  const over = (instruction: Extract<Instruction, { op: 'character' | 'run' }>, from: number): number => {
    count.steps++;
    const { isBackward } = instruction;
    if (isBackward ? from <= 0 : from >= text.length) return -1;
    const width = isBackward ? widthBefore(text, from, isUnicode) : widthAt(text, from, isUnicode);
    const first = isBackward ? from - width : from;
    const codePoint = isUnicode ? text.codePointAt(first)! : text.charCodeAt(first);
    if (!instruction.test(codePoint)) return -1;
    return isBackward ? first : from + width;
  };

  for (;;) {
    if (isFailed) {
      const way = ways.pop();
      if (!way) return -1;
      if (way.kind === 'register') {
        registers[way.register] = way.value;
        continue;
      }
      count.steps++;
      ({ pc, at } = way);
      isFailed = false;
      if (way.kind === 'shorter') {
        at += way.isBackward ? widthAt(text, at, isUnicode) : -widthBefore(text, at, isUnicode);
        way.at = at;
        if (at !== way.shortest) ways.push(way);
      } else if (way.kind === 'longer') {
        at = over(way.run, at);
        isFailed = at < 0;
        way.at = at;
        way.left--;
        if (!isFailed && way.left > 0) ways.push(way);
      }
      if (count.steps > MAX_STEPS) return -1;
      continue;
    }
    const instruction = program[pc];
    if (!instruction) return at;
    count.steps++;
    pc++;
    if (instruction.op === 'character') {
      at = over(instruction, at);
      isFailed = at < 0;
    } else if (instruction.op === 'run') {
      const { min, max, isGreedy, isBackward } = instruction;
      let taken = 0;
      let shortest = at;
      const most = isGreedy ? max : min;
      for (let next: number; taken < most && (next = over(instruction, at)) >= 0; taken++) {
        at = next;
        if (taken < min) shortest = at;
      }
      if (taken < min) isFailed = true;
      else if (!isGreedy && max > min) ways.push({ kind: 'longer', pc, at, left: max - min, run: instruction });
      else if (at !== shortest) ways.push({ kind: 'shorter', pc, at, shortest, isBackward });
    } else if (instruction.op === 'split') {
      ways.push({ kind: 'place', pc: instruction.second, at });
      pc = instruction.first;
    } else if (instruction.op === 'jump') {
      pc = instruction.to;
    } else if (instruction.op === 'mark') {
      ways.push({ kind: 'register', register: instruction.register, value: registers[instruction.register] ?? -1 });
      registers[instruction.register] = at;
    } else if (instruction.op === 'progress') {
      isFailed = registers[instruction.register] === at;
    } else if (instruction.op === 'assertion') {
      isFailed = !instruction.holds(text, at);
    } else {
      isFailed = run(instruction.program, isUnicode, text, at, count) >= 0 === instruction.isNegated;
    }
  }
}

function widthAt(text: string, at: number, isUnicode: boolean): number {
  return isUnicode && (text.codePointAt(at) ?? 0) > 0xffff ? 2 : 1;
}

function widthBefore(text: string, at: number, isUnicode: boolean): number {
  return isUnicode && at >= 2 && text.codePointAt(at - 2)! > 0xffff ? 2 : 1;
}
