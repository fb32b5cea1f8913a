import { useEffect, useState } from 'preact/hooks'
import type { PageRow, RowDetails } from '../../formats/page-data.js'
import type { LoadedRun } from './loaded-run.js'

/** What stands behind the row; undefined for the moment in which it is unpacked. Throws, for a guard, what cannot be. */
export function useDetails(run: LoadedRun, row: PageRow): RowDetails | undefined {
  const [details, setDetails] = useState(() => run.detailsNow(row))
  const [problem, setProblem] = useState<Error>()
  useEffect(() => {
    let isWanted = true
    run.details(row).then(
      (found) => isWanted && setDetails(found),
      (error: unknown) => isWanted && setProblem(new Error('what stands behind the row is damaged', { cause: error })),
    )
    return () => {
      isWanted = false
    }
  }, [run, row])
  if (problem) throw problem
  return details
}
