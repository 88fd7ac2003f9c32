// When the source was last changed: what stands for the time of a build, so that the same source gives the same bytes.

import { execFileSync } from 'node:child_process';
import { readdirSync, statSync } from 'node:fs';

/** Unix seconds: SOURCE_DATE_EPOCH, else the last commit, else the newest file of static/. Runs in the repository. */
export function sourceTimeSeconds(): number {
  const given = process.env.SOURCE_DATE_EPOCH;
  if (given) return Number(given);
  try {
    const stdio: ['ignore', 'pipe', 'ignore'] = ['ignore', 'pipe', 'ignore'];
    return Number(execFileSync('git', ['log', '-1', '--format=%ct'], { stdio }));
  } catch {
    const files = readdirSync('static', { recursive: true, encoding: 'utf8' });
    return Math.max(0, ...files.map((path) => Math.floor(statSync(`static/${path}`).mtimeMs / 1000)));
  }
}
