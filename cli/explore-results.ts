/** The folder of an exploration: its reports, and each finding as a case, as a script, and so that it can be played again. */
import { join } from 'node:path'
import { recordOf } from '../explore/record-exploration.js'
import type { Exploration } from '../explore/run-exploration.js'
import { savedText } from '../explore/saved-finding.js'
import { exploredHtml } from '../reports/explored-html.js'
import { exploredJunit } from '../reports/explored-junit.js'
import { writeTexts } from './write-reports.js'

/** Of the exploration with that seed, below the folder of results. */
export const explorationFolder = (results: string, seed: string): string =>
  join(results, `explore-${seed.replace(/[^\w.-]/g, '_')}`)

/** Rejects with `UsageError`. */
export async function writeExploration(
  explored: Exploration,
  folder: string,
  told: Parameters<typeof recordOf>[1],
): Promise<void> {
  const record = recordOf(explored, told)
  const files: [name: string, text: string][] = [
    ['exploration.json', `${JSON.stringify(record, undefined, 2)}\n`],
    ['report.html', exploredHtml(record)],
    ['junit.xml', exploredJunit(record)],
    ...record.histories.map(({ id, svg }): [string, string] => [`${id}.svg`, svg]),
    ...explored.findings.flatMap((finding): [string, string][] => [
      [`${finding.id}.json`, savedText(finding)],
      [`${finding.id}.sh`, finding.curl],
      ...(finding.yaml === undefined ? [] : ([[`${finding.id}.yaml`, finding.yaml]] as [string, string][])),
    ]),
  ]
  await writeTexts(folder, files)
}
