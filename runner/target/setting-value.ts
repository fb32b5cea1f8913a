import { isJsonObject } from '../../lib/json/json.js'
import type { Data } from '../../record/types/resolved-row.js'
import { keyLocation, valueLocation } from '../yaml/locations.js'
import type { Parsed } from '../yaml/parse-yaml.js'

/** The value of a setting, and the place that gives it: paths are relative to its file, and findings name it. */
export type SettingValue = Parsed

export type SettingsMap = Record<string, Data>

// The schema check comes first: a wrong type is a fault of this program.

export function mapOf({ value, location }: SettingValue): SettingsMap {
  if (isJsonObject(value)) return value
  throw mismatch(location, 'a map')
}

export function member(setting: SettingValue | undefined, name: string): SettingValue | undefined {
  const map = setting?.value
  if (!isJsonObject(map) || !Object.hasOwn(map, name)) return undefined
  return { value: map[name] ?? null, location: valueLocation(map, name) }
}

/** `key`: the place of the name. */
export function settingsIn(
  setting: SettingValue | undefined,
): (SettingValue & { name: string; key: SettingValue['location'] })[] {
  if (!setting) return []
  const map = mapOf(setting)
  return Object.entries(map).map(([name, value]) => ({
    name,
    key: keyLocation(map, name),
    value,
    location: valueLocation(map, name),
  }))
}

export function itemsOf(setting: SettingValue | undefined): SettingValue[] {
  if (!setting) return []
  const { value: list, location } = setting
  if (!Array.isArray(list)) throw mismatch(location, 'a list')
  return list.map((value, index) => ({ value, location: valueLocation(list, index) }))
}

export function textOf({ value, location }: SettingValue): string {
  if (typeof value === 'string') return value
  throw mismatch(location, 'a string')
}

export function textAt(setting: SettingValue, name: string): string {
  const found = member(setting, name)
  if (found) return textOf(found)
  throw mismatch(setting.location, `a map with ${name}`)
}

export function optionalText(setting: SettingValue, name: string): string | undefined {
  const found = member(setting, name)
  return found && textOf(found)
}

function mismatch({ file, line, column }: SettingValue['location'], expected: string): Error {
  return new Error(`${file}:${line}:${column}: the schemas accept a value that is not ${expected}`)
}
