// The manual page vestibule(1), in man(7) macros, and shell completion. Both are generated from the tables of commands
// and options.

import { COMMAND_WORDS, COMMANDS, type Command, type Shell } from '../../cli/command-table.ts';
import { helpOf, OPTIONS, type Option, SECRETS, type SecretName } from '../../cli/option-table.ts';
import { variableOf } from '../../cli/settings.ts';

/** roff; `version`: of package.json. */
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
    'Browsers, scripts and DAV clients speak HTTP to Vestibule. Vestibule speaks the Citadel line protocol to a room',
    'server: the embedded one, which stores its data in SQLite, or with',
    '.B \\-\\-backend',
    'a Citadel server.',
    '.SH COMMANDS',
    ...COMMANDS.map(({ usage, does }) => entry(`.B ${roff(usage)}`, does)),
    '.SH OPTIONS',
    'Defaults are in parentheses. Live options are reloaded on SIGHUP; the others need a restart.',
    ...options(undefined),
    entry('.B \\-\\-help', 'show a summary'),
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
    entry('.B 0', 'success'),
    entry('.B 1', 'failure; with doctor and check: a problem was found'),
    entry('.B 2', 'invalid arguments'),
    '.SH FILES',
    entry('.I ./data', 'all data (--data sets another folder)'),
    '.SH SEE ALSO',
    'The guide, on each server at',
    '.IR http://127.0.0.1:8080/svc/s/guide/ .',
  ].join('\n')}\n`;
}

function entry(head: string, text: string): string {
  return `.TP\n${head}\n${roff(text)}`;
}

/** Escapes text: plain hyphens, no control lines, no escapes. */
function roff(text: string): string {
  return text
    .replaceAll('\\', '\\e')
    .replaceAll('-', '\\-')
    .replace(/^(?=[.'])/gm, '\\&')
    .replaceAll('"', '\\(dq');
}

/** What the shell offers as the value of an option: the placeholder in --help decides. */
function valuesOf({ value, choices }: Option): 'file' | 'folder' | readonly string[] | undefined {
  if (choices !== undefined) return choices;
  if (value === undefined) return undefined;
  return value === 'FILE' ? 'file' : value === 'DIR' ? 'folder' : [];
}

const OPTION_ROWS = Object.entries<Option>(OPTIONS);
/** commands with a subcommand, such as `user` */
const SECOND_WORDS = COMMAND_WORDS.map((first) => ({
  first,
  words: COMMANDS.flatMap(({ name, takes }) => {
    const [word, second] = name.split(' ');
    if (word !== first) return [];
    return second ?? (typeof takes === 'object' ? takes : []);
  }),
})).filter(({ words }) => words.length > 0);

/** The completion script of a shell. */
export function completionScript(shell: Shell): string {
  return { bash: bashScript, zsh: zshScript, fish: fishScript }[shell]();
}

function bashScript(): string {
  const withValues = (kind: 'file' | 'folder') =>
    OPTION_ROWS.filter(([, option]) => valuesOf(option) === kind).map(([name]) => `--${name}`);
  const choices = OPTION_ROWS.flatMap(([name, option]) => {
    const values = valuesOf(option);
    if (values === undefined || typeof values === 'string') return [];
    return `    --${name}) COMPREPLY=($(compgen -W '${values.join(' ')}' -- "$word")); return ;;`;
  });
  const optionCases = COMMANDS.map((command) => {
    const names = optionsOf(command).map(([name]) => `--${name}`);
    return `    '${command.name}') options='${names.join(' ')}' ;;`;
  });
  const files = COMMANDS.filter(({ takes }) => takes === 'file').map(({ name }) => `'${name}'`);
  return `# Completion of vestibule for bash. To install it:
#   vestibule completion bash > ~/.local/share/bash-completion/completions/vestibule

_vestibule() {
  local word=\${COMP_WORDS[COMP_CWORD]} before=\${COMP_WORDS[COMP_CWORD-1]} words=() command options at
  case $before in
    ${withValues('file').join('|')}) COMPREPLY=($(compgen -f -- "$word")); return ;;
    ${withValues('folder').join('|')}) COMPREPLY=($(compgen -d -- "$word")); return ;;
