/** Apart from report-page.ts, which launches a browser. */
import { readFileSync } from 'node:fs'
import type { AxeResults } from 'axe-core'
import type { Page } from 'playwright'

const axe = readFileSync('node_modules/axe-core/axe.min.js', 'utf8')

/** Default: all rules of axe, best practices included. */
export async function violations(page: Page, rules?: readonly string[]): Promise<object[]> {
  await page.evaluate(axe)
  const options = rules === undefined ? {} : { runOnly: rules }
  const { violations, passes } = await page.evaluate<AxeResults>(`axe.run(${JSON.stringify(options)})`)
  if (!passes.some(({ id }) => id === 'color-contrast')) return [{ id: 'axe did not check the contrast' }]
  return violations.map(({ id, nodes }) => ({ id, where: nodes.slice(0, 3).map(({ html }) => html) }))
}
