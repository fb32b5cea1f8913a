import { pathToFileURL } from 'node:url'
import { type Browser, chromium } from 'playwright'

const lookup = new URL('../../../../scripts/find-browser.mjs', import.meta.url).href

/** The Chromium that `npm test` has made sure of, started headless; throws with advice where there is none. */
export async function launchBrowser(): Promise<Browser> {
  // The script is plain JavaScript outside of the compiled tree, so its type stands here.
  const { findBrowser }: { findBrowser(): string | undefined } = await import(lookup)
  const executablePath = findBrowser()
  if (executablePath === undefined) throw new Error('No Chromium was found. Run: node scripts/ensure-test-tools.mjs')
  // Chromium refuses to start its sandbox as root, which is what containers run as.
  const sandbox = process.getuid?.() === 0 ? ['--no-sandbox'] : []
  return chromium.launch({ executablePath, headless: true, args: [...sandbox, '--disable-background-networking'] })
}

/** The address under which a browser opens a file from disk. */
export function fileAddress(path: string): string {
  return pathToFileURL(path).href
}

/** Pages of a PDF as Chromium makes it. */
export const pagesOf = (pdf: Buffer): number => pdf.toString('latin1').match(/\/Type\s*\/Page\b/g)?.length ?? 0
