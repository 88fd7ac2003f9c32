// What `vestibule copy` tells: a line that fills at a terminal, a line every tenth elsewhere, and at the end a count for
// each room, with what was left behind and why.

const BAR_WIDTH = 30;
const REDRAW_MS = 100;

export interface RoomReport {
  /** a message on the source */
  found(): void;
  copied(): void;
  wasThere(): void;
  /** The message, the user or the whole room stays behind. */
  skip(reason: string): void;
  /** Something of the room stays behind that is no message. */
  lose(what: string): void;
}

export interface Report {
  /** Rooms, users and floors that nothing happens to are not listed, unless they have messages. */
  room(name: string): RoomReport;
  madeUser(): void;
  note(text: string): void;
  /** The next message is one of this room. */
  at(room: RoomReport): void;
  /** Closing lines; `isComplete`: nothing was skipped. */
  close(): { lines: string[]; isComplete: boolean };
}

interface Row {
  name: string;
  found: number;
  copied: number;
  there: number;
  skipped: number;
  reasons: Map<string, number>;
}

/** `write` gets pieces of what is shown meanwhile. */
export function openReport(write: (text: string) => void, isTerminal: boolean): Report {
  const rows: Row[] = [];
  const names = new Map<RoomReport, string>();
  const notes: string[] = [];
  let made = 0;
  let total = 0;
  let passed = 0;
  let drawnAt = 0;
  let toldTenths = 0;

  const draw = (name: string): void => {
    const share = Math.min(1, passed / Math.max(1, total));
    if (!isTerminal) {
      if (Math.floor(share * 10) <= toldTenths) return;
      toldTenths = Math.floor(share * 10);
      write(`${toldTenths * 10} %: ${passed} of ${total} messages\n`);
      return;
    }
    if (passed < total && Date.now() - drawnAt < REDRAW_MS) return;
    drawnAt = Date.now();
    const filled = Math.round(share * BAR_WIDTH);
    const bar = '#'.repeat(filled).padEnd(BAR_WIDTH, '.');
    write(`\r[${bar}] ${passed} of ${total}  ${printable(name).slice(0, 30)}\x1b[K`);
  };

  return {
    room(name) {
      const row: Row = { name, found: 0, copied: 0, there: 0, skipped: 0, reasons: new Map() };
      rows.push(row);
      const reason = (text: string) => row.reasons.set(text, (row.reasons.get(text) ?? 0) + 1);
      const pass = (): void => {
        passed++;
        draw(name);
      };
      const report: RoomReport = {
        found() {
          row.found++;
          total++;
        },
        copied() {
          row.copied++;
          pass();
        },
        wasThere() {
          row.there++;
          pass();
        },
        skip(text) {
          row.skipped++;
          reason(text);
          pass();
        },
        lose: (what) => void reason(`not kept: ${what}`),
      };
      names.set(report, name);
      return report;
    },
    madeUser: () => void made++,
    note: (text) => void notes.push(text),
    at: (room) => draw(names.get(room) ?? ''),
    close() {
      if (isTerminal) write('\r\x1b[K');
      const shown = rows.filter(({ found, reasons }) => found > 0 || reasons.size > 0);
      const lines = [`${made} accounts made`, 'source\tcopied\tthere\tskipped\troom'];
      for (const { name, found, copied, there, skipped, reasons } of shown) {
        lines.push([found, copied, there, skipped, printable(name)].join('\t'));
        for (const [text, count] of reasons) lines.push(`\t${count > 1 ? `${count} times: ` : ''}${printable(text)}`);
      }
      const sum = (of: 'found' | 'copied' | 'there' | 'skipped') => rows.reduce((all, row) => all + row[of], 0);
      lines.push([sum('found'), sum('copied'), sum('there'), sum('skipped'), 'in all'].join('\t'));
      lines.push(...notes);
      return { lines, isComplete: rows.every(({ skipped }) => skipped === 0) };
    },
  };
}

/** Names come from the room servers: no control character reaches the terminal. */
function printable(text: string): string {
  return text.replace(/\p{Cc}/gu, '?');
}
