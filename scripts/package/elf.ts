// Executables of Linux (ELF, System V gABI chapters 4 and 5) made smaller, and made to start where libatomic is not
// installed: no base system has it, and Node wants one function of it. Whatever machine builds, for whatever machine,
// the bytes are the same. Only before node:sea writes into the file: edited after that, it crashes.

const SECTION = { alloc: 2 };
const SEGMENT = { load: 1, dynamic: 2, executable: 1 };
const DYNAMIC = { end: 0, needed: 1, stringTable: 5, symbolTable: 6, relocations: 7, relocationBytes: 8 };
const DYNAMIC_PLT = { bytes: 2, relocations: 23 };
const DYNAMIC_FLAGS = { tag: 30, bindNow: 8 };
const VERSIONS = { symbols: 0x6ffffff0, needed: 0x6ffffffe, neededCount: 0x6fffffff, global: 1 };
const LIBRARY = 'libatomic.so.1';
const FUNCTION = '__atomic_compare_exchange';

/** what differs between processors, by e_machine */
const MACHINES: Readonly<Record<number, Machine>> = {
  62: {
    relative: 8,
    jumpSlot: 7,
    // cmp $8,%rdi; jne 1f; mov (%rdx),%rax; mov (%rcx),%rcx; lock cmpxchg %rcx,(%rsi); mov %rax,(%rdx); sete %al; ret
    // 1: ud2
    code: Buffer.from('4883ff087512488b02488b09f0480fb10e4889020f94c0c30f0b', 'hex'),
  },
  183: {
    relative: 1027,
    jumpSlot: 1026,
    // cmp x0,#8; b.ne 3f; ldr x8,[x2]; ldr x9,[x3]; 1: ldaxr x10,[x1]; cmp x10,x8; b.ne 2f; stlxr w11,x9,[x1];
    // cbnz w11,1b; mov w0,#1; ret; 2: clrex; str x10,[x2]; mov w0,#0; ret; 3: brk #1
    code: words(
      ...[0xf100201f, 0x540001c1, 0xf9400048, 0xf9400069, 0xc85ffc2a, 0xeb08015f, 0x540000a1, 0xc80bfc29],
      ...[0x35ffff8b, 0x52800020, 0xd65f03c0, 0xd5033f5f, 0xf900004a, 0x52800000, 0xd65f03c0, 0xd4200020],
    ),
  },
};

interface Machine {
  /** types of relocations: an address of the file itself, and a function of another file */
  relative: number;
  jumpSlot: number;
  /**
   * `__atomic_compare_exchange(8, object, expected, desired, order, order)` of GCC's library interface; V8 swaps the
   * heads of its lists of eight bytes with it, and another size would be a trap
   */
  code: Buffer;
}

interface Segment {
  header: number;
  type: number;
  flags: number;
  offset: number;
  address: number;
  bytes: number;
}

/** A copy without what lies behind the last segment: debug information, and symbols that nobody wants at run time. */
export function withoutSymbols(file: Buffer): Buffer {
  assertExecutable(file);
  const headers = sectionsOf(file);
  const isKept = (header: Buffer) => (number(header, 8) & SECTION.alloc) !== 0;
  const kept = headers.slice(0, headers.findLastIndex(isKept) + 1);
  // the first header is that of nothing; what is named by number must keep its number
  if (!kept.slice(1).every(isKept)) throw new Error('Sections that are loaded lie behind others that are not');
  const names = headers[file.readUInt16LE(0x3e)]!;
  const end = Math.max(...segmentsOf(file).map(({ offset, bytes }) => offset + bytes));
  const nameBytes = file.subarray(number(names, 0x18), number(names, 0x18) + number(names, 0x20));
  const namesAt = Buffer.from(names);
  namesAt.writeBigUInt64LE(BigInt(end), 0x18);
  const padding = Buffer.alloc(-(end + nameBytes.length) & 7);
  const result = Buffer.concat([file.subarray(0, end), nameBytes, padding, ...kept, namesAt]);
  result.writeBigUInt64LE(BigInt(end + nameBytes.length + padding.length), 0x28);
  result.writeUInt16LE(kept.length + 1, 0x3c);
  result.writeUInt16LE(kept.length, 0x3e);
  return result;
}

/**
 * Puts the one function of libatomic that is used into the file itself and takes the library off the list of what is
 * loaded. Changes `file`. Throws where more of the library is used, or it is not used as here.
 */
