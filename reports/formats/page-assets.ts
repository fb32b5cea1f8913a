import { createHash } from 'node:crypto'
import { readOwnFile } from '../../lib/files/read-input.js'

export interface PageAssets {
  script: string
  style: string
  policy: string
  /** For a page without a script. */
  staticPolicy: string
}

let loaded: PageAssets | undefined

export function pageAssets(): PageAssets {
  loaded ??= load()
  return loaded
}

function load(): PageAssets {
  const script = read('page.js')
  const style = read('page.css')
  const policy = [
    "default-src 'none'",
    `style-src '${digestOf(style)}'`,
    `script-src '${digestOf(script)}'`,
    "base-uri 'none'",
    "form-action 'none'",
    // No script can convert a string to markup.
    "require-trusted-types-for 'script'",
    "trusted-types 'none'",
  ].join('; ')
  const staticPolicy = `default-src 'none'; style-src '${digestOf(style)}'; base-uri 'none'; form-action 'none'`
  return { script, style, policy, staticPolicy }
}

const read = (name: string): string => readOwnFile(new URL(`../page/${name}`, import.meta.url))

const digestOf = (text: string): string => `sha256-${createHash('sha256').update(text).digest('base64')}`
