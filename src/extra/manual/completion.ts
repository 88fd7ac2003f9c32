// Completion for shells, made from the tables of commands and options: after each command its options, for their values
// files, folders or the words that there are.

import { COMMAND_WORDS, COMMANDS, type Command, type Shell } from '../../cli/command-table.ts';
import { OPTIONS, type Option } from '../../cli/option-table.ts';

/** What stands for a value in --help says what the shell may offer for it. */
function valuesOf({ value, choices }: Option): 'file' | 'folder' | readonly string[] | undefined {
  if (choices !== undefined) return choices;
  if (value === undefined) return undefined;
  return value === 'FILE' ? 'file' : value === 'DIR' ? 'folder' : [];
}

const OPTION_ROWS = Object.entries<Option>(OPTIONS);
/** of first words that take another one: `user` */
const SECOND_WORDS = COMMAND_WORDS.map((first) => ({
  first,
  words: COMMANDS.flatMap(({ name, takes }) => {
    const [word, second] = name.split(' ');
    if (word !== first) return [];
    return second ?? (typeof takes === 'object' ? takes : []);
  }),
})).filter(({ words }) => words.length > 0);

/** The script that this shell is to read, with a line feed at the end. */
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
  return `# Completion of vestibule for bash. Put it where bash looks for it:
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
# Completion of vestibule for zsh. Put it into a folder of $fpath:
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
  return `# Completion of vestibule for fish. Put it where fish looks for it:
#   vestibule completion fish > ~/.config/fish/completions/vestibule.fish

complete -c vestibule -f
complete -c vestibule -n __fish_use_subcommand -a user -d 'accounts of the embedded room server'
complete -c vestibule -l help -d 'show what there is'
complete -c vestibule -l version -d 'show the version'
${lines.join('\n')}
`;
}

/** Inside quotes and the brackets of _arguments. */
function zshText(text: string): string {
  return text.replaceAll("'", "'\\''").replace(/[[\]:]/g, '\\$&');
}

function fishText(text: string): string {
  return text.replace(/['\\]/g, '\\$&');
}

/** The options that go with a command. */
function optionsOf({ name, options }: Command): [string, Option][] {
  return Object.entries<Option>(OPTIONS).filter(([option, { command }]) => {
    if (command !== undefined) return command === name;
    return options === 'serve' || (options === 'data' && (option === 'data' || option === 'config'));
  });
}
