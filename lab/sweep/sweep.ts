/**
 * Changes each member of the answers of a conforming participant, in all answers of one operation and class, and judges
 * the rows that received them again. Steps after a changed answer keep the answers of the conforming participant.
 */
import { isJsonObject, type JsonValue, parseJson, printJson } from '../../lib/json/json.js'
import type { Evidence, RunRow } from '../../record/types/record.js'
import { answerOf } from '../../runner/judge/answer.js'
import { judgeRow } from '../../runner/judge/judge-row.js'
import { valueAt } from '../../runner/template/pointer.js'
import type { Variables } from '../../runner/template/variables.js'
import { type Change, changes } from './changes.js'
import { reasonOf } from './free.js'
import { changeAt, pathsIn } from './members.js'

/** As it stands in the mutation report. */
export interface SweptChange {
  operation: string
  /** Status, and code or media type: `400 INVALID_ARGUMENT`. */
  kind: string
  path: string
  change: string
  /** The first row that fails, and a rule of the unmet expectation. */
  killed?: { row: string; rule: string }
  /** The sentence that leaves the value open. */
  free?: string
}

export interface SweptRow {
  row: RunRow
  variables: Variables
}

type Response = NonNullable<Evidence['response']>

/** Changes of a whole response; undefined: the change does not apply. */
type ResponseChange = (response: Response) => Response | undefined

const ofStatus: ResponseChange = (response) => ({
  ...response,
  status: response.status + (response.status % 100 === 22 ? 1 : 22),
})

const ofMediaType =
  (value: string | undefined): ResponseChange =>
  (response) => ({
    ...response,
    headers: response.headers.flatMap(([name, text]): [string, string][] =>
      name.toLowerCase() !== 'content-type' ? [[name, text]] : value === undefined ? [] : [[name, value]],
    ),
  })

const withText = (response: Response, text: string): Response => ({
  ...response,
  body: { text, bytes: Buffer.byteLength(text) },
})

const ofMember =
  (path: string, change: Change): ResponseChange =>
  (response) => {
    const json = jsonOf(response)
    const changed = json === undefined ? json : changeAt(json, path.split('/').slice(1), change)
    return changed === undefined || changed === json ? undefined : withText(response, printJson(changed))
  }

const jsonOf = ({ body: { text = '' } }: Response): JsonValue | undefined =>
  /^\s*[[{]/.test(text) ? parseJson(text) : undefined

function kindOf(response: Response): string {
  const json = jsonOf(response)
  if (response.status < 300) return String(response.status)
  const code = isJsonObject(json) ? json['code'] : undefined
  // Codes that are sentences differ in each answer.
  return `${response.status} ${typeof code !== 'string' ? 'text' : /^\w+$/.test(code) ? code : 'sentence'}`
}

export function sweep(rows: readonly SweptRow[], operations: readonly string[]): SweptChange[] {
  return operations.flatMap((operation) => {
    const kinds = new Map<string, SweptRow[]>()
    for (const one of rows)
      for (const kind of new Set(answersOf(one, operation).map((response) => kindOf(response))))
        kinds.set(kind, [...(kinds.get(kind) ?? []), one])
    return [...kinds].toSorted(([a], [b]) => (a < b ? -1 : 1)).flatMap(([kind, own]) => sweepKind(operation, kind, own))
  })
}

const answersOf = ({ row }: SweptRow, operation: string): Response[] =>
  row.evidence.flatMap((one) => (isOf(one, row, operation) && one.response ? [one.response] : []))

const isOf = ({ role, step }: Evidence, { resolved }: RunRow, operation: string): boolean =>
  role !== 'late-check' && resolved.steps[step]?.operation === operation

function sweepKind(operation: string, kind: string, rows: readonly SweptRow[]): SweptChange[] {
  const answers = rows.flatMap((one) => answersOf(one, operation)).filter((response) => kindOf(response) === kind)
  const paths = new Set(answers.flatMap((response) => [...pathsIn(jsonOf(response) ?? null)]))
  const own: [path: string, change: string, by: ResponseChange][] = [
    ['(status)', 'another of its class', ofStatus],
    ['(media type)', 'another', ofMediaType('text/html')],
    ['(media type)', 'absent', ofMediaType(undefined)],
    ...(paths.size === 0
      ? [['(body)', 'empty', (response) => withText(response, '')] as [string, string, ResponseChange]]
      : []),
    ...[...paths].flatMap((path) =>
      [...changes].map(([name, change]): [string, string, ResponseChange] => [path, name, ofMember(path, change)]),
    ),
  ]
  return own.flatMap(([path, change, by]) => {
    if (!answers.some((response) => by(response) !== undefined)) return []
    const killed = killerOf(rows, operation, kind, by)
    const free = killed ? undefined : reasonOf({ operation, kind, path, change })
    return [{ operation, kind, path, change, ...(killed && { killed }), ...(free !== undefined && { free }) }]
  })
}

function killerOf(
  rows: readonly SweptRow[],
  operation: string,
  kind: string,
  by: ResponseChange,
): SweptChange['killed'] {
  for (const { row, variables } of rows) {
    let isChanged = false
    const evidence = row.evidence.map((one) => {
      const changed =
        isOf(one, row, operation) && one.response && kindOf(one.response) === kind ? by(one.response) : undefined
      isChanged ||= changed !== undefined
      return changed ? { ...one, response: changed } : one
    })
    if (!isChanged) continue
    const judged = judgeRow(row.resolved, {
      evidence,
      variables: captured(row, evidence, variables),
      stopped: row.stopped,
    })
    const unmet = judged.judgements.find(({ met, rules }) => !met && rules.length > 0)
    if (judged.verdict === 'fail' && unmet) return { row: row.id, rule: unmet.rules[0] ?? '' }
  }
  return undefined
}

/** A run captures the changed values. */
function captured({ resolved }: RunRow, evidence: readonly Evidence[], variables: Variables): Variables {
  const own = new Map(variables)
  for (const one of evidence) {
    const step = resolved.steps[one.step]
    if (!step || one.role === 'late-check' || step.race) continue
    const json = answerOf(one)?.json
    for (const [name, pointer] of Object.entries(step.capture)) {
      const value = valueAt(json, pointer)
      if (value !== undefined) own.set(name, value)
    }
  }
  return own
}
