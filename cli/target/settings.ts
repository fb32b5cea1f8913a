/** Gathers the settings of a run. Precedence: command line, environment, the named file, conform.yaml. */
import { passphraseVariable } from '../../certificate/passphrase-variable.js'
import { suspectSecret } from '../../lib/redaction/secrets.js'
import { findUnknownName } from '../../runner/target/known-names.js'
import { readSettings, type Settings } from '../../runner/target/read-settings.js'
import { readTargetFile, type SettingsLayer, TargetFileError } from '../../runner/target/settings-layer.js'
import { checkShape } from '../../runner/yaml/check-shape.js'
import { FindingList } from '../../runner/yaml/finding-list.js'
import type { Entry, Located } from '../../runner/yaml/located.js'
import { parseYaml } from '../../runner/yaml/parse-yaml.js'
import { loadSchemas } from '../../runner/yaml/schemas.js'
import { UsageError } from '../console/usage-error.js'
import { camelCase, conformFile, hasConformFile } from './conform-file.js'
import {
  configSetting,
  outsideSettings,
  type RunSetting,
  resumeSetting,
  runSettings,
  variableOf,
} from './run-settings.js'

/** Options of the command line, by their names in camel case. */
export type Flags = Readonly<Record<string, unknown>>

/** Rejects with `UsageError`, and with `TargetFileError` for files. */
export async function gatherSettings(flags: Flags, environment: NodeJS.ProcessEnv): Promise<Settings> {
  rejectUnknown(environment)
  const layer = await layerOf((setting) => {
    const name = variableOf(setting.name)
    const found = givenValue(environment[name], name)
    for (const value of found?.values ?? []) suspectSecret(value, `environment variable ${name}`)
    return found
  })
  const named = textFrom(flags['config']) ?? environment[variableOf(configSetting.name)]
  const files = [...(named === undefined ? [] : [named]), ...((await hasConformFile()) ? [conformFile] : [])]
  return settingsOf(flags, [layer], files, environment)
}

/** Precedence: flags, layers, files; within each, the first one. Rejects like `gatherSettings`. */
export async function settingsOf(
  flags: Flags,
  layers: readonly SettingsLayer[],
  files: readonly string[],
  environment: NodeJS.ProcessEnv,
): Promise<Settings> {
  const called = await layerOf((setting) => givenValue(flags[camelCase(setting.name)], `--${setting.name}`))
  const read: SettingsLayer[] = []
  for (const file of files) read.push(await readTargetFile(file, environment))
  try {
    return readSettings([called, ...layers, ...read], environment, new Date())
  } catch (error) {
    throw error instanceof TargetFileError ? withoutLines(error) : error
  }
}

/** An error outside of files has no line: it becomes a `UsageError`. */
function withoutLines(error: TargetFileError): Error {
  const [first] = error.findings
  if (!first || error.findings.some(({ location }) => !/^(?:--|CONFORM_)/.test(location.file))) return error
  const { location, message, hint } = first
  const where = location.file.startsWith('--') ? '' : `${location.file}: `
  return new UsageError(`${where}${message}${hint === undefined ? '' : `; ${hint}`}`)
}

/** Rejects unknown variables, which would have no effect. */
function rejectUnknown(environment: NodeJS.ProcessEnv): void {
  const known = [...[...runSettings, ...outsideSettings].map(({ name }) => variableOf(name)), passphraseVariable]
  const given = Object.keys(environment).filter((name) => name.startsWith('CONFORM_'))
  const unknown = findUnknownName(given, known)
  if (unknown !== undefined) throw new UsageError(`unknown environment variable ${unknown}`)
}

interface GivenValue {
  values: string[]
  /** Name of the option or variable, for findings. */
  where: string
}

/** A variable of the environment has one value on each line. */
function givenValue(value: unknown, where: string): GivenValue | undefined {
  if (value === undefined || value === '') return undefined
  if (Array.isArray(value)) return { values: value.map(String), where }
  return {
    values: String(value)
      .split('\n')
      .filter((line) => line !== ''),
    where,
  }
}

