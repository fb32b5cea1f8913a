import { createHash } from 'node:crypto'
import { readOwnFile } from '../../lib/files/read-input.js'

export interface PageAssets {
  script: string
  style: string
  policy: string
}

/** The bundle is missing: the sources were compiled, but not built. */
export class PageNotBuilt extends Error {
  override readonly name = 'PageNotBuilt'

  constructor(file: URL, options: ErrorOptions) {
    super(`${file.pathname} is missing, and the HTML report needs it. Run: npm run build`, options)
  }
}

let loaded: PageAssets | undefined

/** Throws `PageNotBuilt`. */
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
  return { script, style, policy }
}

function read(name: string): string {
  const file = new URL(`../page/${name}`, import.meta.url)
  try {
    return readOwnFile(file)
  } catch (cause) {
    throw new PageNotBuilt(file, { cause })
  }
}

const digestOf = (text: string): string => `sha256-${createHash('sha256').update(text).digest('base64')}`
