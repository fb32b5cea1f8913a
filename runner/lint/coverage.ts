/** Which cases judge which rule: what the gates and the coverage table are made from. */
import type { OperationName } from '../../interface/operations.js'
import { implicitRules } from '../judge/implicit-rules.js'
import type { Case, Row, Rule, Suite } from '../suite/suite.js'

/** A rule in one operation; `operation` is undefined where a case of any operation will do. */
export interface Judged {
  operation: OperationName | undefined
  /** Ids of the cases that judge it there, in the order of the files. */
  cases: string[]
  rows: number
  /** There has to be a case, and suite.yaml says that it is not written yet. */
  gap: boolean
}

export interface RuleCoverage {
  rule: Rule
  /** The judge holds every answer against it, without being asked for. */
  implicit: boolean
  /** Whether a case could show it. */
  testable: boolean
  /** One entry for each operation that the rule is an obligation of. */
  operations: Judged[]
}

/** The rules in the order of the files, each with what judges it. */
export function coverageOf(suite: Suite): RuleCoverage[] {
  const citing = citingRows(suite)
  const implicit = new Set<string>(Object.values(implicitRules))
  return [...suite.rules.values()].map((rule) => {
    const rows = citing.get(rule.id) ?? []
    const wanted = rule.operations.length > 0 ? rule.operations : [undefined]
    return {
      rule,
      implicit: implicit.has(rule.id),
      testable: rule.strength !== 'client' && rule.untestable === undefined,
      operations: wanted.map((operation) => judgedIn(rule, operation, rows, suite)),
    }
  })
}

/** Whether the rule lacks a case in this operation, known as a gap or not. */
export const isUntested = ({ implicit, testable }: RuleCoverage, { rows }: Judged): boolean =>
  testable && !implicit && rows === 0

interface Citation {
  suiteCase: Case
  row: Row
}

function judgedIn(rule: Rule, operation: OperationName | undefined, rows: readonly Citation[], suite: Suite): Judged {
  const here = rows.filter(({ suiteCase }) => operation === undefined || suiteCase.operation === operation)
  const lists = operation === undefined ? [...suite.gaps.rules.values()] : [suite.gaps.rules.get(operation) ?? []]
  return {
    operation,
    cases: [...new Set(here.map(({ suiteCase }) => suiteCase.id))],
    rows: here.length,
    gap: lists.flat().some(({ name }) => name === rule.id),
  }
}

/** By rule: the rows that name it, themselves or by the probe that follows them. */
function citingRows({ cases, probes }: Suite): Map<string, Citation[]> {
  const citing = new Map<string, Citation[]>()
  for (const suiteCase of cases) {
    for (const row of suiteCase.rows) {
      for (const rule of new Set([...row.rules, ...probedBy(suiteCase, row, probes)])) {
        const known = citing.get(rule)
        if (known) known.push({ suiteCase, row })
        else citing.set(rule, [{ suiteCase, row }])
      }
    }
  }
  return citing
}

/** Only rows that are to be refused are followed by the probe of their case. */
function probedBy({ afterwards }: Case, { steps }: Row, probes: Suite['probes']): string[] {
  const outcome = steps.at(-1)?.verdict.outcome
  if (afterwards === undefined || !outcome || !('refused' in outcome)) return []
  return probes.get(afterwards)?.rules ?? []
}
