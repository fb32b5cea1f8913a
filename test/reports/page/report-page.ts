import { mkdirSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import type { BrowserContextOptions, Page } from 'playwright'
import t from 'tap'
import type { RunRecord } from '../../../record/types/record.js'
import { type HtmlOptions, htmlReport } from '../../../reports/formats/html.js'
import { fileAddress, launchBrowser } from '../../support/processes/browser.js'

const browser = await launchBrowser()
t.teardown(() => browser.close())

/** Where the screenshots are left: git passes it over, and people look at it. */
const pictures = 'dist/test/screenshots'

export interface Opened {
  page: Page
  file: string
  /** Addresses that the page asked for, its own apart. */
  asked: string[]
  /** Whatever its console had to say, errors and dialogs included. */
  said: string[]
  /** Goes to a view of the page, as a link or a bookmark would. */
  goTo(hash: string): Promise<void>
  picture(name: string): Promise<Buffer>
}

export interface OpenOptions extends BrowserContextOptions, HtmlOptions {
  /** The part of the address that a deep link has. */
  hash?: string
}

let files = 0

/** Opens the record's report from disk, as its reader does, and waits for its first view. */
export async function openReport(record: RunRecord, options: OpenOptions = {}): Promise<Opened> {
  const { hash = '', baseline, view, times, signing, ...browserOptions } = options
  files += 1
  const file = join(t.testdirName, `report-${files}.html`)
  mkdirSync(t.testdirName, { recursive: true })
  writeFileSync(
    file,
    await htmlReport(record, {
      ...(baseline && { baseline }),
      ...(view && { view }),
      ...(times && { times }),
      ...(signing && { signing }),
    }),
  )
  const context = await browser.newContext({ reducedMotion: 'reduce', ...browserOptions })
  // Below the time that tap gives a file, so that what is missing has a name.
  context.setDefaultTimeout(60_000)
  const page = await context.newPage()
  const asked: string[] = []
  const said: string[] = []
  const own = fileAddress(file)
  page.on('request', (request) => request.url().split('#')[0] === own || asked.push(request.url()))
  page.on('console', (message) => said.push(message.text()))
  page.on('pageerror', (error) => said.push(error.message))
  page.on('dialog', (dialog) => said.push(dialog.message()))
  await page.goto(`${own}${hash}`)
  if (browserOptions.javaScriptEnabled !== false) await page.locator('main').waitFor()
  return {
    page,
    file,
    asked,
    said,
    goTo: (to) => page.evaluate(`location.hash = ${JSON.stringify(to)}`).then(() => undefined),
    picture: (name) => page.screenshot({ path: `${pictures}/${name}.png`, fullPage: true }),
  }
}

/** The ids of the rows in the list, as far as they are in the page. */
export const listedRows = (page: Page): Promise<string[]> => page.locator('.row-option code').allTextContents()

/** The search of the address, as a link that is sent would have it. */
export const searchOf = (page: Page): string | null =>
  new URLSearchParams(new URL(page.url()).hash.split('?')[1] ?? '').get('q')
