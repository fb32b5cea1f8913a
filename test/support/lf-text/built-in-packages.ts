/**
 * The packages that every participant has. `model/built-in` contains each one as text, and as the JSON that the simulator reads.
 * `node dist/test/support/lf-text/built-in-packages.js` writes the JSON.
 */
import { readdirSync, readFileSync, writeFileSync } from 'node:fs'
import { fileURLToPath } from 'node:url'
import { builtInPackages } from '../../../simulator/ledger/packages/package-store.js'
import { readPackageText } from './package.js'

const folder = new URL('../../../../model/built-in/', import.meta.url)

const textFiles = readdirSync(folder).filter((name) => name.endsWith('.lf'))

/** By file name: the JSON of the text. */
export const storedPackages: ReadonlyMap<string, string> = new Map(
  textFiles.map((name) => {
    const found = [...builtInPackages.values()].find((one) => name === `${one.name}-${one.version}.lf`)
    if (!found) throw new Error(`the simulator has no package ${name}`)
    const content = readPackageText(readFileSync(new URL(name, folder), 'utf8'), found.id, found.language)
    return [name.replace(/lf$/, 'json'), `${JSON.stringify(content, stored)}\n`]
  }),
)

export const readStored = (name: string): string => readFileSync(new URL(name, folder), 'utf8')

function stored(_: string, value: unknown): unknown {
  if (value instanceof Map) return { $map: [...value] }
  return typeof value === 'bigint' ? { $integer: String(value) } : value
}

if (process.argv[1] === fileURLToPath(import.meta.url))
  for (const [name, json] of storedPackages) writeFileSync(new URL(name, folder), json)
