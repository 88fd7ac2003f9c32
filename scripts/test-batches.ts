// Which test files share a process, for scripts/test.ts. Most of a short file's time goes into the start of a process
// and the loading of the product: the files of a folder share one, and those that count steps have one each.

import { globSync } from 'node:fs';

/** The test files of one process, in their order. */
export interface Batch {
  name: string;
  files: string[];
}

interface Run {
  /** below test/; '.': the files in test/ itself */
  folders: readonly string[];
  /** how the names of the files end */
  ending: string;
  /** of one process: enough for its start, and few enough that no core is idle at the end */
  mostFiles: number;
  /** processes side by side for each core: tests that wait for a time to pass leave it to others */
  perCore: number;
}

/**
 * What `npm run test:…` runs: what starts servers, many of them open at once; what does not; and real clients and the
 * web client in a browser, of which each has the machine as other programs would leave it.
 */
export const RUNS = {
  parts: {
    folders: ['e2e', 'contract', 'room-server', 'gateway', 'growth', 'fuzz', 'static', 'scripts', 'support'],
    ending: '.test.ts',
    mostFiles: 16,
    perCore: 2,
  },
  unit: {
    folders: [
      'backend',
      'mime',
      'dav',
      'http',
      'html',
      'protocol',
      'system',
      'telemetry',
      'limits',
      'api',
      'render',
      'cli',
      'extra',
      'fleet',
      'serve',
      '.',
    ],
    ending: '.test.ts',
    mostFiles: 64,
    perCore: 2,
  },
  clients: { folders: ['e2e', 'scripts'], ending: '.clients.ts', mostFiles: 1, perCore: 1 },
  browser: { folders: ['e2e', 'static'], ending: '.browser.ts', mostFiles: 1, perCore: 1 },
} satisfies Record<string, Run>;

export type RunName = keyof typeof RUNS;
/** npm test */
export const USUAL_RUNS: readonly RunName[] = ['parts', 'unit'];

/**
 * V8 counts the blocks of a whole process for them (test/support/steps.ts, test/fuzz/coverage.ts), which slows down
 * everything in it.
 */
const COUNTING = [
  'test/growth/**/*.test.ts',
  'test/fuzz/**/*.test.ts',
  'test/backend/wire/short-lines.test.ts',
  'test/support/steps.test.ts',
  'test/system/bytes.test.ts',
];

/** The batches of a run of the tests below `root`, in which each of its files is once. */
export function batchesOf(run: RunName, root: string): Batch[] {
  const find = (patterns: string | string[]) => globSync(patterns, { cwd: root }).sort();
  const counting = new Set(find(COUNTING));
  const { folders, ending, mostFiles } = RUNS[run];
  return folders.flatMap((folder) => {
    const files = find(folder === '.' ? `test/*${ending}` : `test/${folder}/**/*${ending}`);
    const own = files.filter((file) => counting.has(file));
    const shared = files.filter((file) => !counting.has(file));
    return [
      ...own.map((file) => ({ name: file, files: [file] })),
      ...evenly(shared, mostFiles).map((files) => ({ name: named(files), files })),
    ];
  });
}

/** As few parts as hold at most `most` each, of about the same length. */
function evenly<T>(list: readonly T[], most: number): T[][] {
  const parts = Math.ceil(list.length / most);
  return Array.from({ length: parts }, (_, part) =>
    list.slice(Math.round((part * list.length) / parts), Math.round(((part + 1) * list.length) / parts)),
  );
}

function named(files: readonly string[]): string {
  return files.length === 1 ? files[0]! : `${files[0]} … ${files.at(-1)}`;
}
