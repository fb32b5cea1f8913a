import { pathToFileURL } from 'node:url'
import { inflateSync } from 'node:zlib'
import { type Browser, chromium } from 'playwright'

const lookup = new URL('../../../../tools/tests/find-browser.mjs', import.meta.url).href

/** Rejects with advice if Chromium is missing. */
export async function findChromium(): Promise<{ path: string; args: string[] }> {
  // The script has no types.
  const { findBrowser }: { findBrowser(): string | undefined } = await import(lookup)
  const path = findBrowser()
  if (path === undefined) throw new Error('Chromium is missing. Run: node tools/tests/ensure-test-tools.mjs')
  // Chromium has no sandbox for root.
  return { path, args: process.getuid?.() === 0 ? ['--no-sandbox'] : [] }
}

/** Rejects like `findChromium`. */
export async function launchBrowser(): Promise<Browser> {
  const { path, args } = await findChromium()
  return chromium.launch({ executablePath: path, headless: true, args: [...args, '--disable-background-networking'] })
}

export function fileAddress(path: string): string {
  return pathToFileURL(path).href
}

/** The number of printed strings on each page of a PDF by Chromium, whose page objects are not compressed. */
export function textsOnPages(pdf: Buffer): number[] {
  const file = pdf.toString('latin1')
  const objects = new Map(
    [...file.matchAll(/(?:^|\n)(\d+ 0) obj\b(.*?)endobj/gs)].map(([, id, body = '']) => [id, body]),
  )
  const pages = [...objects.values()].filter((body) => /\/Type\s*\/Page\b/.test(body))
  return pages.map((page) => {
    const content = objects.get(/\/Contents (\d+ 0) R/.exec(page)?.[1]) ?? ''
    const stream = /stream\r?\n(.*)\r?\nendstream/s.exec(content)?.[1] ?? ''
    return (
      inflateSync(Buffer.from(stream, 'latin1'))
        .toString('latin1')
        .match(/\bT[jJ]\b/g)?.length ?? 0
    )
  })
}

export const pagesOf = (pdf: Buffer): number => textsOnPages(pdf).length
