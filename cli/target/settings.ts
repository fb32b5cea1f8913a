/** Precedence: command line, environment, the named file, conform.yaml. */
import { passphraseVariable } from '../../certificate/signers.js'
import { camelCase } from '../../lib/camel-case.js'
import { omitUndefined } from '../../lib/omit-undefined.js'
import { suspectSecret } from '../../lib/redaction/redaction.js'
import { findUnknownName } from '../../lib/suggest.js'
import { UsageError } from '../../lib/usage-error.js'
import type { Data } from '../../record/types/resolved-row.js'
import type { Location } from '../../runner/suite/suite.js'
import { readSettings, type Settings } from '../../runner/target/read-settings.js'
import { readRunSettings } from '../../runner/target/run-settings.js'
import { largestCount } from '../../runner/target/setting.js'
import type { SettingsMap } from '../../runner/target/setting-value.js'
import { mergeLayers, mergeMaps, readTargetFile, type SettingsLayer } from '../../runner/target/settings-layer.js'
import { checkShape } from '../../runner/yaml/check-shape.js'
import { FindingList, FindingsError } from '../../runner/yaml/findings.js'
import { placedAt } from '../../runner/yaml/locations.js'
import { parseYaml } from '../../runner/yaml/parse-yaml.js'
import { loadSchemas } from '../../runner/yaml/suite-files.js'
import { suitePath } from '../tool/tool.js'
import { conformFile, hasConformFile } from './conform-file.js'
import { configOption, resumeOption, type SettingOption, settingOptions, variableOf } from './setting-options.js'

export type Flags = Readonly<Record<string, unknown>>

/**
 * Rejects with `UsageError`, and with `FindingsError` for files.
 * @example
 * const { url } = await gatherSettings({ target: 'http://127.0.0.1:7575' }, process.env)
 * url // 'http://127.0.0.1:7575'
 */
export async function gatherSettings(flags: Flags, environment: NodeJS.ProcessEnv): Promise<Settings> {
  return settingsOf(flags, [await environmentLayer(environment)], await filesOf(flags, environment), environment)
}

async function environmentLayer(environment: NodeJS.ProcessEnv): Promise<SettingsLayer> {
  rejectUnknown(environment)
  return layerOf((setting) => {
    const name = variableOf(setting.name)
    const found = variableValue(setting, environment)
    for (const value of found?.values ?? []) suspectSecret(value, `environment variable ${name}`)
    return found
  })
}

const flagsLayer = (flags: Flags): Promise<SettingsLayer> => layerOf((setting) => flagValue(setting, flags))

/** The named target file and conform.yaml. Rejects with `UsageError`. */
export async function filesOf(flags: Flags, environment: NodeJS.ProcessEnv): Promise<Set<string>> {
  const named = await namedFile(flags, environment)
  return new Set([...(named === undefined ? [] : [named]), ...((await hasConformFile()) ? [conformFile] : [])])
}

/** conform.yaml if the call names no other target file. */
export async function namedFile(flags: Flags, environment: NodeJS.ProcessEnv): Promise<string | undefined> {
  return textOf(configOption, flags, environment) ?? ((await hasConformFile()) ? conformFile : undefined)
}

/** Precedence: flags, layers, files. Rejects like `gatherSettings`. */
export async function settingsOf(
  flags: Flags,
  layers: readonly SettingsLayer[],
  files: Iterable<string>,
  environment: NodeJS.ProcessEnv,
): Promise<Settings> {
  const called = await flagsLayer(flags)
  const read: SettingsLayer[] = []
  for (const file of files) read.push(await readTargetFile(file, environment))
  try {
    return readSettings([called, ...layers, ...read], environment, new Date())
  } catch (error) {
    throw error instanceof FindingsError ? withoutLines(error) : error
  }
}

/** An error outside the files has no line. */
function withoutLines(error: FindingsError): Error {
  const [first] = error.findings
  if (!first || error.findings.some(({ location }) => !/^(?:--|CONFORM_)/.test(location.file))) return error
  const { location, message, hint } = first
  const where = location.file.startsWith('--') ? '' : `${location.file}: `
  return new UsageError(`${where}${message}${hint === undefined ? '' : `; ${hint}`}`)
}

function rejectUnknown(environment: NodeJS.ProcessEnv): void {
  const known = [...[...settingOptions, configOption].map(({ name }) => variableOf(name)), passphraseVariable]
  const given = Object.keys(environment).filter((name) => name.startsWith('CONFORM_'))
  const unknown = findUnknownName(given, known)
  if (unknown !== undefined) throw new UsageError(`unknown environment variable ${unknown}`)
}

interface GivenValue {
  values: string[]
  where: string
}

