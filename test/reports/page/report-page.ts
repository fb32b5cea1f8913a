import { mkdirSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import type { BrowserContextOptions, Page } from 'playwright'
import t from 'tap'
import type { RunRecord } from '../../../record/types/record.js'
import { type HtmlOptions, htmlReport } from '../../../reports/formats/html.js'
import { fileAddress, launchBrowser } from '../../support/processes/browser.js'

const browser = await launchBrowser()
t.teardown(() => browser.close())

/** Ignored by git. */
const pictures = 'dist/test/screenshots'

export interface Opened {
  page: Page
  file: string
  /** Requested addresses, except the page itself. */
  requests: string[]
  /** Console messages, errors and dialogs. */
  messages: string[]
  goTo(hash: string): Promise<void>
  /** `isWhole`: the whole page, not only the first screen. */
  picture(name: string, isWhole?: boolean): Promise<Buffer>
}

export interface OpenOptions extends BrowserContextOptions, HtmlOptions {
  hash?: string
}

let files = 0

export async function openReport(record: RunRecord, options: OpenOptions = {}): Promise<Opened> {
  const { hash = '', baseline, signing, ...browserOptions } = options
  files += 1
  const file = join(t.testdirName, `report-${files}.html`)
  mkdirSync(t.testdirName, { recursive: true })
  writeFileSync(
    file,
    await htmlReport(record, {
      ...(baseline && { baseline }),
      ...(signing && { signing }),
    }),
  )
  const context = await browser.newContext({ reducedMotion: 'reduce', ...browserOptions })
  // Below the time limit of tap, so that the error names the missing element.
  context.setDefaultTimeout(60_000)
  const page = await context.newPage()
  const requests: string[] = []
  const messages: string[] = []
  const own = fileAddress(file)
  page.on('request', (request) => request.url().split('#')[0] === own || requests.push(request.url()))
  page.on('console', (message) => messages.push(message.text()))
  page.on('pageerror', (error) => messages.push(error.message))
  page.on('dialog', (dialog) => messages.push(dialog.message()))
  await page.goto(`${own}${hash}`)
  if (browserOptions.javaScriptEnabled !== false) await page.locator('main').waitFor()
  return {
    page,
    file,
    requests,
    messages,
    goTo: (to) => page.evaluate(`location.hash = ${JSON.stringify(to)}`).then(() => undefined),
    picture: (name, isWhole = true) => page.screenshot({ path: `${pictures}/${name}.png`, fullPage: isWhole }),
  }
}

export async function listedRows(page: Page): Promise<string[]> {
  await page.locator('.search-box').waitFor()
  return page.locator('.row-option code').allTextContents()
}

export const viewOf = (page: Page, view: string) => page.locator(`main[data-view=${view}]`)

export const searchOf = (page: Page): string | null =>
  new URLSearchParams(new URL(page.url()).hash.split('?')[1] ?? '').get('q')
