// The commands: words, arguments, what each does, which options go with it. --help, the completion of shells and the
// manual page are made from it.

export interface Command {
  /** its words: `user add`; serve is what runs where none is given */
  name: string;
  /** as --help shows them */
  usage: string;
  does: string;
  /** options it takes: all of the server, those that find the data folder, none; beside those that name it */
  options: 'serve' | 'data' | 'none';
  /** what may stand behind its words: a file, or one of these */
  takes?: 'file' | readonly string[];
}

export const SHELLS = ['bash', 'zsh', 'fish'] as const;
export type Shell = (typeof SHELLS)[number];

/** In the order of --help. */
export const COMMANDS: readonly Command[] = [
  {
    name: 'serve',
    usage: '[serve] [options]',
    does: 'run the gateway, with its own room server if no other is named',
    options: 'serve',
  },
  {
    name: 'config',
    usage: 'config [options]',
    does: 'print what these options come to, and where each is from; no secret',
    options: 'serve',
  },
  {
    name: 'doctor',
    usage: 'doctor [options]',
    does: 'see whether the server that runs with these options is well; 0: yes, 1: no',
    options: 'serve',
  },
  {
    name: 'user add',
    usage: 'user add NAME [--admin]',
    does: 'make a user of the embedded room server',
    options: 'data',
  },
  { name: 'user passwd', usage: 'user passwd NAME', does: 'change a password', options: 'data' },
  { name: 'user list', usage: 'user list', does: 'list them', options: 'data' },
  { name: 'user remove', usage: 'user remove NAME', does: 'remove one', options: 'data' },
  {
    name: 'user add-app',
    usage: 'user add-app NAME APP SCOPE',
    does: 'make an app password for a program: read, dav or all',
    options: 'data',
  },
  {
    name: 'user apps',
    usage: 'user apps NAME',
    does: 'list app passwords and feeds of a user',
    options: 'data',
  },
  { name: 'user remove-app', usage: 'user remove-app NAME NUMBER', does: 'revoke one', options: 'data' },
  {
    name: 'backup',
    usage: 'backup FILE',
    does: 'copy everything into a new file, while the server runs or not',
    options: 'data',
    takes: 'file',
  },
  {
    name: 'check',
    usage: 'check [FILE]',
    does: 'see whether everything is sound, here or in a backup; 0: yes, 1: no',
    options: 'data',
    takes: 'file',
  },
  {
    name: 'copy',
    usage: 'copy --from A --to B',
    does: 'copy one room server into another; again: what is missing there',
    options: 'none',
  },
  {
    name: 'compact',
    usage: 'compact',
    does: 'give unused space back; the server must not run',
    options: 'data',
  },
  {
    name: 'completion',
    usage: `completion ${SHELLS.join('|')}`,
    does: 'print what lets this shell complete these words',
    options: 'none',
    takes: SHELLS,
  },
  { name: 'man', usage: 'man', does: 'print the manual page: vestibule man | man -l -', options: 'none' },
];

/** The words that a command begins with, each once: `user`, not `user add`. */
export const COMMAND_WORDS: readonly string[] = [...new Set(COMMANDS.map(({ name }) => name.split(' ')[0]!))];

/** Begins a further process of --workers; only the first one says it. */
export const WORKER_COMMAND = 'worker';