/** Throws `UsageError` for an empty value: `--target "$UNSET"` would select the embedded simulator. */
function flagValue({ name }: SettingOption, flags: Flags): GivenValue | undefined {
  const value = flags[camelCase(name)]
  if (value === undefined) return undefined
  const where = `--${name}`
  const values = Array.isArray(value) ? value.map(String) : linesOf(String(value))
  if (values.length > 0 && !values.includes('')) return { values, where }
  throw new UsageError(
    `${where}: the value is empty, such as that of an unset variable; give a value or omit the option`,
  )
}

/** A variable has one value on each line. Jobs of CI set variables without a value, so an empty one counts as unset. */
function variableValue({ name }: SettingOption, environment: NodeJS.ProcessEnv): GivenValue | undefined {
  const where = variableOf(name)
  const values = linesOf(environment[where] ?? '')
  return values.length === 0 ? undefined : { values, where }
}

const linesOf = (text: string): string[] => text.split('\n').filter((line) => line !== '')

/** Options of maps combine by key; a later value overrides an earlier one. */
async function layerOf(find: (option: SettingOption) => GivenValue | undefined): Promise<SettingsLayer> {
  const location = { file: 'settings', line: 1, column: 1 }
  const given = settingOptions.flatMap((option) => {
    const found = find(option)
    return found ? settingsOfOption(option, found) : []
  })
  const value = given.reduce((weak, strong) => mergeMaps(strong, weak), placedAt<SettingsMap>({}, location))
  const findings = new FindingList(new Map())
  const root = { value, location }
  if (Object.keys(value).length > 0) checkShape(root, 'target', await loadSchemas(), findings)
  const problems = findings.sorted()
  if (problems.length > 0) throw new FindingsError('target', problems)
  return { root }
}

function settingsOfOption(option: SettingOption, { values, where }: GivenValue): SettingsMap[] {
  const location = { file: where, line: 1, column: 1 }
  const placed = (name: string, value: Data): SettingsMap => placedAt({ [name]: value }, location)
  const { value: kind, member } = option
  if (kind === 'map') return values.map((text) => placed(member, pairOf(option, text, location)))
  if (kind === 'list') return [placed(member, placedAt([...values], location))]
  return [placed(member, typed(option, values[0] ?? '', where))]
}

function typed({ value: kind, least = 1 }: SettingOption, value: string, where: string): string | number | boolean {
  if (kind === 'count') {
    const count = /^\d+$/.test(value) ? Number(value) : Number.NaN
    if (count >= least && count <= largestCount) return count
    throw new UsageError(`${where}: expected a whole number from ${least} to ${largestCount}`)
  }
  if (kind === 'switch') {
    if (value === 'true' || value === 'false') return value === 'true'
    throw new UsageError(`${where}: expected true or false`)
  }
  return value
}

function pairOf({ name, inner }: SettingOption, text: string, location: Location): SettingsMap {
  const [, key, value] = /^([\w-]+)=(.*)$/s.exec(text) ?? (name === 'token' ? ['', 'anyone', text] : [])
  // The message repeats no part of the value, which may be a secret.
  if (key === undefined || value === undefined)
    throw new UsageError(`${location.file}: expected name=value, such as alice=…`)
  const content = value.startsWith('{') ? parsed(value, location) : value
  return placedAt({ [key]: inner === undefined ? content : placedAt({ [inner]: content }, location) }, location)
}

function parsed(text: string, { file }: Location): Data {
  const findings = new FindingList(new Map())
  const found = parseYaml(file, text, findings)
  const problems = findings.sorted()
  if (found && problems.length === 0) return found.value
  throw new FindingsError('target', problems)
}

/** Throws `UsageError`. */
export const resumeOf = (flags: Flags): string | undefined => textOf(resumeOption, flags, {})

/** Whole, because a path may contain a line break. Throws `UsageError`. */
function textOf(option: SettingOption, flags: Flags, environment: NodeJS.ProcessEnv): string | undefined {
  const found = flagValue(option, flags)
  if (found) return String(flags[camelCase(option.name)])
  return environment[variableOf(option.name)] || undefined
}

/** What a command that sends nothing needs of the settings. */
export interface SuiteSettings {
  suite: string
  profile?: string
  protocolVersion?: number
}

const suiteMembers = ['suite', 'profile', 'protocol-version']

/**
 * Reads the same files and variables as a run, so that a run and `list` or `show` never differ. Reads only these members:
 * an unset variable of a credential is no error. Rejects like `gatherSettings`.
 */
export async function suiteSettings(flags: Flags): Promise<SuiteSettings> {
  const layers = [await flagsLayer(flags), await environmentLayer(process.env)]
  for (const file of await filesOf(flags, process.env))
    layers.push(await readTargetFile(file, process.env, suiteMembers))
  const { suite, profile, protocolVersion } = readRunSettings(mergeLayers(layers), undefined)
  return { suite: suitePath(suite), ...omitUndefined({ profile, protocolVersion }) }
}
