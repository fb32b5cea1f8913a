/** The browser of tests. */
import { pathToFileURL } from 'node:url'
import { type Browser, chromium } from 'playwright'

const lookup = new URL('../../../../scripts/find-browser.mjs', import.meta.url).href

/** Starts Chromium headless. Rejects with advice if it is missing. */
export async function launchBrowser(): Promise<Browser> {
  // The script has no types.
  const { findBrowser }: { findBrowser(): string | undefined } = await import(lookup)
  const executablePath = findBrowser()
  if (executablePath === undefined) throw new Error('Chromium is missing. Run: node scripts/ensure-test-tools.mjs')
  // Chromium has no sandbox for root, the user of containers.
  const sandbox = process.getuid?.() === 0 ? ['--no-sandbox'] : []
  return chromium.launch({ executablePath, headless: true, args: [...sandbox, '--disable-background-networking'] })
}

export function fileAddress(path: string): string {
  return pathToFileURL(path).href
}

/** Number of pages of a PDF by Chromium. */
export const pagesOf = (pdf: Buffer): number => pdf.toString('latin1').match(/\/Type\s*\/Page\b/g)?.length ?? 0
