import { type SupportShape, supportShapes } from '../../../interface/support-shapes.js'
import { type JsonValue, printJson } from '../../../lib/json/json.js'
import { printData } from '../../../lib/print.js'
import { findUnknownName } from '../../../lib/suggest.js'
import { UsageError } from '../../../lib/usage-error.js'
import { presignedOperations } from '../../../runner/plan/needed-operations.js'
import { callOf, planSupport, type SupportStep } from '../../../runner/plan/support-steps.js'
import { resolveSuite } from '../../../runner/resolve/resolve-suite.js'
import { type ExitCode, exitCode } from '../../console/exit-code.js'
import { type TableFlags, tableOf } from '../../console/table.js'
import { loadWithProfile } from '../../target/profile-of.js'
import { suiteSettings } from '../../target/settings.js'

export interface ListSupportFlags extends TableFlags {
  suite?: string
  operations?: string[]
  given?: true
  markdown?: true
  shapes?: true
}

/** Rejects with `UsageError`, and like `suiteSettings` and `loadWithProfile`. */
export async function listSupportCommand(flags: ListSupportFlags): Promise<ExitCode> {
  if (flags.shapes) return printShapes(flags)
  const settings = await suiteSettings({ suite: flags.suite })
  const { suite, profile } = await loadWithProfile(settings)
  const resolved = resolveSuite(suite, profile, settings.protocolVersion)
  const known = [...new Set(resolved.rows.map(({ operation }) => operation))]
  const operations = flags.operations ?? known
  const unknown = findUnknownName(operations, known)
  if (unknown !== undefined) throw new UsageError(`operations: no rows test ${unknown}`)
  const { steps, others } = planSupport(resolved, { operations, isGiven: flags.given === true })
  const table = tableOf(
    steps.map(({ add, rows, total }) => ({ add, rows, total })),
    flags,
  )
  if (table !== undefined) printData(table)
  else if (flags.markdown) printData(markdownOf(steps))
  else printSteps(steps, others)
  return exitCode.conforming
}

function printShapes(flags: ListSupportFlags): ExitCode {
  const shapes = supportShapes()
  const text = (value: JsonValue | undefined): string => (value === undefined ? '' : printJson(value))
  const table = tableOf(
    shapes.map(({ call, summary, request, answer }) => ({
      call,
      summary,
      request: text(request),
      answer: text(answer),
    })),
    flags,
  )
  if (table !== undefined) printData(table)
  else if (flags.markdown) printData(shapesMarkdown(shapes))
  else
    for (const { call, summary, request, answer } of shapes) {
      printData(`${call}\n  ${summary}`)
      if (request !== undefined) printData(`  request  ${text(request)}`)
      printData(`  answer   ${answer === undefined ? 'any 2xx answer' : text(answer)}`)
    }
  return exitCode.conforming
}

const shapesMarkdown = (shapes: readonly SupportShape[]): string =>
  [
    '| Operation | Request | Smallest usable answer |',
    '|---|---|---|',
    ...shapes.map(({ call, request, answer }) => {
      const cell = (value: JsonValue | undefined): string => (value === undefined ? '' : `\`${printJson(value)}\``)
      return `| \`${call}\` | ${cell(request)} | ${answer === undefined ? 'any 2xx answer' : cell(answer)} |`
    }),
  ].join('\n')

const begin = 'the tested operations'

const markdownOf = (steps: readonly SupportStep[]): string =>
  [
    '| Add | Rows | Total |',
    '|---|---|---|',
    ...steps.map(({ add, rows, total }) => {
      const calls = add.map((name) => `\`${callOf(name)}\``)
      return `| ${calls.length === 0 ? begin : calls.join(', ')} | ${rows} | ${total} |`
    }),
  ].join('\n')

function printSteps(steps: readonly SupportStep[], others: number): void {
  for (const { add, rows, total } of steps) {
    const [first = begin, ...more] = add.map(callOf)
    printData(`${String(rows).padStart(6)} ${String(total).padStart(6)}  ${first}`)
    for (const call of more) printData(`${' '.repeat(15)}${call}`)
  }
  const calls = presignedOperations.map(callOf).join(' and ')
  printData(`\nPresigned transactions replace prepare. They need ${calls}.`)
  if (others > 0) printData(`${others} more rows need tokens, a second synchronizer or --allow hazard`)
}
