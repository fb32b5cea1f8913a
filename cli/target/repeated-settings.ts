/** The settings of a call as options of a later command. Shell variables replace secrets. */
import { camelCase } from '../../lib/camel-case.js'
import { isElsewhere, pathForOthers } from '../../lib/files/paths.js'
import type { RecordedSetting, RecordedValue } from '../../record/types/recorded-options.js'
import { configOption, type SettingOption, settingOptions, variableOf } from './setting-options.js'
import type { Flags } from './settings.js'

/** Selection, order and comparison of a run; the header of the record names target, profile and concurrency. */
const ofWholeRuns: ReadonlySet<string> = new Set([
  ...['only', 'not', 'impact', 'failed-of', 'shard', 'alone-after', 'seed', 'shuffle'],
  ...['baseline', 'text', 'min-judged', 'fail-fast', 'target', 'profile', 'concurrency'],
])

/** Their values can contain the name of a user. */
const paths: ReadonlySet<string> = new Set([
  ...['config', 'suite', 'out', 'waivers', 'ca', 'client-certificate', 'client-key'],
])

/** `console`: the caller reads it; `record`: other people may read it, so paths outside the working folder are hidden. */
export type Reader = 'console' | 'record'

/** For the command of one row. */
export function repeatedSettings(flags: Flags, environment: NodeJS.ProcessEnv, reader: Reader): RecordedSetting[] {
  const options = [...settingOptions, configOption].filter(({ name }) => !ofWholeRuns.has(name))
  const used = new Map<string, number>()
  return options.flatMap((option) => {
    const given = flags[camelCase(option.name)]
    const variable = variableOf(option.name)
    const own = given === undefined || given === '' ? [] : optionSettings(option, given, reader, used)
    const inherited = environment[variable] ?? ''
    const isCombined = option.value === 'map'
    if (inherited === '' || (own.length > 0 && !isCombined)) return own
    const added = fromEnvironment(option, inherited.split('\n').filter(Boolean), reader)
    return isCombined ? joined(added, own) : added
  })
}

/** Of one option of the command line; none for a switch that is off. */
export function optionSettings(
  { name, value: kind }: SettingOption,
  given: unknown,
  reader: Reader,
  used = new Map<string, number>(),
): RecordedSetting[] {
  if (given === false || String(given) === 'false') return []
  if (kind === 'switch') return [{ option: name, values: [] }]
  const texts = (Array.isArray(given) ? given : [given]).map(String)
  const nameVariable = (stem: string): string => {
    const count = (used.get(stem) ?? 0) + 1
    used.set(stem, count)
    return kind === 'map' || kind === 'list' ? `${stem}_${count}` : stem
  }
  return [{ option: name, values: texts.map((text) => valueFor(name, text, reader, nameVariable)) }]
}

/** Also in another shell the command names the variable that it needs. */
function fromEnvironment(option: SettingOption, lines: readonly string[], reader: Reader): RecordedSetting[] {
  const all = optionSettings(option, option.value === 'map' || option.value === 'list' ? lines : lines[0], reader)
  const isSecret = all.some(({ values }) => values.some(({ variable }) => variable !== undefined))
  if (!isSecret) return all
  // The variable still supplies several lines, which are no single value.
  return lines.length > 1 ? [] : [{ option: option.name, values: [{ text: '', variable: variableOf(option.name) }] }]
}

/** The command line overrides names of the environment. */
function joined(inherited: readonly RecordedSetting[], own: readonly RecordedSetting[]): RecordedSetting[] {
  const [first] = own
  if (!first) return [...inherited]
  const named = new Set(first.values.map(keyOf))
  const kept = inherited.flatMap(({ values }) => values.filter((value) => !named.has(keyOf(value))))
  return [{ ...first, values: [...kept, ...first.values] }]
}

const keyOf = ({ text }: RecordedValue): string => text.replace(/=.*$/s, '')

function valueFor(name: string, text: string, reader: Reader, nameVariable: (stem: string) => string): RecordedValue {
  const replaced = (kept: string, stem: string): RecordedValue => ({ text: kept, variable: nameVariable(stem) })
  const [, key = '', rest = ''] = /^([\w-]+=)(.*)$/s.exec(text) ?? ['', '', text]
  if (name === 'token') {
    const [, kind = ''] = /^((?:env|file|command):)/.exec(rest) ?? []
    const isShown = kind === 'env:' || (kind !== '' && reader === 'console')
    return isShown ? { text } : replaced(`${key}${kind}`, 'TOKEN')
  }
  if (name === 'header') return replaced(key, 'HEADER')
  if (name === 'authorization') {
    const [, kind = ''] = /^([\w-]+:)/.exec(text) ?? []
    if (kind === 'hs256:') return replaced(kind, 'SECRET')
    return kind === '' || kind === 'hs256-env:' || reader === 'console' ? { text } : replaced(kind, 'KEY_FILE')
  }
  if (name === 'proxy' && text.includes('@')) return replaced('', 'PROXY')
  if (name === 'redact') return replaced('', 'PATTERN')
  if (name === 'client-key-passphrase') return replaced('', 'PASSPHRASE')
  if (reader === 'console' || !paths.has(name)) return { text }
  const path = pathForOthers(text)
  return isElsewhere(path) ? replaced('', name.toUpperCase().replaceAll('-', '_')) : { text: path }
}
