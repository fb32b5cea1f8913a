import { camelCase } from '../../lib/camel-case.js'
import { isElsewhere } from '../../lib/files/paths.js'
import type { EndedEarly } from '../../record/types/reason.js'
import type { RunRecord } from '../../record/types/record.js'
import { settingWords, shellWord } from '../../reports/wording/shell.js'
import { optionSettings } from './repeated-settings.js'
import { requiresTarget, restoredOptions } from './resumed-flags.js'
import {
  configOption,
  dryRunOption,
  jsonOption,
  resumeOption,
  settingOptions,
  suggestOption,
  variableOf,
} from './setting-options.js'
import type { Flags } from './settings.js'

export interface ContinuedCall {
  given: Flags
  environment: NodeJS.ProcessEnv
  /** Folder of the interrupted run. */
  folder: string
  suite: string | undefined
  /** Record: a results folder now has another newest run. */
  baseline: string | undefined
}

const interruptions: readonly EndedEarly['cause'][] = ['interrupted', 'time-over', 'target-gone']

/** `shuffle` and `failed-of` would select other rows. */
const omitted: ReadonlySet<string> = new Set([
  ...[...restoredOptions, 'shuffle', 'failed-of'],
  ...[resumeOption.name, dryRunOption.name, jsonOption.name],
])

/** The last lines of an interrupted run. Undefined for other runs. Shell variables replace secrets. */
export function continuation(record: RunRecord, call: ContinuedCall): string | undefined {
  const cause = record.footer?.ended?.cause
  if (cause === undefined || !interruptions.includes(cause)) return undefined
  if (record.header.target.embedded)
    return 'A run on the embedded simulator cannot be continued, because the simulator has ended. Start a new run.'
  const given: Flags = { ...call.given, ...added(record, call) }
  const used = new Map<string, number>()
  const options = [...settingOptions, configOption, suggestOption].flatMap((option) => {
    const value = given[camelCase(option.name)]
    return omitted.has(option.name) || value === undefined ? [] : optionSettings(option, value, 'console', used)
  })
  const variables = options.flatMap(({ values }) => values.flatMap(({ variable }) => variable ?? []))
  const command = [`continue with: conform run --resume ${shellWord(call.folder)}`, ...settingWords(options)].join(' ')
  if (variables.length === 0) return command
  return `The next command contains no secrets: first set ${variables.join(', ')} to the values of this call.\n${command}`
}

/** Options that `resumedFlags` requires on the command line. */
function added({ header }: RunRecord, { given, environment, suite, baseline }: ContinuedCall): Flags {
  const config = given['config'] ?? environment[variableOf(configOption.name)]
  const { url } = header.target
  const file = config === undefined ? {} : { config }
  return {
    ...file,
    ...(requiresTarget(url, { ...given, ...file }, environment) && { target: url }),
    ...(suite !== undefined && isElsewhere(header.options?.suite ?? '') && { suite }),
    ...(baseline !== undefined && { baseline }),
  }
}
