/** The details of a row in a component. */
import { useEffect, useState } from 'preact/hooks'
import type { PageRow, RowDetails } from '../../formats/page-data.js'
import type { LoadedRun } from './loaded-run.js'

/** Undefined while they are unpacked. Throws for damaged details, to an error boundary. */
export function useDetails(run: LoadedRun, row: PageRow): RowDetails | undefined {
  const [details, setDetails] = useState(() => run.detailsNow(row))
  const [problem, setProblem] = useState<Error>()
  useEffect(() => {
    let isWanted = true
    run.details(row).then(
      (found) => isWanted && setDetails(found),
      (error: unknown) => isWanted && setProblem(new Error('the details of the row are damaged', { cause: error })),
    )
    return () => {
      isWanted = false
    }
  }, [run, row])
  if (problem) throw problem
  return details
}
