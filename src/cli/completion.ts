import { Command as Parser } from 'commander';
import { type Command, UsageError } from './command.js';
import { COMMANDS } from './commands.js';

/** What may follow a command: its options, and the words that some of them take. */
interface Completed {
  readonly name: string;
  readonly summary: string;
  /** What a word next to the options may be. */
  readonly word: 'file' | readonly string[];
  readonly options: readonly {
    readonly flag: string;
    /** What comes behind it. */
    readonly takes: 'nothing' | 'file' | 'text';
    readonly words: readonly string[];
  }[];
}

/** `interlingua completion`: prints a script that completes commands, options, and the words they take. */
export const completion: Command = {
  completes: { word: ['bash', 'zsh', 'fish'] },
  describe(parser) {
    parser.argument('<shell>', Object.keys(SHELLS).join(', ')).addHelpText(
      'after',
      `
  bash  source <(interlingua completion bash)
  zsh   source <(interlingua completion zsh)
  fish  interlingua completion fish | source`,
    );
  },
  async run(_values, [shell = '']) {
    const known = Object.keys(SHELLS);
    const script = SHELLS[shell];
    if (script === undefined)
      throw new UsageError(`there are scripts for ${known.join(', ')}, not for ${shell}`, { word: shell, known });
    process.stdout.write(script(await describeAll()));
    return 0;
  },
};

async function describeAll(): Promise<readonly Completed[]> {
  const loaded = COMMANDS.map(async ({ name, summary, load }) => {
    const parser = new Parser(name);
    const { completes = {}, describe } = await load();
    describe(parser);
    const options = parser.options.map(({ long, flags, required, argChoices }): Completed['options'][number] => ({
      flag: long ?? '',
      takes: flags.includes('<file>') ? 'file' : required ? 'text' : 'nothing',
      words: argChoices ?? completes.options?.[long ?? ''] ?? [],
    }));
    options.push({ flag: '--help', takes: 'nothing', words: [] });
    const word: Completed['word'] = completes.word ?? (parser.registeredArguments.length > 0 ? 'file' : []);
    return { name, summary, word, options };
  });
  return Promise.all(loaded);
}

const SHELLS: Readonly<Record<string, (commands: readonly Completed[]) => string>> = Object.assign(
  Object.create(null),
  { bash, zsh, fish },
);

function namesOf(commands: readonly Completed[]): string {
  return commands.map(({ name }) => name).join(' ');
}

/** What follows the option before the word that is typed: one of its words, a file, or a text that nobody can complete. */
function casesOf(commands: readonly Completed[], words: (list: string) => string, files: string): string {
  return commands
    .flatMap(({ name, options }) =>
      options
        .filter(({ takes }) => takes !== 'nothing')
        .map((option) => {
          const answer =
            option.takes === 'file' ? files : option.words.length > 0 ? words(option.words.join(' ')) : ':';
          return `    ${name}:${option.flag}) ${answer}; return ;;`;
        }),
    )
    .join('\n');
}

/** What a word that is no option may be. */
function wordCases(commands: readonly Completed[], words: (list: string) => string, files: string): string {
  return commands
    .map(
      ({ name, word }) => `    ${name}) ${word === 'file' ? files : word.length > 0 ? words(word.join(' ')) : ':'} ;;`,
    )
    .join('\n');
}

function flagCases(commands: readonly Completed[], words: (list: string) => string): string {
  return commands
    .map(({ name, options }) => `    ${name}) ${words(options.map(({ flag }) => flag).join(' '))} ;;`)
    .join('\n');
}

function bash(commands: readonly Completed[]): string {
  const words = (list: string): string => `COMPREPLY=($(compgen -W "${list}" -- "$current"))`;
  const files = 'COMPREPLY=($(compgen -f -- "$current"))';
  return `_interlingua() {
  local current="\${COMP_WORDS[COMP_CWORD]}" previous="\${COMP_WORDS[COMP_CWORD-1]}" command="\${COMP_WORDS[1]}"
  if [ "$COMP_CWORD" -eq 1 ]; then
    ${words(`${namesOf(commands)} --help --version`)}
    return
  fi
  case "$command:$previous" in
${casesOf(commands, words, files)}
  esac
  case "$current" in
  -*) ;;
  *)
    case "$command" in
${wordCases(commands, words, files)}
    esac
    return
    ;;
  esac
  case "$command" in
${flagCases(commands, words)}
  esac
}
complete -o filenames -F _interlingua interlingua
`;
}

function zsh(commands: readonly Completed[]): string {
  const words = (list: string): string => `compadd -- ${list}`;
  return `#compdef interlingua
_interlingua() {
  if (( CURRENT == 2 )); then
    ${words(`${namesOf(commands)} --help --version`)}
    return
  fi
  case "$words[2]:$words[CURRENT-1]" in
${casesOf(commands, words, '_files')}
  esac
  if [[ "$words[CURRENT]" != -* ]]; then
    case "$words[2]" in
${wordCases(commands, words, '_files')}
    esac
    return
  fi
  case "$words[2]" in
${flagCases(commands, words)}
  esac
}
compdef _interlingua interlingua
`;
}

function fish(commands: readonly Completed[]): string {
  const first = `complete -c interlingua -n __fish_use_subcommand`;
  const lines = commands.flatMap(({ name, summary, word, options }) => {
    const within = `complete -c interlingua -n '__fish_seen_subcommand_from ${name}'`;
    return [
      `${first} -f -a ${name} -d '${summary.replaceAll("'", "\\'")}'`,
      ...(word === 'file' ? [] : [`${within} -f${word.length === 0 ? '' : ` -a '${word.join(' ')}'`}`]),
      ...options.map(({ flag, takes, words }) => {
        const values = {
          nothing: '',
          file: ' -r -F',
          text: words.length === 0 ? ' -x' : ` -x -a '${words.join(' ')}'`,
        }[takes];
        return `${within} -l ${flag.slice(2)}${values}`;
      }),
    ];
  });
  return `${lines.join('\n')}\n`;
}
