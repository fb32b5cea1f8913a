/** The options of a call as a file for later commands (`--settings`). Variables of the environment replace secrets. */
import { stringify } from 'yaml'
import { camelCase } from '../../lib/camel-case.js'
import { variableIn } from '../../lib/environment.js'
import { readInputText } from '../../lib/files/read-input.js'
import { isJsonObject } from '../../lib/json/json.js'
import { suspectSecret } from '../../lib/redaction/redaction.js'
import { findUnknownName } from '../../lib/suggest.js'
import { UsageError } from '../../lib/usage-error.js'
import type { Data } from '../../record/types/resolved-row.js'
import { settingsIn } from '../../runner/target/setting-value.js'
import { FindingList, FindingsError, unreadable } from '../../runner/yaml/findings.js'
import { parseYaml } from '../../runner/yaml/parse-yaml.js'
import { configOption, type SettingOption, settingOptions, variableOf } from './setting-options.js'
import type { Flags } from './settings.js'

const saved = [...settingOptions, configOption]

/** Returns the name of the variable that replaces a secret. */
type NameVariable = (stem: string) => string

/** By option: its value without a secret. */
const withoutSecret: Readonly<Record<string, (text: string, variable: NameVariable) => string>> = {
  authorization: (text, variable) => (text.startsWith('hs256:') ? `hs256-env:${variable('SECRET')}` : text),
  token: (text, variable) => {
    const [, actor = '', token = text] = /^([\w-]+=)(.*)$/s.exec(text) ?? []
    return /^(?:env|file):/.test(token) ? text : `${actor}env:${variable('TOKEN')}`
  },
  header: (text, variable) => text.replace(/=.*$/s, () => `=env:${variable('HEADER')}`),
  proxy: (text, variable) => (/[@?]/.test(text) ? `env:${variable('PROXY')}` : text),
  redact: (_, variable) => `env:${variable('PATTERN')}`,
  'client-key-passphrase': (_, variable) => `env:${variable('PASSPHRASE')}`,
}

/**
 * Undefined without options. A secret of a `CONFORM_` variable becomes `env:CONFORM_…`: later commands read the variable
 * themselves.
 */
export function printSettings(flags: Flags, environment: NodeJS.ProcessEnv): string | undefined {
  const variables: string[] = []
  const options: Record<string, unknown> = {}
  for (const option of saved) {
    const { name, value: kind } = option
    const hide = withoutSecret[name] ?? ((text: string) => text)
    const isList = kind === 'map' || kind === 'list'
    const given = textsOf(flags[camelCase(name)]).map((text, index) =>
      hide(text, (stem) => {
        const variable = isList ? `${stem}_${index + 1}` : stem
        variables.push(variable)
        return variable
      }),
    )
    const variable = variableOf(name)
    const inherited = (environment[variable] ?? '').split('\n').filter(Boolean)
    const isSecret = inherited.some((text) => hide(text, () => '') !== text)
    const values = combined(option, given, isSecret ? [`env:${variable}`] : inherited)
    if (values.includes(`env:${variable}`)) variables.push(variable)
    if (values.length > 0) options[name] = isList ? values : values[0]
  }
  if (Object.keys(options).length === 0) return undefined
  const needed =
    variables.length === 0
      ? ''
      : `# Set these variables to the values of the call, and TOKEN_… to tokens: ${variables.join(', ')}\n`
  return `# Options of a run, for later commands: conform run --settings FILE --only ROW\n${needed}${stringify(options)}`
}

const textsOf = (value: unknown): string[] => (value === undefined ? [] : [value].flat().map(String))

/** `String` would convert a map to a text. */
function expectTexts({ name, value, location }: ReturnType<typeof settingsIn>[number], findings: FindingList): void {
  const isText = (one: Data): boolean => one !== null && typeof one !== 'object'
  if (!(Array.isArray(value) ? value.every(isText) : isText(value)))
    findings.add(location, `${name} has no text, number, true, false or list of them`, 'name a file that a run wrote')
}

