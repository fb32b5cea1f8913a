import { variableIn } from '../../lib/environment.js'
import { readInputText } from '../../lib/files/read-input.js'
import { suspectSecret } from '../../lib/redaction/redaction.js'
import { checkShape } from '../yaml/check-shape.js'
import { type Finding, FindingList, FindingsError, unreadable } from '../yaml/findings.js'
import { type Entry, entriesOf, itemsOf, type Located, mapOf, member } from '../yaml/located.js'
import { parseYaml } from '../yaml/parse-yaml.js'
import { loadSchemas, shownPath } from '../yaml/suite-files.js'
import type { Setting } from './setting.js'
import { settings } from './settings-table.js'

const source = /^(?:command|env|file):/

/** A variable, or "$${", which yields "${". */
const reference = /\$(\$\{|\{([A-Za-z_]\w*)\})/g

/**
 * Fills variables. Only the author of the settings may choose commands and files. Adds the values, which may be secrets,
 * to `filled`.
 */
function expandEnvironment(
  node: Located,
  environment: NodeJS.ProcessEnv,
  findings: FindingList,
  filled: Set<string>,
): Located {
  const expand = (value: Located): Located => expandEnvironment(value, environment, findings, filled)
  const { content } = node
  if (Array.isArray(content)) return { ...node, content: content.map(expand) }
  if (content instanceof Map) {
    const entries = [...content].map(([name, entry]) => [name, { ...entry, value: expand(entry.value) }] as const)
    return { ...node, content: new Map(entries) }
  }
  if (typeof content !== 'string') return node
  const text = content.replace(reference, (found: string, inside: string, name: string | undefined, offset: number) => {
    if (name === undefined) return inside
    const value = variableIn(environment, name)
    if (value === undefined) {
      const { column } = node.location
      findings.add({ ...node.location, column: column + offset }, `the environment variable ${name} is not set`)
      return found
    }
    filled.add(value)
    suspectSecret(value, `environment variable ${name}`)
    return value
  })
  if (source.test(text) && !source.test(content)) {
    const message = 'the variable must contain the token itself; write command:, env: or file: before the variable'
    findings.add(node.location, message)
  }
  return { ...node, content: text }
}

export interface SettingsLayer {
  /** Undefined for the environment and the command line. */
  file?: string
  /** Absent if it may contain a secret: findings print its lines. */
  text?: string
  root: Located
}

/** With `section`, reads only that optional member. Rejects with `FindingsError`. */
export async function readTargetFile(
  path: string,
  environment: NodeJS.ProcessEnv,
  section?: string,
): Promise<SettingsLayer> {
  const shown = shownPath(path)
  const text = await textAt(path, shown)
  // Findings print their line, except of files with secrets.
  const findings = new FindingList(new Map(mayHoldSecret(text) ? [] : [[shown, text]]))
  const filled = new Set<string>()
  const whole = mapIn(parseYaml(shown, text, findings), findings)
  const parsed = whole && section !== undefined ? keepMembers(whole, (name) => name === section) : whole
  const root = parsed && withTypes(expandEnvironment(parsed, environment, findings, filled))
  const file = { name: shown, kind: 'target' as const, text }
  if (root && (section === undefined || member(root, section)))
    checkShape({ file, kind: 'target', root }, await loadSchemas(), findings)
  const found = findings.sorted()
  if (found.length === 0 && root) return { file: shown, root, ...(!mayHoldSecret(text) && { text }) }
  throw new FindingsError('target', withoutSecrets(found, root ? [...filled, ...secretsIn(root)] : [...filled]))
}

const keepMembers = (root: Located, isKept: (name: string) => boolean): Located => ({
  ...root,
  content: mapOf(entriesOf(root).filter(({ name }) => isKept(name))),
})

/** Earlier layers override later ones. */
export function mergeLayers(layers: readonly SettingsLayer[]): Located {
  const [first, ...rest] = layers.map(({ root }) => root)
  if (!first) throw new Error('no layer of settings')
  return rest.reduce((merged, next) => mergeMaps(merged, next, 0), first)
}

const namesOf = (isWanted: (setting: Setting) => boolean): ReadonlySet<string> =>
  new Set(settings.filter(isWanted).map(({ name }) => name))

const combinedLevels = new Map(settings.map(({ name, combined }: Setting) => [name, combined ?? 0]))

function mergeMaps(strong: Located, weak: Located, deep: number): Located {
  const entries = new Map<string, Entry>(entriesOf(weak).map((entry) => [entry.name, entry]))
  for (const own of entriesOf(strong)) {
    const other = entries.get(own.name)
    const levels = deep > 0 ? deep - 1 : (combinedLevels.get(own.name) ?? 0)
    const isBoth = own.value.content instanceof Map && other?.value.content instanceof Map
    entries.set(own.name, isBoth && levels > 0 ? { ...own, value: mergeMaps(own.value, other.value, levels) } : own)
  }
  return { ...strong, content: entries }
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

const mayHoldSecret = (text: string): boolean =>
  /authori[sz]ation|hs256|secret|token|headers|passphrase|proxy|\$\{/i.test(text)

/** The finding omits the content, which may be a secret. */
function mapIn(root: Located | undefined, findings: FindingList): Located | undefined {
  if (!root || root.content instanceof Map) return root
  findings.add(root.location, 'a target file must be a map', 'for example, target: https://participant.example')
  return undefined
}

const numbers = namesOf(({ value }) => value === 'count')
const switches = namesOf(({ value }) => value === 'switch')

/** Filled-in values are strings. */
function withTypes(root: Located): Located {
  const entries = entriesOf(root).map((entry): [string, Entry] => {
    const { content } = entry.value
    if (entry.name === 'configurations' && Array.isArray(content)) {
      const items = content.map((item) => (item.content instanceof Map ? withTypes(item) : item))
      return [entry.name, { ...entry, value: { ...entry.value, content: items } }]
    }
    const isNumber = numbers.has(entry.name) && typeof content === 'string' && /^\d{1,9}$/.test(content)
    const isSwitch = switches.has(entry.name) && (content === 'true' || content === 'false')
    const typed = isNumber ? Number(content) : isSwitch ? content === 'true' : content
    return [entry.name, { ...entry, value: { ...entry.value, content: typed } }]
  })
  return { ...root, content: new Map(entries) }
}

const secretive = namesOf(({ isSecret }) => isSecret === true)

const secretsIn = (root: Located): string[] =>
  entriesOf(root).flatMap(({ name, value }) => (secretive.has(name) ? textsIn(value) : secretsOfItems(name, value)))

const secretsOfItems = (name: string, { content }: Located): string[] =>
  name === 'configurations' && Array.isArray(content)
    ? content.flatMap((item) => (item.content instanceof Map ? secretsIn(item) : []))
    : []

function textsIn({ content }: Located): string[] {
  if (Array.isArray(content)) return content.flatMap(textsIn)
  if (content instanceof Map) return [...content.values()].flatMap(({ value }) => textsIn(value))
  return typeof content === 'string' && content.length > 2 ? [content] : []
}

const withoutSecrets = (findings: readonly Finding[], secrets: readonly string[]): Finding[] =>
  findings.map((finding) => ({ ...finding, message: secrets.reduce(withoutText, finding.message) }))

const withoutText = (text: string, secret: string): string => text.replaceAll(JSON.stringify(secret).slice(1, -1), '…')
