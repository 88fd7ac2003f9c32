// A regular expression as a program for a backtracking matcher (regexp-steps.ts), which takes the same ways as V8's
// does, but counts them. Parsed by regexpp, so that what is counted is what JavaScript understands
// (ECMA-262 section 22.2).

import { type AST, RegExpParser } from '@eslint-community/regexpp';

export type CharacterTest = (codePoint: number) => boolean;

export type Instruction =
  | { op: 'character'; test: CharacterTest; isBackward: boolean }
  | { op: 'run'; test: CharacterTest; isBackward: boolean; min: number; max: number; isGreedy: boolean }
  | { op: 'split'; first: number; second: number }
  | { op: 'jump'; to: number }
  | { op: 'mark'; register: number }
  | { op: 'progress'; register: number }
  | { op: 'assertion'; holds: (text: string, at: number) => boolean }
  | { op: 'look'; program: Instruction[]; isNegated: boolean };

export interface Program {
  instructions: Instruction[];
  isUnicode: boolean;
  /** begins with `^` that stands for the beginning of the text: no other place is tried */
  isAnchored: boolean;
}

const native = RegExp.prototype.exec;
const parser = new RegExpParser();
const LINE_END = /[\n\r\u2028\u2029]/;
const WORD = /\w/;

/** Throws for what no expression of this repository has: references back, sets of strings, flags inside the pattern. */
export function compile(expression: RegExp): Program {
  const { source, flags } = expression;
  const isUnicode = expression.unicode || expression.unicodeSets;
  const pattern = parser.parsePattern(source, 0, source.length, {
    unicode: expression.unicode,
    unicodeSets: expression.unicodeSets,
  });
  let registers = 0;

  const alternatives = (list: AST.Alternative[], isBackward: boolean, out: Instruction[]): void => {
    const ends: Extract<Instruction, { op: 'jump' }>[] = [];
    for (const [i, alternative] of list.entries()) {
      const isLast = i === list.length - 1;
      const split = { op: 'split' as const, first: out.length + 1, second: 0 };
      if (!isLast) out.push(split);
      const elements = isBackward ? alternative.elements.toReversed() : alternative.elements;
      for (const each of elements) element(each, isBackward, out);
      if (isLast) break;
      const end = { op: 'jump' as const, to: 0 };
      out.push(end);
      ends.push(end);
      split.second = out.length;
    }
    for (const end of ends) end.to = out.length;
  };

  const element = (node: AST.Element, isBackward: boolean, out: Instruction[]): void => {
    if (node.type === 'Quantifier') quantifier(node, isBackward, out);
    else if (node.type === 'Assertion') out.push(assertion(node));
    else if (node.type === 'Group' || node.type === 'CapturingGroup') {
      if (node.type === 'Group' && node.modifiers) throw new Error(`flags inside a pattern: ${node.raw}`);
      alternatives(node.alternatives, isBackward, out);
    } else out.push({ op: 'character', test: characterTest(node, flags), isBackward });
  };

  const quantifier = (node: AST.Quantifier, isBackward: boolean, out: Instruction[]): void => {
    const { element: repeated, min, max, greedy: isGreedy } = node;
    if (repeated.type !== 'Group' && repeated.type !== 'CapturingGroup' && repeated.type !== 'Assertion') {
      out.push({ op: 'run', test: characterTest(repeated, flags), isBackward, min, max, isGreedy });
      return;
    }
    for (let i = 0; i < min; i++) element(repeated, isBackward, out);
    const skips: Extract<Instruction, { op: 'split' }>[] = [];
    const again = out.length;
    for (let i = min; i < max; i++) {
      const split = { op: 'split' as const, first: 0, second: 0 };
      const register = registers++;
      out.push(split, { op: 'mark', register });
      skips.push(split);
      const body = out.length - 1;
      element(repeated, isBackward, out);
      out.push({ op: 'progress', register });
      if (isGreedy) split.first = body;
      else split.second = body;
      if (max !== Number.POSITIVE_INFINITY) continue;
      out.push({ op: 'jump', to: again });
      break;
    }
    for (const skip of skips) {
      if (isGreedy) skip.second = out.length;
      else skip.first = out.length;
    }
  };

  const assertion = (node: AST.Assertion): Instruction => {
    if (node.kind === 'lookahead' || node.kind === 'lookbehind') {
      const program: Instruction[] = [];
      alternatives(node.alternatives, node.kind === 'lookbehind', program);
      return { op: 'look', program, isNegated: node.negate };
    }
    if (node.kind === 'start') {
      return { op: 'assertion', holds: (text, at) => at === 0 || (expression.multiline && isLineEnd(text[at - 1])) };
    }
    if (node.kind === 'end') {
      return {
        op: 'assertion',
        holds: (text, at) => at === text.length || (expression.multiline && isLineEnd(text[at])),
      };
    }
    const { negate } = node as AST.WordBoundaryAssertion;
    return { op: 'assertion', holds: (text, at) => (isWord(text[at - 1]) !== isWord(text[at])) !== negate };
  };

  const instructions: Instruction[] = [];
  alternatives(pattern.alternatives, false, instructions);
  const isAnchored =
    !expression.multiline &&
    pattern.alternatives.every(({ elements: [first] }) => first?.type === 'Assertion' && first.kind === 'start');
  return { instructions, isUnicode, isAnchored };
}

/** Asks the engine itself, once for each code point. */
function characterTest(node: AST.Element, flags: string): CharacterTest {
  if (node.type === 'Backreference') throw new Error(`a reference back: ${node.raw}`);
  if (node.type === 'Character' && !/[iuv]/.test(flags)) return (codePoint) => codePoint === node.value;
  const whole = new RegExp(`^(?:${node.raw})$`, flags.replace(/[gymd]/g, ''));
  const known = new Uint8Array(0x110000);
  return (codePoint) => {
    if (known[codePoint] === 0) known[codePoint] = native.call(whole, String.fromCodePoint(codePoint)) ? 2 : 1;
    return known[codePoint] === 2;
  };
}

const isLineEnd = (character: string | undefined) =>
  character !== undefined && native.call(LINE_END, character) !== null;
const isWord = (character: string | undefined) => character !== undefined && native.call(WORD, character) !== null;