/** Maps combine by key; other options replace. */
function combined({ name, value: kind }: SettingOption, strong: readonly string[], weak: readonly string[]): string[] {
  if (kind !== 'map') return [...(strong.length > 0 ? strong : weak)]
  const keyOf = (text: string): string =>
    /^([\w-]+)=/.exec(text)?.[1] ?? (text === `env:${variableOf(name)}` ? text : 'anyone')
  const keys = new Set(strong.map(keyOf))
  return [...weak.filter((text) => !keys.has(keyOf(text))), ...strong]
}

/** Selection, order and comparison of a whole run. `--only` replaces them. */
const ofWholeRuns: ReadonlySet<string> = new Set([
  'only',
  'not',
  'impact',
  'failed-of',
  'shard',
  'alone-after',
  'seed',
  'shuffle',
  'baseline',
  'text',
  'min-judged',
  'fail-fast',
])
/** The record of an interrupted run contains their results. */
const notResumed: ReadonlySet<string> = new Set(['shuffle', 'failed-of'])

/**
 * The options of the file that a call lacks. `given`: its options; `known`: the names of all its options. Rejects with
 * `UsageError` and `FindingsError`.
 */
export async function savedFlags(
  file: string,
  given: Flags,
  known: ReadonlySet<string>,
  environment: NodeJS.ProcessEnv,
): Promise<Flags> {
  const text = await readInputText(file, 'a configuration file').catch((error: unknown) => {
    throw unreadable('target', file, error)
  })
  const findings = new FindingList(new Map())
  const parsed = parseYaml(file, text, findings)
  const options = parsed?.value
  for (const one of settingsIn(isJsonObject(options) ? parsed : undefined)) expectTexts(one, findings)
  const problems = findings.sorted()
  if (problems.length > 0) throw new FindingsError('target', problems)
  if (!isJsonObject(options))
    throw new UsageError(`settings: ${file} contains no options; name a file that a run wrote`)
  const unknown = findUnknownName(
    Object.keys(options),
    saved.map(({ name }) => name),
  )
  if (unknown !== undefined) throw new UsageError(`settings: ${file} has the unknown option ${unknown}`)
  const omitted = given['resume'] !== undefined ? notResumed : given['only'] !== undefined ? ofWholeRuns : new Set()
  const flags = saved.flatMap((option): [string, unknown][] => {
    const { name, value: kind } = option
    const flag = camelCase(name)
    const own = textsOf(given[flag])
    const isReplaced = own.length > 0 && kind !== 'map'
    if (!Object.hasOwn(options, name) || omitted.has(name) || !known.has(flag) || isReplaced) return []
    const stored = combined(option, own, textsOf(options[name])).filter((text) => !own.includes(text))
    const values = [...stored.flatMap((text) => filled(name, text, environment)), ...own]
    if (values.length === 0) return []
    return [[flag, kind === 'map' || kind === 'list' ? values : values[0]]]
  })
  return Object.fromEntries(flags)
}

/** The readers of authorization and tokens know the form `env:NAME`. */
const readElsewhere: ReadonlySet<string> = new Set(['authorization', 'token'])

/** Empty if the variable of the option gives the value. */
function filled(option: string, text: string, environment: NodeJS.ProcessEnv): string[] {
  if (text === `env:${variableOf(option)}`) {
    neededVariable(variableOf(option), option, environment)
    return []
  }
  if (withoutSecret[option] === undefined || readElsewhere.has(option)) return [text]
  return [
    text.replace(/(?<=^|=)env:([A-Z]\w*)$/, (_, name: string) => {
      const found = neededVariable(name, option, environment)
      suspectSecret(found, `environment variable ${name}`)
      return found
    }),
  ]
}

/** Throws `UsageError`. */
function neededVariable(name: string, option: string, environment: NodeJS.ProcessEnv): string {
  const found = variableIn(environment, name)
  if (found !== undefined) return found
  throw new UsageError(`settings: set the environment variable ${name} to the value that the run had for ${option}`)
}
