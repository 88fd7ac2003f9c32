// The commands: name, arguments, help, and the options that go with each. --help, shell completion and the manual page
// are generated from this table.

export interface Command {
  /** `user add`; `serve` runs when no command is given */
  name: string;
  /** as shown by --help */
  usage: string;
  does: string;
  /** accepted options: those of the server, those that locate the data folder, or none; plus the command's own */
  options: 'serve' | 'data' | 'none';
  /** the kind of its argument: a file, or one of these words */
  takes?: 'file' | readonly string[];
}

export const SHELLS = ['bash', 'zsh', 'fish'] as const;
export type Shell = (typeof SHELLS)[number];

/** In the order of --help. */
export const COMMANDS: readonly Command[] = [
  {
    name: 'serve',
    usage: '[serve] [options]',
    does: 'run the gateway, with the embedded room server unless --backend is given',
    options: 'serve',
  },
  {
    name: 'config',
    usage: 'config [options]',
    does: 'print the effective options and where each comes from; secrets are hidden',
    options: 'serve',
  },
  {
    name: 'doctor',
    usage: 'doctor [options]',
    does: 'check the running server that has these options; exit code 0: healthy, 1: not',
    options: 'serve',
  },
  {
    name: 'user add',
    usage: 'user add NAME [--admin]',
    does: 'create a user of the embedded room server',
    options: 'data',
  },
  { name: 'user passwd', usage: 'user passwd NAME', does: 'change a password', options: 'data' },
  { name: 'user list', usage: 'user list', does: 'list the users', options: 'data' },
  { name: 'user remove', usage: 'user remove NAME', does: 'delete a user', options: 'data' },
  {
    name: 'user add-app',
    usage: 'user add-app NAME APP SCOPE',
    does: 'create an app password; SCOPE is read, dav or all',
    options: 'data',
  },
  {
    name: 'user apps',
    usage: 'user apps NAME',
    does: 'list the app passwords and feeds of a user',
    options: 'data',
  },
  { name: 'user remove-app', usage: 'user remove-app NAME NUMBER', does: 'revoke an app password', options: 'data' },
  {
    name: 'backup',
    usage: 'backup FILE',
    does: 'back up everything to a new file; the server may be running',
    options: 'data',
    takes: 'file',
  },
  {
    name: 'check',
    usage: 'check [FILE]',
    does: 'check the data folder or a backup for damage; exit code 0: sound, 1: not',
    options: 'data',
    takes: 'file',
  },
  {
    name: 'copy',
    usage: 'copy --from A --to B',
    does: 'copy one room server to another; run again to copy what is missing',
    options: 'none',
  },
  {
    name: 'compact',
    usage: 'compact',
    does: 'shrink the database file; the server must be stopped',
    options: 'data',
  },
  {
    name: 'completion',
    usage: `completion ${SHELLS.join('|')}`,
    does: 'print the completion script for this shell',
    options: 'none',
    takes: SHELLS,
  },
  { name: 'man', usage: 'man', does: 'print the manual page: vestibule man | man -l -', options: 'none' },
];

/** First words of the commands, without duplicates: `user`, not `user add`. */
export const COMMAND_WORDS: readonly string[] = [...new Set(COMMANDS.map(({ name }) => name.split(' ')[0]!))];

/** Internal: starts a further process of --workers. */
export const WORKER_COMMAND = 'worker';