async function layerOf(find: (setting: RunSetting) => GivenValue | undefined): Promise<SettingsLayer> {
  const root: Located = { location: { file: 'settings', line: 1, column: 1 }, content: new Map() }
  for (const setting of runSettings) {
    const found = find(setting)
    if (found) put(root, setting, found)
  }
  const findings = new FindingList(new Map())
  const file = { name: 'settings', shown: 'settings', kind: 'target' as const, text: '' }
  if (root.content instanceof Map && root.content.size > 0)
    checkShape({ file, kind: 'target', root }, await loadSchemas(), findings)
  const problems = findings.sorted()
  if (problems.length > 0) throw new TargetFileError(problems)
  return { root }
}

function put(root: Located, setting: RunSetting, { values, where }: GivenValue): void {
  const location = { file: where, line: 1, column: 1 }
  const set = (map: Located, name: string, value: Located): void => {
    const entry: Entry = { name, key: location, value }
    if (map.content instanceof Map) map.content.set(name, entry)
  }
  const [first = ''] = values
  if (setting.kind === 'pairs') {
    for (const text of values) putPair(root, setting, text, location, set)
  } else if (setting.kind === 'list') {
    set(root, setting.name, { location, content: values.map((content) => ({ location, content })) })
  } else {
    set(root, setting.name, { location, content: typed(setting, first, where) })
  }
}

function typed({ kind, least = 1 }: RunSetting, value: string, where: string): string | number | boolean {
  if (kind === 'count') {
    if (/^\d{1,6}$/.test(value) && Number(value) >= least) return Number(value)
    throw new UsageError(`${where}: expected a whole number of at least ${least}`)
  }
  if (kind === 'switch') {
    if (value === 'true' || value === 'false') return value === 'true'
    throw new UsageError(`${where}: expected true or false`)
  }
  return value
}

function putPair(
  root: Located,
  { name, member }: RunSetting,
  text: string,
  location: Located['location'],
  set: (map: Located, name: string, value: Located) => void,
): void {
  const [, key, value] = /^([\w-]+)=(.*)$/s.exec(text) ?? (name === 'token' ? ['', 'anyone', text] : [])
  // The message repeats no part of the value, which may be a secret.
  if (key === undefined || value === undefined || !member)
    throw new UsageError(`${location.file}: expected name=value, such as alice=…`)
  const map = memberOf(root, member.map, location, set)
  const content = value.startsWith('{') ? parsed(value, location) : { location, content: value }
  if (member.of === undefined) set(map, key, content)
  else set(memberOf(map, key, location, set), member.of, content)
}

function memberOf(
  map: Located,
  name: string,
  location: Located['location'],
  set: (map: Located, name: string, value: Located) => void,
): Located {
  const found = map.content instanceof Map ? map.content.get(name) : undefined
  if (found) return found.value
  const made: Located = { location, content: new Map() }
  set(map, name, made)
  return made
}

/** Parses the value as in a file. */
function parsed(text: string, { file }: Located['location']): Located {
  const findings = new FindingList(new Map())
  const node = parseYaml(file, text, findings)
  const found = findings.sorted()
  if (node && found.length === 0) return node
  throw new TargetFileError(found)
}

/** The run to resume, if any. */
export const resumeOf = (flags: Flags, environment: NodeJS.ProcessEnv): string | undefined =>
  textFrom(flags['resume']) ?? environment[variableOf(resumeSetting.name)]

/** For switches that files cannot contain. Throws `UsageError`. */
export function isOn(setting: RunSetting, flags: Flags, environment: NodeJS.ProcessEnv): boolean {
  const name = variableOf(setting.name)
  const found = givenValue(flags[camelCase(setting.name)], `--${setting.name}`) ?? givenValue(environment[name], name)
  return found !== undefined && typed(setting, found.values[0] ?? '', found.where) === true
}

const textFrom = (value: unknown): string | undefined => (typeof value === 'string' ? value : undefined)
