import { variableIn } from '../../lib/environment.js'
import { readInputText } from '../../lib/files/read-input.js'
import { isJsonObject } from '../../lib/json/json.js'
import { suspectSecret } from '../../lib/redaction/redaction.js'
import type { Data } from '../../record/types/resolved-row.js'
import { checkShape } from '../yaml/check-shape.js'
import { type Finding, FindingList, FindingsError, unreadable } from '../yaml/findings.js'
import { composed, locationOf, replaceValues, valueLocation } from '../yaml/locations.js'
import { parseYaml } from '../yaml/parse-yaml.js'
import { loadSchemas, shownPath } from '../yaml/suite-files.js'
import type { Setting } from './setting.js'
import { itemsOf, mapOf, member, type SettingsMap, type SettingValue } from './setting-value.js'
import { settings } from './settings-table.js'

const source = /^(?:command|env|file):/

/** A variable, or "$${", which yields "${". */
const reference = /\$(\$\{|\{([A-Za-z_]\w*)\})/g

/**
 * Fills variables. Only the author of the settings may choose commands and files. Adds the values, which may be secrets,
 * to `filled`.
 */
function expandEnvironment(
  { value, location }: SettingValue,
  environment: NodeJS.ProcessEnv,
  findings: FindingList,
  filled: Set<string>,
): Data {
  if (typeof value === 'object' && value !== null)
    return replaceValues(value, (one, name) =>
      expandEnvironment({ value: one, location: valueLocation(value, name) }, environment, findings, filled),
    )
  if (typeof value !== 'string') return value
  const text = value.replace(reference, (found: string, inside: string, name: string | undefined, offset: number) => {
    if (name === undefined) return inside
    const known = variableIn(environment, name)
    if (known === undefined) {
      findings.add({ ...location, column: location.column + offset }, `the environment variable ${name} is not set`)
      return found
    }
    filled.add(known)
    suspectSecret(known, `environment variable ${name}`)
    return known
  })
  if (source.test(text) && !source.test(value)) {
    const message = 'the variable must contain the token itself; write command:, env: or file: before the variable'
    findings.add(location, message)
  }
  return text
}

export interface SettingsLayer {
  /** Undefined for the environment and the command line. */
  file?: string
  /** Absent if it may contain a secret: findings print its lines. */
  text?: string
  /** A map. */
  root: SettingValue
}

/** With `sections`, reads only these optional members. Rejects with `FindingsError`. */
export async function readTargetFile(
  path: string,
  environment: NodeJS.ProcessEnv,
  sections?: readonly string[],
): Promise<SettingsLayer> {
  const shown = shownPath(path)
  const text = await textAt(path, shown)
  // Findings print their line, except of files with secrets.
  const findings = new FindingList(new Map(mayHoldSecret(text) ? [] : [[shown, text]]))
  const filled = new Set<string>()
  const whole = mapIn(parseYaml(shown, text, findings), findings)
  const parsed = whole && sections ? keepMembers(whole, (name) => sections.includes(name)) : whole
  const expanded = parsed && { ...parsed, value: expandEnvironment(parsed, environment, findings, filled) }
  const root = expanded && { ...expanded, value: withTypes(mapOf(expanded)) }
  if (root && (!sections || Object.keys(root.value).length > 0))
    checkShape(root, 'target', await loadSchemas(), findings)
  const found = findings.sorted()
  if (found.length === 0 && root) return { file: shown, root, ...(!mayHoldSecret(text) && { text }) }
  throw new FindingsError('target', withoutSecrets(found, root ? [...filled, ...secretsIn(root.value)] : [...filled]))
}

function keepMembers(root: SettingValue, isKept: (name: string) => boolean): SettingValue {
  const map = mapOf(root)
  const kept = Object.entries(map).filter(([name]) => isKept(name))
  return { ...root, value: composed(Object.fromEntries(kept), [map]) }
}

/** Earlier layers override later ones. */
export function mergeLayers(layers: readonly SettingsLayer[]): SettingValue {
  const [first, ...rest] = layers.map(({ root }) => root)
  if (!first) throw new Error('no layer of settings')
  const value = rest.reduce((merged, next) => mergeMaps(merged, mapOf(next)), mapOf(first))
  return { ...first, value }
}

const namesOf = (isWanted: (setting: Setting) => boolean): ReadonlySet<string> =>
  new Set(settings.filter(isWanted).map(({ name }) => name))

const combinedLevels = new Map(settings.map(({ name, combined }: Setting) => [name, combined ?? 0]))

/** `deep`: further levels of maps that combine; 0 for the map of all settings. */
export function mergeMaps(strong: SettingsMap, weak: SettingsMap, deep = 0): SettingsMap {
  const own = Object.entries(strong).map(([name, value]): [string, Data] => {
    const other = weak[name]
    const levels = deep > 0 ? deep - 1 : (combinedLevels.get(name) ?? 0)
    return [name, levels > 0 && isJsonObject(value) && isJsonObject(other) ? mergeMaps(value, other, levels) : value]
  })
  return composed({ ...weak, ...Object.fromEntries(own) }, [weak, strong], locationOf(strong))
}

/** A configuration with its own target inherits no settings of the first participant. */
export function configurationLayers(layers: readonly SettingsLayer[]): SettingsLayer[][] {
  const owner = layers.find(({ root }) => member(root, 'configurations'))
  const items = owner ? itemsOf(member(owner.root, 'configurations')) : []
  return items.map((root) => {
    const isInherited = (name: string): boolean =>
      name !== 'configurations' && !(member(root, 'target') && ofParticipant.has(name))
    return [{ ...owner, root }, ...layers.map((layer) => ({ ...layer, root: keepMembers(layer.root, isInherited) }))]
  })
}

const ofParticipant = namesOf(({ configuration }) => configuration === 'own')

async function textAt(path: string, shown: string): Promise<string> {
  try {
    return await readInputText(path, 'a configuration file')
  } catch (error) {
    throw unreadable('target', shown, error)
  }
}

/** Also a URL with a user, a query or a fragment. */
const mayHoldSecret = (text: string): boolean =>
  /authori[sz]ation|hs256|secret|token|headers|passphrase|proxy|\$\{|:\/\/(?:\S*[?#]|.*@)/i.test(text)

/** The finding omits the content, which may be a secret. */
function mapIn(root: SettingValue | undefined, findings: FindingList): SettingValue | undefined {
  if (!root || isJsonObject(root.value)) return root
  findings.add(root.location, 'a target file must be a map', 'for example, target: https://participant.example')
  return undefined
}

const numbers = namesOf(({ value }) => value === 'count')
const switches = namesOf(({ value }) => value === 'switch')

/** Filled-in values are strings. */
const withTypes = (root: SettingsMap): SettingsMap =>
  replaceValues(root, (value, name) => {
    if (name === 'configurations' && Array.isArray(value))
      return replaceValues(value, (item) => (isJsonObject(item) ? withTypes(item) : item))
    if (numbers.has(name) && typeof value === 'string' && /^\d{1,9}$/.test(value)) return Number(value)
    return switches.has(name) && (value === 'true' || value === 'false') ? value === 'true' : value
  })

const secretive = namesOf(({ isSecret }) => isSecret === true)

/** Also those of configurations. */
const secretsIn = (map: SettingsMap | Data[]): string[] =>
  Object.entries(map).flatMap(([name, value]) => {
    if (secretive.has(name)) return textsIn(value)
    return typeof value === 'object' && value !== null ? secretsIn(value) : []
  })

function textsIn(value: Data): string[] {
  if (typeof value === 'object' && value !== null) return Object.values(value).flatMap(textsIn)
  return typeof value === 'string' ? [value] : []
}

/** A text of at most two characters, such as that of an empty variable, is no secret and occurs in words of messages. */
function withoutSecrets(findings: readonly Finding[], texts: readonly string[]): Finding[] {
  const secrets = texts.filter((text) => text.length > 2)
  return findings.map((finding) => ({ ...finding, message: secrets.reduce(withoutText, finding.message) }))
}

const withoutText = (text: string, secret: string): string => text.replaceAll(JSON.stringify(secret).slice(1, -1), '…')
