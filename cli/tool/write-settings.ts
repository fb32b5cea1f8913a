/**
 * Writes the table of settings into suites/schema/target.schema.json (`properties`, and those of the definition `configuration`) and
 * into docs/reference/settings.md. With `--current`, fails if one of them differs.
 */
import { readFileSync, writeFileSync } from 'node:fs'
import { printMistake } from '../../lib/print.js'
import { largestCount, optionsOf, type Setting } from '../../runner/target/setting.js'
import { settings } from '../../runner/target/settings-table.js'

type Schema = Record<string, unknown>

const reference = (definition: string): Schema => ({ $ref: `#/definitions/${definition}` })

/** Strings, lists and maps must not be empty. */
function valueSchema({ value, least = 1, items }: Setting): Schema {
  if (typeof value === 'object') return reference(value.definition)
  switch (value) {
    case 'text':
      return { type: 'string', minLength: 1 }
    case 'count':
      return { type: 'integer', minimum: least, maximum: largestCount }
    case 'switch':
      return { type: 'boolean' }
    case 'list':
      return { type: 'array', minItems: 1, items: itemSchema(items) }
    case 'map':
      return { type: 'object', minProperties: 1, additionalProperties: itemSchema(items) }
  }
}

function itemSchema(items: Setting['items']): Schema {
  if (typeof items !== 'object') return { description: items, type: 'string', minLength: 1 }
  if ('definition' in items) return reference(items.definition)
  const { kind, description, values } = items
  return { title: kind, ...(description !== undefined && { description }), enum: values }
}

const sentence = (text: string): string => `${text.charAt(0).toUpperCase()}${text.slice(1).replaceAll('`', '')}.`

function schemaOf(setting: Setting): Schema {
  const { description, default: value } = setting
  const defaults = value === undefined ? '' : ` Default: ${value}.`
  return { description: sentence(description) + defaults, ...valueSchema(setting), ...setting.schema }
}

function targetSchema(text: string): string {
  const {
    properties: _,
    definitions,
    ...head
  }: { properties: Schema; definitions: Record<string, Schema> } = JSON.parse(text)
  const own = settings.filter((setting: Setting) => setting.configuration !== undefined)
  const configuration = {
    ...definitions['configuration'],
    properties: Object.fromEntries(own.map(({ name }) => [name, { $ref: `#/properties/${name}` }])),
  }
  const properties = Object.fromEntries(settings.map((setting) => [setting.name, schemaOf(setting)]))
  return JSON.stringify({ ...head, properties, definitions: { ...definitions, configuration } })
}

function lineOf(setting: Setting): string {
  const { name, description, more, otherwise = 'none' } = setting
  const named = optionsOf(setting)
    .map((option) => `\`--${option.name}\``)
    .join(', ')
  const meaning = more === undefined ? description : `${description}. ${more}`
  return `| \`${name}\` |${named === '' ? '' : ` ${named}`} | ${meaning} | ${setting.default ?? otherwise} |`
}

const tableLines = /(?<=^\| In a file .*\n.*\n)(?:\|.*\n)+/m

function settingsPage(text: string): string {
  if (!tableLines.test(text)) throw new Error('docs/reference/settings.md has no table of settings')
  return text.replace(tableLines, settings.map((setting) => `${lineOf(setting)}\n`).join(''))
}

const files = [
  {
    path: 'suites/schema/target.schema.json',
    written: targetSchema,
    compared: (text: string) => JSON.stringify(JSON.parse(text)),
  },
  { path: 'docs/reference/settings.md', written: settingsPage, compared: (text: string) => text },
]

for (const { path, written, compared } of files) {
  const text = readFileSync(path, 'utf8')
  const current = written(text)
  if (current === compared(text)) continue
  if (process.argv.includes('--current')) {
    printMistake(`${path} differs from runner/target/settings-table.ts. Run: npm run settings`)
    process.exitCode = 1
  } else writeFileSync(path, current)
}
