/** The folder of an exploration: each finding as a case, as a script, and so that it can be played again. */
import { mkdir, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { historySvg } from '../explore/histories/history-svg.js'
import type { Exploration } from '../explore/run-exploration.js'
import { savedText } from '../explore/saved-finding.js'

/** Below the folder of results; returns its path. Rejects with what the file system does. */
export async function writeExploration(explored: Exploration, results: string): Promise<string> {
  const folder = join(results, `explore-${explored.seed}`)
  await mkdir(folder, { recursive: true })
  for (const finding of explored.findings) {
    const { id, yaml, curl } = finding
    await writeFile(join(folder, `${id}.json`), savedText(finding))
    await writeFile(join(folder, `${id}.sh`), curl)
    if (yaml !== undefined) await writeFile(join(folder, `${id}.yaml`), yaml)
  }
  for (const history of explored.histories) await writeFile(join(folder, `${history.id}.svg`), historySvg(history))
  return folder
}
