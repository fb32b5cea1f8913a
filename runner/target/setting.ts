/** Of each count. As seconds it fits a timer of Node, which ends at once if it is longer than 2^31 ms. */
export const largestCount = 999_999

export interface Setting extends SettingDetails {
  /** The member of target files. */
  name: string
  /** `map`: options have the form `name=value`. */
  value: 'text' | 'count' | 'switch' | 'list' | 'map' | { definition: string }
  /** The value on the command line. */
  argument: string | undefined
  /** `run`: members of `RunSettings`; `file`: target files only. */
  of: 'participant' | 'connection' | 'run' | 'file'
}

interface SettingDetails {
  /** Only the page shows backticks. */
  description: string
  /** `inner`: the member of a map's values that the option sets. */
  options?: readonly OptionOfSetting[]
  default?: string
  /** A default that the option does not show; without it: none. */
  otherwise?: string
  /** For the page, in Markdown. */
  more?: string
  /** Elements of a list or values of a map; a string describes strings. */
  items?: string | { kind: string; values: readonly string[]; description?: string } | { definition: string }
  /** Of a count; default: 1. */
  least?: number
  schema?: Readonly<Record<string, unknown>>
  /** In `RunSettings`; default: the name in camel case. */
  member?: string
  /** Permitted in `configurations`; `own`: not inherited by another target. */
  configuration?: 'own' | 'inherited'
  /** Levels of maps that sources combine. */
  combined?: 1 | 2
  isSecret?: true
  /** In the help; default: by `of`. */
  group?: 'selection' | 'result'
  /** Commands without the option. */
  except?: readonly ('certify' | 'clean' | 'explore' | 'learn' | 'token')[]
}

interface OptionOfSetting {
  name: string
  argument: string | undefined
  description: string
  inner?: string
}

/** Default: one option of the setting's name. */
export function optionsOf({ name, value, argument, description, options }: Setting): readonly OptionOfSetting[] {
  if (options) return options
  return argument === undefined && value !== 'switch' ? [] : [{ name, argument, description }]
}

/** Keeps literal types, for `RunSettings`. */
export const runSetting = <
  const Name extends string,
  const Value extends Setting['value'],
  const Details extends SettingDetails,
>(
  name: Name,
  value: Value,
  argument: string | undefined,
  details: Details,
) => ({ name, value, argument, of: 'run' as const, ...details })

const ownSetting =
  <const Of extends 'participant' | 'connection'>(of: Of) =>
  <const Details extends SettingDetails>(
    name: string,
    value: Setting['value'],
    argument: string | undefined,
    details: Details,
  ) => ({ name, value, argument, of, configuration: 'own' as const, ...details })

export const participantSetting = ownSetting('participant')
export const connectionSetting = ownSetting('connection')