export function withoutLibatomic(file: Buffer): void {
  assertExecutable(file);
  const machine = MACHINES[file.readUInt16LE(0x12)];
  if (machine === undefined) throw new Error('A processor that is not known');
  const dynamic = new Dynamic(file);
  const entry = dynamic.libraries().find(({ name }) => name === LIBRARY);
  if (entry === undefined) return;
  const version = takeVersionsOff(file, dynamic);
  const symbols = dynamic.symbolsOf(version);
  if (symbols.length !== 1 || symbols[0]!.name !== FUNCTION) {
    throw new Error(`Of ${LIBRARY} it wants ${symbols.map(({ name }) => name).join(', ')}, not only ${FUNCTION}`);
  }
  if ((dynamic.value(DYNAMIC_FLAGS.tag) & DYNAMIC_FLAGS.bindNow) === 0) throw new Error('Functions are bound late');
  const [symbol] = symbols;
  const slots = dynamic.relocations().filter((each) => each.symbol === symbol!.index);
  if (slots.length !== 1 || slots[0]!.type !== machine.jumpSlot) throw new Error(`${FUNCTION} is not only called`);
  const { at } = slots[0]!;
  file.writeBigUInt64LE(BigInt(machine.relative), at + 8);
  file.writeBigUInt64LE(BigInt(addCode(file, machine.code)), at + 16);
  file.writeUInt16LE(VERSIONS.global, symbol!.versionAt);
  file.copyWithin(entry.at, entry.at + 16, dynamic.end);
}

/** Behind the last bytes that may be executed, where the file is padded up to a page. Answers the address. */
function addCode(file: Buffer, code: Buffer): number {
  const loads = segmentsOf(file).filter(({ type }) => type === SEGMENT.load);
  const segment = loads.find(({ flags }) => (flags & SEGMENT.executable) !== 0)!;
  const gap = -(segment.address + segment.bytes) & 15;
  const from = segment.offset + segment.bytes + gap;
  const to = from + code.length;
  const next = loads.find(({ offset }) => offset > segment.offset)!;
  if (to > next.offset || file.subarray(from - gap, to).some((byte) => byte !== 0)) throw new Error('No room for code');
  code.copy(file, from);
  const bytes = BigInt(to - segment.offset);
  file.writeBigUInt64LE(bytes, segment.header + 0x20);
  file.writeBigUInt64LE(bytes, segment.header + 0x28);
  return segment.address + from - segment.offset;
}

/** Takes the library off the list of versions (.gnu.version_r). Answers the number that its symbols have there. */
function takeVersionsOff(file: Buffer, dynamic: Dynamic): number {
  let previous: number | undefined;
  let at = dynamic.offset(VERSIONS.needed);
  for (let left = dynamic.value(VERSIONS.neededCount); left > 0; left--) {
    const next = file.readUInt32LE(at + 12);
    if (dynamic.string(file.readUInt32LE(at + 4)) !== LIBRARY) {
      previous = at;
      at += next;
      continue;
    }
    if (file.readUInt16LE(at + 2) !== 1 || next === 0) throw new Error('Versions are not as they were');
    const version = file.readUInt16LE(at + file.readUInt32LE(at + 8) + 6);
    if (previous !== undefined) file.writeUInt32LE(file.readUInt32LE(previous + 12) + next, previous + 12);
    else {
      // the list begins here: the next entry moves to this place, and what it says is so much further on
      file.copyWithin(at, at + next, at + next + 16);
      file.writeUInt32LE(file.readUInt32LE(at + 8) + next, at + 8);
      if (file.readUInt32LE(at + 12) !== 0) file.writeUInt32LE(file.readUInt32LE(at + 12) + next, at + 12);
    }
    const count = dynamic.value(VERSIONS.neededCount) - 1;
    file.writeBigUInt64LE(BigInt(count), dynamic.find(VERSIONS.neededCount) + 8);
    // the same number once more, for tools that read sections
    const section = sectionsOf(file).find((header) => header.readUInt32LE(4) === VERSIONS.needed);
    section?.writeUInt32LE(count, 0x2c);
    return version;
  }
  throw new Error(`${LIBRARY} has no versions`);
}

/** What the loader reads: PT_DYNAMIC and what it points to. */
class Dynamic {
  readonly #file: Buffer;
  readonly #segments: readonly Segment[];
  readonly #start: number;
  readonly end: number;

