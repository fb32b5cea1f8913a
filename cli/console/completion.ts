/** Completion scripts for shells. */
import type { Command } from 'commander'
import { shellQuote } from '../../reports/wording/shell.js'

export const completionShells = ['bash', 'zsh', 'fish'] as const
export type CompletionShell = (typeof completionShells)[number]

const programs = ['conform', 'participant-conformance'] as const

interface CompletedCommand {
  /** Empty for the program itself. */
  path: string
  description: string
  subcommands: CompletedCommand[]
  options: CompletedOption[]
  /** Values of the first argument. */
  values: readonly string[]
}

interface CompletedOption {
  flag: string
  description: string
  takesValue: boolean
  values: readonly string[]
}

/** `valuesOf`: the known values of an option. */
export function completionScript(
  shell: CompletionShell,
  program: Command,
  valuesOf: (option: string) => readonly string[],
): string {
  const all = flattened(describe(program, '', valuesOf))
  if (shell === 'fish') return fishScript(all)
  const script = bashScript(all)
  return shell === 'bash'
    ? script
    : `#compdef ${programs.join(' ')}\nautoload -U +X bashcompinit && bashcompinit\n${script}`
}

function describe(command: Command, path: string, valuesOf: (option: string) => readonly string[]): CompletedCommand {
  const subcommands = command.commands.map((one) => describe(one, `${path} ${one.name()}`.trim(), valuesOf))
  const options = command.options.map(({ long, description, required, optional, argChoices }) => ({
    ...{ flag: long ?? '', description, takesValue: required || optional },
    values: argChoices ?? valuesOf((long ?? '').slice(2)),
  }))
  const values = command.registeredArguments[0]?.argChoices ?? []
  return { path, description: command.description(), subcommands, options: [...options, help], values }
}

const help: CompletedOption = { flag: '--help', description: 'display help', takesValue: false, values: [] }

const flattened = (command: CompletedCommand): CompletedCommand[] => [
  command,
  ...command.subcommands.flatMap(flattened),
]

const namesIn = (subcommands: readonly CompletedCommand[]): string[] =>
  subcommands.map(({ path }) => path.split(' ').at(-1) ?? '')

/** Also for zsh. The last option before the word determines its values; files are the default. */
function bashScript(all: readonly CompletedCommand[]): string {
  const paths = all.map(({ path }) => path).filter((path) => path !== '')
  const words = (path: string, given: readonly string[]): string =>
    `    ${shellQuote(path)}) words=${shellQuote(given.join(' '))} ;;`
  const withValues = all.flatMap(({ path, options }) =>
    options.flatMap(({ flag, takesValue, values }) => (takesValue ? [words(`${path} ${flag}`.trim(), values)] : [])),
  )
  return `_conform() {
  local current="\${COMP_WORDS[COMP_CWORD]}" command='' option='' words='' word index isValue=''
  for ((index = 1; index < COMP_CWORD; index++)); do
    word="\${COMP_WORDS[index]}"
    case "$word" in -*) option="$word"; continue ;; esac
    [ -n "$option" ] && continue
    case "\${command:+$command }$word" in
      ${paths.map(shellQuote).join('|')}) command="\${command:+$command }$word" ;;
    esac
  done
  case "$current" in
    -*) ;;
    *)
      case "\${command:+$command }$option" in
${withValues.map((line) => line.replace(/\) words=(.*) ;;$/, ') isValue=1; words=$1 ;;')).join('\n')}
      esac
      ;;
  esac
  if [ -z "$isValue" ]; then
    case "$command" in
${all.map(({ path, subcommands, options, values }) => words(path, [...namesIn(subcommands), ...values, ...options.map(({ flag }) => flag)])).join('\n')}
    esac
  fi
  COMPREPLY=($(compgen -W "$words" -- "$current"))
}
complete -o default -F _conform ${programs.join(' ')}
`
}

function fishScript(all: readonly CompletedCommand[]): string {
  const lines = all.flatMap(({ path, subcommands, options, values }) => {
    const condition = `-n ${shellQuote(conditionOf(path, subcommands))}`
    return [
      ...subcommands.map((one) => `${condition} -f -a ${namesIn([one])[0] ?? ''} -d ${fishQuote(one.description)}`),
      ...(values.length === 0 ? [] : [`${condition} -f -a ${fishQuote(values.join(' '))}`]),
      ...options.map(({ flag, description, takesValue, values: known }) => {
        const value = takesValue ? (known.length > 0 ? ` -x -a ${fishQuote(known.join(' '))}` : ' -r') : ''
        return `${condition} -l ${flag.slice(2)}${value} -d ${fishQuote(description)}`
      }),
    ]
  })
  return `${programs.flatMap((name) => lines.map((line) => `complete -c ${name} ${line}`)).join('\n')}\n`
}

function conditionOf(path: string, subcommands: readonly CompletedCommand[]): string {
  const inner = namesIn(subcommands).join(' ')
  if (path === '') return `not __fish_seen_subcommand_from ${inner}`
  const seen = path.split(' ').map((name) => `__fish_seen_subcommand_from ${name}`)
  return [...seen, ...(inner === '' ? [] : [`not __fish_seen_subcommand_from ${inner}`])].join('; and ')
}

const fishQuote = (text: string): string => `'${text.replaceAll('\\', '\\\\').replaceAll("'", "\\'")}'`
