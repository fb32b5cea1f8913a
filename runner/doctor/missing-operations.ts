/** One warning for each operation that the target lacks, with the setting that replaces it. */
import { isOperationName } from '../../interface/operations.js'
import type { AbsentOperations } from '../provision/absent-operations.js'
import { type Finding, warning } from './finding.js'

export interface MissingOperation {
  operation: string
  /** Ids of the rows that need it. */
  rows: Set<string>
  /** Ids of the rows that call it. */
  own: Set<string>
  /** Fixtures that the operation creates for rows. */
  fixtures: Set<string>
}

/** Without the operations under test whose rows alone need them: these rows have one cause in the report. */
export function describeMissing(missing: readonly MissingOperation[], absent: AbsentOperations): Finding[] {
  return missing.flatMap((one) => {
    const { operation, rows, own, fixtures } = one
    if (isOperationName(operation) && fixtures.size === 0) return []
    const number = rows.size === 1 ? '1 selected row needs' : `${rows.size} selected rows need`
    const what = `${absent.get(operation)}, and ${number} it`
    const advice = [...replacements(one), ...(own.size > 0 && fixtures.size > 0 ? [ownRows(own.size)] : [])].join(' ')
    return [warning('operations', 'operation-absent', what, { advice, facts: { operation, fixtures: [...fixtures] } })]
  })
}

const ownRows = (rows: number): string => `${rows} of them call it themselves.`

function replacements({ operation, fixtures, own }: MissingOperation): string[] {
  const names = [...fixtures]
  if (operation === 'allocate-party')
    return [`Name existing parties: --party ${names.map((name) => `${name}=ID`).join(' ')}.`]
  if (operation === 'connected-synchronizers') return ['Set --synchronizer.']
  if (operation === 'prepare' && own.size > 0)
    return ['Add presigned transactions to a target file, with unreachable: [prepare].']
  if (names.length > 0) return [`State these fixtures under given in a target file: ${names.join(', ')}.`]
  return ['No setting replaces it.']
}