  constructor(file: Buffer) {
    this.#file = file;
    this.#segments = segmentsOf(file);
    const { offset, bytes } = this.#segments.find(({ type }) => type === SEGMENT.dynamic)!;
    [this.#start, this.end] = [offset, offset + bytes];
  }

  find(tag: number): number {
    for (let at = this.#start; at < this.end; at += 16) if (number(this.#file, at) === tag) return at;
    throw new Error(`No entry ${tag}`);
  }

  value(tag: number): number {
    return number(this.#file, this.find(tag) + 8);
  }

  /** in the file */
  offset(tag: number): number {
    const address = this.value(tag);
    const segment = this.#segments.find(
      (each) => each.type === SEGMENT.load && address >= each.address && address < each.address + each.bytes,
    )!;
    return segment.offset + address - segment.address;
  }

  string(index: number): string {
    const from = this.offset(DYNAMIC.stringTable) + index;
    return this.#file.toString('latin1', from, this.#file.indexOf(0, from));
  }

  libraries(): { at: number; name: string }[] {
    const libraries: { at: number; name: string }[] = [];
    for (let at = this.#start; number(this.#file, at) !== DYNAMIC.end; at += 16) {
      if (number(this.#file, at) !== DYNAMIC.needed) continue;
      libraries.push({ at, name: this.string(number(this.#file, at + 8)) });
    }
    return libraries;
  }

  /** those of this version; the string table lies behind the symbols */
  symbolsOf(version: number): { index: number; name: string; versionAt: number }[] {
    const symbols: { index: number; name: string; versionAt: number }[] = [];
    const [from, versions] = [this.offset(DYNAMIC.symbolTable), this.offset(VERSIONS.symbols)];
    const count = (this.offset(DYNAMIC.stringTable) - from) / 24;
    for (let index = 0; index < count; index++) {
      const versionAt = versions + 2 * index;
      if (this.#file.readUInt16LE(versionAt) !== version) continue;
      symbols.push({ index, name: this.string(this.#file.readUInt32LE(from + index * 24)), versionAt });
    }
    return symbols;
  }

  relocations(): { at: number; symbol: number; type: number }[] {
    const relocations: { at: number; symbol: number; type: number }[] = [];
    const tables = [
      [DYNAMIC.relocations, DYNAMIC.relocationBytes],
      [DYNAMIC_PLT.relocations, DYNAMIC_PLT.bytes],
    ] as const;
    for (const [table, bytes] of tables) {
      const from = this.offset(table);
      for (let at = from; at < from + this.value(bytes); at += 24) {
        relocations.push({ at, type: this.#file.readUInt32LE(at + 8), symbol: this.#file.readUInt32LE(at + 12) });
      }
    }
    return relocations;
  }
}

function segmentsOf(file: Buffer): Segment[] {
  const [start, size, count] = [number(file, 0x20), file.readUInt16LE(0x36), file.readUInt16LE(0x38)];
  return Array.from({ length: count }, (_, index) => {
    const header = start + index * size;
    const [offset, address, bytes] = [0x08, 0x10, 0x20].map((at) => number(file, header + at)) as [
      number,
      number,
      number,
    ];
    return { header, type: file.readUInt32LE(header), flags: file.readUInt32LE(header + 4), offset, address, bytes };
  });
}

/** Headers of sections, as views of the file. */
function sectionsOf(file: Buffer): Buffer[] {
  const [start, size, count] = [number(file, 0x28), file.readUInt16LE(0x3a), file.readUInt16LE(0x3c)];
  return Array.from({ length: count }, (_, at) => file.subarray(start + at * size, start + (at + 1) * size));
}

/** 64 bits, little-endian, at a fixed address: what Node is, and what the edits above are for. */
function assertExecutable(file: Buffer): void {
  if (file.toString('latin1', 0, 6) !== '\x7fELF\x02\x01' || file.readUInt16LE(0x10) !== 2) {
    throw new Error('Not an executable of ELF with 64 bits at a fixed address');
  }
}

function number(file: Buffer, at: number): number {
  return Number(file.readBigUInt64LE(at));
}

function words(...values: number[]): Buffer {
  const code = Buffer.alloc(values.length * 4);
  for (const [at, value] of values.entries()) code.writeUInt32LE(value, at * 4);
  return code;
}