${choices.join('\n')}
  esac
  for ((at = 1; at < COMP_CWORD; at++)); do
    case \${COMP_WORDS[at]} in
      ${OPTION_ROWS.filter(([, { value }]) => value !== undefined)
        .map(([name]) => `--${name}`)
        .join('|')}) at=$((at + 1)) ;;
      -*) ;;
      *) words+=("\${COMP_WORDS[at]}") ;;
    esac
  done
  if [[ \${#words[@]} -eq 0 && $word != -* ]]; then
    COMPREPLY=($(compgen -W '${COMMAND_WORDS.join(' ')}' -- "$word"))
    return
  fi
  command=\${words[0]:-serve}
  case $command in
${SECOND_WORDS.map(
  ({ first, words }) => `    ${first})
      if [[ \${#words[@]} -eq 1 && $word != -* ]]; then
        COMPREPLY=($(compgen -W '${words.join(' ')}' -- "$word"))
        return
      fi
      ;;`,
).join('\n')}
  esac
  if [[ $command == user ]]; then command="user \${words[1]}"; fi
  case $command in
${optionCases.join('\n')}
    *) options= ;;
  esac
  if [[ $word == -* ]]; then
    COMPREPLY=($(compgen -W "$options --help --version" -- "$word"))
    return
  fi
  case $command in
    ${files.join('|')}) COMPREPLY=($(compgen -f -- "$word")) ;;
  esac
}
complete -o filenames -F _vestibule vestibule
`;
}

function zshScript(): string {
  const spec = ([name, option]: [string, Option]) => {
    const values = valuesOf(option);
    const help = zshText(option.help);
    if (values === undefined) return `'--${name}[${help}]'`;
    const action = values === 'file' ? '_files' : values === 'folder' ? '_files -/' : `(${values.join(' ')})`;
    return `'--${name}=[${help}]:${zshText(option.value!)}:${values.length === 0 ? ' ' : action}'`;
  };
  const cases = COMMANDS.map((command) => {
    const { name, takes } = command;
    const specs = optionsOf(command).map(spec);
    if (takes === 'file') specs.push("'1:FILE:_files'");
    else if (takes !== undefined) specs.push(`'1:word:(${takes.join(' ')})'`);
    return `    '${name}')\n      _arguments ${['--help', ...specs].join(' \\\n        ')} ;;`;
  });
  const described = (first: string) =>
    COMMANDS.flatMap(({ name, does }) => {
      const [word, second] = name.split(' ');
      if (first === '') return second === undefined ? [`'${name}:${zshText(does)}'`] : [];
      return word === first && second !== undefined ? [`'${second}:${zshText(does)}'`] : [];
    });
  return `#compdef vestibule
# Completion of vestibule for zsh. To install it in a folder of $fpath:
#   vestibule completion zsh > ~/.zfunc/_vestibule

local -a commands users
commands=(
  ${[...described(''), "'user:accounts of the embedded room server'"].join('\n  ')}
)
users=(
  ${described('user').join('\n  ')}
)
local command=serve
if (( CURRENT > 2 )) && [[ $words[2] != -* ]]; then
  command=$words[2]
  shift words
  (( CURRENT-- ))
elif [[ $words[CURRENT] != -* && CURRENT -eq 2 ]]; then
  _describe command commands
  return
fi
if [[ $command == user ]]; then
  if (( CURRENT == 2 )); then
    _describe command users
    return
  fi
  command="user $words[2]"
  shift words
  (( CURRENT-- ))
fi
case $command in
${cases.join('\n')}
esac
`;
}

function fishScript(): string {
  const lines = COMMANDS.flatMap((command) => {
    const [first, second] = command.name.split(' ');
    const lines: string[] = [];
    const about = fishText(command.does);
    if (second === undefined) {
      lines.push(`complete -c vestibule -n __fish_use_subcommand -a ${first} -d '${about}'`);
    } else {
      const isFirst = `'__fish_seen_subcommand_from ${first}; and not __fish_seen_subcommand_from ${second}'`;
      lines.push(`complete -c vestibule -n ${isFirst} -a ${second} -d '${about}'`);
    }
    const seen = command.name.split(' ').map((word) => `__fish_seen_subcommand_from ${word}`);
    const place = command.name === 'serve' ? `${seen[0]}; or __fish_use_subcommand` : seen.join('; and ');
    const { takes } = command;
    if (takes === 'file') lines.push(`complete -c vestibule -n '${place}' -F`);
    else if (takes !== undefined) lines.push(`complete -c vestibule -n '${place}' -a '${takes.join(' ')}'`);
    for (const [name, option] of optionsOf(command)) {
      const values = valuesOf(option);
      const kind = { file: ' -r -F', folder: " -x -a '(__fish_complete_directories)'" };
      const rest =
        values === undefined ? '' : typeof values === 'string' ? kind[values] : ` -x -a '${values.join(' ')}'`;
      lines.push(`complete -c vestibule -n '${place}' -l ${name}${rest} -d '${fishText(option.help)}'`);
    }
    return lines;
  });
  return `# Completion of vestibule for fish. To install it:
#   vestibule completion fish > ~/.config/fish/completions/vestibule.fish

complete -c vestibule -f
complete -c vestibule -n __fish_use_subcommand -a user -d 'accounts of the embedded room server'
complete -c vestibule -l help -d 'show what there is'
complete -c vestibule -l version -d 'show the version'
${lines.join('\n')}
`;
}

/** Escapes text inside the quotes and brackets of _arguments. */
function zshText(text: string): string {
  return text.replaceAll("'", "'\\''").replace(/[[\]:]/g, '\\$&');
}

function fishText(text: string): string {
  return text.replace(/['\\]/g, '\\$&');
}

/** The options of a command. */
function optionsOf({ name, options }: Command): [string, Option][] {
  return Object.entries<Option>(OPTIONS).filter(([option, { command }]) => {
    if (command !== undefined) return command === name;
    return options === 'serve' || (options === 'data' && (option === 'data' || option === 'config'));
  });
}
