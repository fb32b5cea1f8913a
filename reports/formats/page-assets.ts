import { createHash } from 'node:crypto'
import { readOwnFile } from '../../lib/files/own-file.js'

/** The page's program and style, as `npm run build` has bundled them, with the policy that lets these two alone act. */
export interface PageAssets {
  script: string
  style: string
  policy: string
}

/** The bundle is not there: the tool was compiled, but not built. */
export class PageNotBuilt extends Error {
  override readonly name = 'PageNotBuilt'

  constructor(file: URL, options: ErrorOptions) {
    super(`${file.pathname} is missing, so no HTML report can be made. Run: npm run build`, options)
  }
}

let loaded: PageAssets | undefined

/** Reads the bundle once per process. Throws `PageNotBuilt`. */
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
    // What makes markup of texts is off, even for the page's own program.
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
