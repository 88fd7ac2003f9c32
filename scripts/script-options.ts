// The options of a script. An unknown option, and --help, end it with the comment that the script begins with.

import { readFileSync } from 'node:fs';
import { type ParseArgsOptionsConfig, parseArgs } from 'node:util';

type Values<T extends ParseArgsOptionsConfig> = ReturnType<typeof parseArgs<{ options: T }>>['values'];

/** `script`: its own path, import.meta.filename. */
export function scriptOptions<T extends ParseArgsOptionsConfig>(script: string, options: T): Values<T> {
  const about = /^(\/\/.*\n)+/.exec(readFileSync(script, 'utf8'))![0].replace(/^\/\/ /gm, '');
  if (process.argv.includes('--help')) {
    process.stdout.write(about);
    process.exit(0);
  }
  try {
    return parseArgs({ options }).values as Values<T>;
  } catch (error) {
    process.stderr.write(`${(error as Error).message}\n\n${about}`);
    process.exit(2);
  }
}
