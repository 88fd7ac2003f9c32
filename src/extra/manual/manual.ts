// The manual page, vestibule(1), made from the tables of commands and options, in the language of man(7).

import { COMMANDS } from '../../cli/command-table.ts';
import { helpOf, OPTIONS, type Option, SECRETS, type SecretName } from '../../cli/option-table.ts';
import { variableOf } from '../../cli/settings.ts';

/** roff, with a line feed at the end; `version` as package.json has it. */
export function manualPage(version: string): string {
  const options = (of: Option['command']) =>
    Object.entries<Option>(OPTIONS)
      .filter(([, { command }]) => command === of)
      .map(([name, option]) =>
        entry(
          option.value === undefined ? `.B ${roff(`--${name}`)}` : `.BI ${roff(`--${name}`)} " ${roff(option.value)}"`,
          option.isLive ? `${helpOf(option)}; live` : helpOf(option),
        ),
      );
  return `${[
    `.TH VESTIBULE 1 "" "vestibule ${roff(version)}" "User Commands"`,
    '.SH NAME',
    'vestibule \\- a web gateway to a room-based messaging server',
    '.SH SYNOPSIS',
    ...COMMANDS.flatMap(({ usage }) => ['.br', '.B vestibule', roff(usage)]).slice(1),
    '.SH DESCRIPTION',
    'Browsers, scripts and DAV clients speak HTTP to Vestibule; it speaks the Citadel line protocol to the room server',
    'behind it: its own, kept in SQLite, or with',
    '.B \\-\\-backend',
    'a Citadel server.',
    '.SH COMMANDS',
    ...COMMANDS.map(({ usage, does }) => entry(`.B ${roff(usage)}`, does)),
    '.SH OPTIONS',
    'Defaults are in parentheses. Live options are reloaded on SIGHUP; the others need a restart.',
    ...options(undefined),
    entry('.B \\-\\-help', 'show this, in short'),
    entry('.B \\-\\-version', 'show the version'),
    ...(['user add', 'doctor', 'copy'] as const).flatMap((command) => [
      `.SS With vestibule ${command}`,
      ...options(command),
    ]),
    '.SH ENVIRONMENT',
    'Each option can also be set in a variable,',
    '.B VESTIBULE_PORT=8080\nor\n.BR VESTIBULE_DEMO=1 ,',
    'and in the JSON file of',
    '.BR \\-\\-config ;',
    'the command line wins, then the environment. Only in the environment or in that file:',
    ...Object.entries(SECRETS).map(([name, about]) => entry(`.B ${variableOf(name as SecretName)}`, about)),
    'Only in the environment:',
    entry(
      '.B VESTIBULE_PASSWORD',
      'for user add and user passwd (default: read from standard input), and for doctor --user',
    ),
    entry('.B VESTIBULE_FROM_PASSWORD, VESTIBULE_TO_PASSWORD', 'for --from-user and --to-user of copy'),
    '.SH SIGNALS',
    entry(
      '.B SIGTERM, SIGINT',
      'stop accepting requests and let running ones finish within --drain-seconds; a second signal exits at once',
    ),
    entry('.B SIGHUP', 'reload the options'),
    '.SH EXIT STATUS',
    entry('.B 0', 'done'),
    entry('.B 1', 'it could not start, or not do it; with doctor and check: something is wrong'),
    entry('.B 2', 'wrong usage'),
    '.SH FILES',
    entry('.I ./data', 'everything that is kept, unless --data says otherwise'),
    '.SH SEE ALSO',
    'The guide, which each server has at',
    '.IR http://127.0.0.1:8080/svc/s/guide/ .',
  ].join('\n')}\n`;
}

function entry(head: string, text: string): string {
  return `.TP\n${head}\n${roff(text)}`;
}

/** Text that means only itself: hyphens that can be copied, no control line, no escape. */
function roff(text: string): string {
  return text
    .replaceAll('\\', '\\e')
    .replaceAll('-', '\\-')
    .replace(/^(?=[.'])/gm, '\\&')
    .replaceAll('"', '\\(dq');
}
