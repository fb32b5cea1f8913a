import { type CamelCase, camelCase } from '../../lib/camel-case.js'
import { UsageError } from '../../lib/usage-error.js'
import { permissionNames } from '../../record/types/effects.js'
import type { Permissions } from './permissions.js'
import type { Setting } from './setting.js'
import { itemsOf, member, type SettingValue, textOf } from './setting-value.js'
import { settings } from './settings-table.js'

type Entry = Extract<(typeof settings)[number], { of: 'run' }>
type NameOf<One extends Entry> = One extends { member: infer Name extends string } ? Name : CamelCase<One['name']>
type ValueOf<One extends Entry> = One extends { value: 'list'; items: { values: readonly (infer Item)[] } }
  ? readonly Item[]
  : { text: string; count: number; switch: boolean; list: readonly string[] }[One['value']]

type Values = { [One in Entry as NameOf<One>]?: ValueOf<One> }

/** Absent settings have defaults. The table states the units of counts. */
export interface RunSettings extends Omit<Values, 'wait' | 'allow' | 'redact'> {
  /** Milliseconds. */
  wait?: number
  allow?: Permissions
  redact: readonly string[]
}

const runEntries: readonly Setting[] = settings.filter(({ of }) => of === 'run')

export function readRunSettings(root: SettingValue, wait: number | undefined): RunSettings {
  const values = runEntries.flatMap((setting) => {
    const node = member(root, setting.name)
    return node ? [[setting.member ?? camelCase(setting.name), readValue(setting, node)]] : []
  })
  const { wait: _, allow, redact = [], ...others } = Object.fromEntries(values) as Values // as the table states
  return {
    ...others,
    ...(wait !== undefined && { wait }),
    // Reading is always permitted.
    ...(allow && { allow: new Set(permissionNames.filter((name) => name === 'read' || allow.includes(name))) }),
    redact,
  }
}

/** Known values occur once, in the order of the table. */
function readValue({ value, items }: Setting, node: SettingValue): unknown {
  if (value !== 'list') return node.value
  const texts = Array.isArray(node.value) ? itemsOf(node).map(textOf) : [textOf(node)]
  return typeof items === 'object' && 'values' in items ? items.values.filter((one) => texts.includes(one)) : texts
}

/** Seconds. */
const longestWait = 24 * 60 * 60

/** Milliseconds. Throws `UsageError`. */
export function readWait(node: SettingValue): number {
  const [, amount, unit = 's'] = /^(\d{1,6})(s|m)?$/.exec(String(node.value)) ?? []
  const seconds = Number(amount) * (unit === 'm' ? 60 : 1)
  if (seconds > 0 && seconds <= longestWait) return seconds * 1000
  throw new UsageError('wait: expected seconds or minutes, such as 60s or 5m, at most a day')
}
