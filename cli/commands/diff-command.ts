import { print, printData, printError } from '../../lib/print.js'
import { diffConsole } from '../../reports/compare/diff-console.js'
import { diffJson } from '../../reports/compare/diff-json.js'
import { diffMarkdown } from '../../reports/compare/diff-markdown.js'
import { type Comparison, compareRuns } from '../../reports/summary/compare-runs.js'
import type { RunFacts } from '../../reports/summary/compared-run.js'
import { type ExitCode, exitCode } from '../console/exit-code.js'
import { chooseFormats, type DiffFormat, diffFormats } from '../output/formats.js'
import { readFacts } from '../output/run-facts.js'
import { writeTexts } from '../output/write-reports.js'

export interface DiffFlags {
  format: string[]
  out?: string
  times?: boolean
  color: boolean
}

const files: Record<Exclude<DiffFormat, 'console'>, string> = {
  markdown: 'diff.md',
  json: 'diff.json',
}

/** Exits with 1 for regressions, with 5 for an incomplete record, which may hide some. */
export async function diffCommand(before: string, after: string, flags: DiffFlags): Promise<ExitCode> {
  const formats = chooseFormats(flags.format, diffFormats)
  const [old, now] = await Promise.all([readFacts(before), readFacts(after)])
  const found = compareRuns(old, now)
  const render = (format: DiffFormat): string => rendered(format, old, now, found, flags)
  if (flags.out === undefined) {
    const texts = formats.map(render)
    for (const [index, text] of texts.entries()) {
      const whole = index + 1 === texts.length ? text.trimEnd() : text
      if (formats[index] === 'console') print(whole)
      else printData(whole)
    }
  } else {
    const wanted = formats.flatMap((format) => (format === 'console' ? [] : [format]))
    const texts = wanted.map((format): [string, string] => [files[format], render(format)])
    print(`${render('console')}\n${(await writeTexts(flags.out, texts)).join('\n')}`)
  }
  for (const [path, { defects }] of [[before, old] as const, [after, now] as const]) {
    for (const defect of defects) printError(`${path}: ${defect}`)
  }
  if (found.regressions > 0) return exitCode.notConforming
  return old.isComplete && now.isComplete ? exitCode.conforming : exitCode.incomplete
}

function rendered(
  format: DiffFormat,
  before: RunFacts,
  after: RunFacts,
  found: Comparison,
  { color, times = false }: DiffFlags,
): string {
  if (format === 'markdown') return diffMarkdown(before, after, found, { times })
  if (format === 'json') return diffJson(before, after, found, { times })
  return diffConsole(before, after, found, { color, times })
}
