import { useEffect, useState } from 'preact/hooks'
import type { PageRow, RowDetails } from '../page-data.js'
import type { LoadedRun } from './loaded-run.js'

/** What stands behind the row; undefined for the moment in which it is unpacked. */
export function useDetails(run: LoadedRun, row: PageRow): RowDetails | undefined {
  const [details, setDetails] = useState(() => run.detailsNow(row))
  useEffect(() => {
    let isWanted = true
    void run.details(row).then((found) => {
      if (isWanted) setDetails(found)
    })
    return () => {
      isWanted = false
    }
  }, [run, row])
  return details
}
