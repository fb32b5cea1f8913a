import { type Command, Option } from 'commander'
import { optionsOf, type Setting } from '../../runner/target/setting.js'
import { settings } from '../../runner/target/settings-table.js'

export interface SettingOption {
  name: string
  value: Setting['value']
  description: string
  argument: string | undefined
  /** Of target files; `inner`: the member of a map's values. */
  member: string
  inner?: string
  least?: Setting['least'] | undefined
  except?: Setting['except'] | undefined
  /** Heading in the help. */
  heading: string
}

const headings = {
  participant: 'Target and credentials:',
  connection: 'Connection:',
  selection: 'Selection of rows:',
  run: 'Execution:',
  result: 'Result:',
} as const

export const settingOptions: readonly SettingOption[] = settings.flatMap((setting: Setting) =>
  optionsOf(setting).map(({ description, ...option }) => {
    const defaults = setting.default === undefined ? '' : ` (default: ${setting.default})`
    const { value, least, except, name: member } = setting
    const { of, group = of === 'file' ? 'participant' : of } = setting
    const words = description.replaceAll('`', '') + defaults
    return { ...option, value, least, except, member, heading: headings[group], description: words }
  }),
)

/** Not in target files. Only `config` has a variable. */
const only = (group: keyof typeof headings, name: string, description: string, argument?: string): SettingOption => ({
  name,
  description,
  argument,
  member: name,
  heading: headings[group],
  value: argument === undefined ? 'switch' : 'text',
})

export const configOption = only(
  ...(['participant', 'config', 'target file with any of these options and facts about the target', '<file>'] as const),
)
export const resumeOption = only('run', 'resume', 'continue an interrupted run: its record or folder', '<run>')
/** Also of `report`. */
export const suggestWords = 'print only waiver entries (YAML) for the failed rows; other text goes to standard error'
const callOptions: readonly SettingOption[] = [
  configOption,
  resumeOption,
  only('run', 'dry-run', 'only print what the run would create and leave; read-only'),
  only(
    'run',
    'watch',
    'run again when a suite file, the target file or a given file changes, or Enter is pressed',
    '[path...]',
  ),
  only('result', 'json', 'with --dry-run: print JSON'),
  only('result', 'suggest-waivers', suggestWords),
]

const targets: Readonly<Record<string, string>> = {
  doctor: 'base URL of the participant',
  clean: 'base URL of the participant (default: the target of the named run)',
}

const isOfToken = (name: string, heading: string): boolean =>
  name === 'suite' || name === 'out' || heading === headings.participant || heading === headings.connection

/** Without default values: a missing setting differs from them. */
export function addSettings(command: Command): Command {
  const target = targets[command.name()]
  const others = command.name() === 'run' ? callOptions : [configOption]
  const order = Object.values<string>(headings)
  const all = [...settingOptions, ...others].toSorted((a, b) => order.indexOf(a.heading) - order.indexOf(b.heading))
  for (const { name, argument, description, heading, except = [] } of all) {
    if (except.some((one) => one === command.name())) continue
    if (command.name() === 'token' && !isOfToken(name, heading)) continue
    const flags = `--${name}${argument === undefined ? '' : ` ${argument}`}`
    command.addOption(new Option(flags, (name === 'target' && target) || description).helpGroup(heading))
  }
  return command
}

export const variableOf = (name: string): string => `CONFORM_${name.toUpperCase().replaceAll('-', '_')}`
