/** The answers of a conforming simulator, without and with authorization. */

import { variablesOf } from '../runner/template/variables.js'
import { performAt } from './environment.js'
import type { Snapshots } from './snapshots.js'
import { type SweptChange, type SweptRow, sweep } from './sweep/sweep.js'

const profile = 'canton-3.5'

/** Rejects as a run does. */
export async function sweepOperation(snapshots: Snapshots, operation: string): Promise<SweptChange[]> {
  const rows = new Map<string, SweptRow>()
  for (const circumstances of [{}, { authorization: true as const }]) {
    const { environment, start } = await snapshots.of(circumstances, profile)
    const { variables } = environment.provisioned.fixtures
    const { url, close } = await start()
    try {
      await performAt(
        environment,
        url,
        (row) => row.operation === operation && !rows.has(row.id),
        (row) => {
          if (row.verdict === 'pass')
            rows.set(row.id, { row, variables: new Map([...variables, ...variablesOf(row.variables)]) })
        },
      )
    } finally {
      await close()
    }
  }
  return sweep([...rows.values()], [operation])
}
