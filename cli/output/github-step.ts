import { OutputError } from '../../lib/files/file-errors.js'
import { appendOutput } from '../../lib/files/write-output.js'
import { printData, printMistake } from '../../lib/print.js'
import type { RunRecord } from '../../record/types/record.js'
import { githubAnnotations } from '../../reports/formats/github.js'
import { markdownReport } from '../../reports/formats/markdown.js'
import type { ComparedRun } from '../../reports/summary/compared-run.js'

const summaryVariable = 'GITHUB_STEP_SUMMARY'

/** Prints the annotations, and appends the summary to the file of the step. Prints an error of writing; the exit code does not change. */
export async function reportToGithub(
  record: RunRecord,
  baseline: ComparedRun | undefined,
  environment: NodeJS.ProcessEnv,
): Promise<void> {
  const annotations = githubAnnotations(record, baseline)
  if (annotations !== '') printData(annotations)
  const file = environment[summaryVariable] ?? ''
  if (file === '') return
  try {
    await appendOutput(file, markdownReport(record, baseline))
  } catch (error) {
    if (!(error instanceof OutputError)) throw error
    printMistake(`${summaryVariable}: ${error.message}; the step has no summary`)
  }
}
