/** The options of a call as a file for later commands (`--settings`). Variables of the environment replace secrets. */
import { stringify } from 'yaml'
import { camelCase } from '../../lib/camel-case.js'
import { variableIn } from '../../lib/environment.js'
import { readInputText } from '../../lib/files/read-input.js'
import { isJsonObject } from '../../lib/json/json.js'
import { suspectSecret } from '../../lib/redaction/redaction.js'
import { findUnknownName } from '../../runner/target/known-names.js'
import { FindingList, FindingsError, unreadable } from '../../runner/yaml/findings.js'
import { parseYaml } from '../../runner/yaml/parse-yaml.js'
import { UsageError } from '../console/usage-error.js'
import { configOption, settingOptions, variableOf } from './setting-options.js'
import type { Flags } from './settings.js'

const saved = [...settingOptions, configOption]

/** Returns the name of the variable that replaces a secret. */
type NameVariable = (stem: string) => string

/** By option: its value without a secret. */
const withoutSecret: Readonly<Record<string, (text: string, variable: NameVariable) => string>> = {
  authorization: (text, variable) => (text.startsWith('hs256:') ? `hs256-env:${variable('SECRET')}` : text),
  token: (text, variable) => {
    const [, actor = '', token = text] = /^([\w-]+=)(.*)$/s.exec(text) ?? []
    return /^(?:env|file|command):/.test(token) ? text : `${actor}env:${variable('TOKEN')}`
  },
  header: (text, variable) => text.replace(/=.*$/s, () => `=env:${variable('HEADER')}`),
  proxy: (text, variable) => (text.includes('@') ? `env:${variable('PROXY')}` : text),
  redact: (_, variable) => `env:${variable('PATTERN')}`,
  'client-key-passphrase': (_, variable) => `env:${variable('PASSPHRASE')}`,
}

/** Undefined without options. Omits secrets of `CONFORM_` variables, which later commands read themselves. */
export function printSettings(flags: Flags, environment: NodeJS.ProcessEnv): string | undefined {
  const variables: string[] = []
  const options: Record<string, unknown> = {}
  for (const { name, value: kind } of saved) {
    const hide = withoutSecret[name] ?? ((text: string) => text)
    const given = flags[camelCase(name)]
    const inherited = (environment[variableOf(name)] ?? '').split('\n').filter(Boolean)
    const texts = (given === undefined ? inherited : [given].flat()).map(String)
    if (texts.length === 0) continue
    const isKept = given !== undefined || texts.every((text) => hide(text, () => '') === text)
    if (!isKept) continue
    const isList = kind === 'map' || kind === 'list'
    const values = texts.map((text, index) =>
      hide(text, (stem) => {
        const variable = isList ? `${stem}_${index + 1}` : stem
        variables.push(variable)
        return variable
      }),
    )
    options[name] = isList ? values : values[0]
  }
  if (Object.keys(options).length === 0) return undefined
  const needed =
    variables.length === 0 ? '' : `# Set these variables to the values of the call: ${variables.join(', ')}\n`
  return `# Options of a run, for later commands: conform run --settings FILE --only ROW\n${needed}${stringify(options)}`
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

/** The options of the file that a call with the options `given` lacks. Rejects with `UsageError` and `FindingsError`. */
export async function savedFlags(file: string, given: Flags, environment: NodeJS.ProcessEnv): Promise<Flags> {
  const text = await readInputText(file, 'a configuration file').catch((error: unknown) => {
    throw unreadable('target', file, error)
  })
  const findings = new FindingList(new Map())
  const options = parseYaml(file, text, findings)?.value
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
  const own = Object.entries(options).filter(([name]) => !omitted.has(name) && given[camelCase(name)] === undefined)
  return Object.fromEntries(own.map(([name, value]) => [camelCase(name), filled(name, value, environment)]))
}

/** The readers of authorization and tokens know the form `env:NAME`. */
const readElsewhere: ReadonlySet<string> = new Set(['authorization', 'token'])

function filled(option: string, value: unknown, environment: NodeJS.ProcessEnv): unknown {
  if (Array.isArray(value)) return value.map((one) => filled(option, one, environment))
  const text = String(value)
  if (withoutSecret[option] === undefined || readElsewhere.has(option)) return text
  return text.replace(/(?<=^|=)env:([A-Z]\w*)$/, (_, name: string) => {
    const found = variableIn(environment, name)
    if (found === undefined)
      throw new UsageError(`settings: set the environment variable ${name} to the value that the run had for ${option}`)
    suspectSecret(found, `environment variable ${name}`)
    return found
  })
}
