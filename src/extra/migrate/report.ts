// The output of `vestibule copy`: a progress bar at a terminal, otherwise a line every 10 %, and finally the counts for
// each room with what was skipped and why.

import { AppError } from '../../errors.ts';

const BAR_WIDTH = 30;
const REDRAW_MS = 100;
/** errors after which the run cannot continue */
const FATAL: ReadonlySet<string> = new Set([
  'backend_lost',
  'backend_protocol',
  'backend_timeout',
  'backend_unreachable',
  'internal', // a local write failed
]);

export interface RoomReport {
  /** a message at the source */
  found(): void;
  copied(): void;
  wasThere(): void;
  /** The message, user or room was skipped. */
  skip(reason: string): void;
  /** Something other than a message was lost. */
  lose(what: string): void;
}

export interface Report {
  /** Adds a row, which is listed only if it has messages or events. */
  room(name: string): RoomReport;
  madeUser(): void;
  note(text: string): void;
  /** Processing continues with this room. */
  at(room: RoomReport): void;
  /** Removes the progress bar before other output. */
  wipe(): void;
  /** The final lines; `isComplete`: nothing was skipped. */
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

/** `write` receives progress output. */
export function openReport(write: (text: string) => void, isTerminal: boolean): Report {
  const rows: Row[] = [];
  const names = new Map<RoomReport, string>();
  const notes: string[] = [];
  let made = 0;
  let total = 0;
  let passed = 0;
  let drawnAt = 0;
  let toldTenths = 0;
  let current = '';
  /** pending redraw after a rate-limited update */
  let redraw: NodeJS.Timeout | undefined;

  const show = (): void => {
    clearTimeout(redraw);
    redraw = undefined;
    drawnAt = Date.now();
    const share = Math.min(1, passed / Math.max(1, total));
    const bar = '#'.repeat(Math.round(share * BAR_WIDTH)).padEnd(BAR_WIDTH, '.');
    write(`\r[${bar}] ${passed} of ${total}  ${printable(current).slice(0, 30)}\x1b[K`);
  };
  const wipe = (): void => {
    clearTimeout(redraw);
    redraw = undefined;
    if (drawnAt > 0) write('\r\x1b[K');
    drawnAt = 0;
  };
  const draw = (name: string): void => {
    current = name;
    if (!isTerminal) {
      const tenths = Math.floor((Math.min(passed, total) * 10) / Math.max(1, total));
      if (tenths <= toldTenths) return;
      toldTenths = tenths;
      write(`${tenths * 10} %: ${passed} of ${total} messages\n`);
      return;
    }
    const waitMs = drawnAt + REDRAW_MS - Date.now();
    if (passed >= total || waitMs <= 0) show();
    else redraw ??= setTimeout(show, waitMs).unref();
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
          const isMessage = row.found > row.copied + row.there + row.skipped;
          row.skipped++;
          reason(text);
          if (isMessage) pass();
        },
        lose: (what) => void reason(`lost: ${what}`),
      };
      names.set(report, name);
      return report;
    },
    madeUser: () => void made++,
    note: (text) => void notes.push(text),
    at: (room) => draw(names.get(room) ?? ''),
    wipe,
    close() {
      wipe();
      const shown = rows.filter(({ found, reasons }) => found > 0 || reasons.size > 0);
      const lines = [`${made} accounts created`, 'source\tcopied\tpresent\tskipped\troom'];
      for (const { name, found, copied, there, skipped, reasons } of shown) {
        lines.push([found, copied, there, skipped, printable(name)].join('\t'));
        for (const [text, count] of reasons) lines.push(`\t${count > 1 ? `${count} times: ` : ''}${printable(text)}`);
      }
      const sum = (of: 'found' | 'copied' | 'there' | 'skipped') => rows.reduce((all, row) => all + row[of], 0);
      lines.push([sum('found'), sum('copied'), sum('there'), sum('skipped'), 'total'].join('\t'));
      lines.push(...notes);
      return { lines, isComplete: rows.every(({ skipped }) => skipped === 0) };
    },
  };
}

/** Names from room servers must not contain terminal control characters. */
function printable(text: string): string {
  return text.replace(/\p{Cc}/gu, '?');
}

/** Reports the failure of one room, user or message, so that the run continues. */
export async function skipping(report: RoomReport, run: () => Promise<void>): Promise<void> {
  try {
    await run();
  } catch (error) {
    if (!(error instanceof AppError) || FATAL.has(error.code)) throw error;
    report.skip(error.message);
  }
}
