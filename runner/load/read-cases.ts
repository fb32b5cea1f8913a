import type { Impact } from '../../record/types/resolved-row.js'
import type { Case, RawRequest, Row, Step } from '../suite/suite.js'
import {
  type Entry,
  entry,
  given,
  itemsOf,
  type Located,
  member,
  optionalText,
  textAt,
  textOf,
} from '../yaml/located.js'
import { stepsAt } from './expand-sequences.js'
import { readRules } from './read-matcher.js'
import {
  expectsSomething,
  flowStep,
  readRequestName,
  readStepParts,
  readSteps,
  type StepParts,
  type StepText,
  toStep,
} from './read-step.js'
import { firstAt, type Reading, refer } from './reading.js'
import { expandTables } from './row-tables.js'
import { valueSteps, valuesOf, valuesOfRow } from './variable-flow.js'

/** The steps of a case before its rows differ; `node` is where the last one, the step under test, stands. */
interface CaseSteps {
  setUp: StepText[]
  tested: StepText
  node: Located
}

/** A case with complete rows; undefined (and a finding) where it says nothing to send. `file`: the whole that it stands in. */
export function readCase(node: Located, file: Located, operation: string, reading: Reading): Case | undefined {
  const steps = readCaseSteps(node, reading)
  const probe = refer(reading, 'probe', member(node, 'afterwards'))
  const values = valuesOf(file, node)
  const common: Common = {
    title: textAt(node, 'title'),
    rules: readRules(member(node, 'rules'), reading),
    impact: optionalImpact(node) ?? 'read',
    values,
  }
  if (!steps) return undefined
  const rowNodes = expandTables(itemsOf(member(node, 'rows')), reading.findings)
  const rows = rowNodes.length > 0 ? rowNodes : [undefined]
  recordVariables(node, rowNodes, values, steps, probe, reading)
  return {
    id: textAt(node, 'id'),
    title: common.title,
    operation,
    ...given({ rules: defaultRules(node, common.rules), afterwards: probe }),
    ...given({ hazard: optionalText(node, 'hazard'), besides: optionalText(node, 'besides') }),
    serial: member(node, 'serial')?.content === true,
    restore: readRestore(node, reading),
    rows: distinct(
      rows.map((row) => readRow(row, node, common, steps, reading)),
      reading,
    ),
    location: node.location,
  }
}

function readCaseSteps(node: Located, reading: Reading): CaseSteps | undefined {
  const nodes = stepsAt(node, 'steps', reading)
  const steps = readSteps(nodes, reading)
  const tested = steps.at(-1)
  if (tested) {
    reportStepKeys(node, reading)
    return { setUp: steps.slice(0, -1), tested, node: nodes.at(-1) ?? node }
  }
  if (member(node, 'request')) {
    const request = readRequestName(node, reading)
    return {
      setUp: [],
      tested: { name: request, ...readStepParts(node, reading), request, location: node.location },
      node,
    }
  }
  reading.findings.add(node.location, 'the case has neither "request" nor "steps"', 'say what is sent')
  return undefined
}

/** The rules that a case names for all of its rows. */
function defaultRules(node: Located, ids: string[]): Case['rules'] {
  const named = entry(node, 'rules')
  return named && { ids, location: named.key }
}

/** What restores is sent even when a row was stopped early: it relies on nothing that a row captures. */
function readRestore(node: Located, reading: Reading): Step[] {
  const nodes = stepsAt(node, 'restore', reading)
  if (nodes.length > 0) reading.flows.push({ steps: nodes.map(flowStep) })
  return readSteps(nodes, reading).map(toStep)
}

const stepKeys = ['request', 'as', 'token', 'edit', 'remove', 'send', 'capture', 'outcome', 'expect']

function reportStepKeys(node: Located, reading: Reading): void {
  for (const key of stepKeys) {
    const found = entry(node, key)
    if (found)
      reading.findings.add(found.key, `"${key}" cannot stand beside "steps"`, 'move it into a step, or into rows')
  }
}

interface Common extends Pick<Row, 'title' | 'rules' | 'impact'> {
  values: ReadonlyMap<string, Entry>
}

function readRow(row: Located | undefined, node: Located, common: Common, steps: CaseSteps, reading: Reading): Row {
  const { tested } = steps
  const step = toStep(row ? { ...tested, ...mergeRow(tested, readStepParts(row, reading)) } : tested)
  const named = row && entry(row, 'rules')
  if (!expectsSomething(step)) {
    const hint = 'say "outcome" with a situation, or "expect"'
    reading.findings.add((row ?? steps.node).location, 'nothing is expected of the step under test', hint)
  }
  return {
    id: row ? textAt(row, 'id') : 'only',
    title: (row && optionalText(row, 'title')) ?? common.title,
    ...(named ? { rules: readRules(named.value, reading), ownRules: named.key } : { rules: common.rules }),
    impact: (row && optionalImpact(row)) ?? common.impact,
    ...([row, node].some((one) => one && member(one, 'uncontrolled')) && { uncontrolled: true }),
    needs: [...new Set([...needsOf(node), ...(row ? needsOf(row) : [])])],
    values: valuesOfRow(row, common.values, reading),
    steps: [...steps.setUp.map(toStep), step],
    location: (row ?? node).location,
  }
}

function distinct(rows: Row[], { findings }: Reading): Row[] {
  const known = new Map<string, Row>()
  for (const row of rows) {
    const first = known.get(row.id)
    if (first) findings.add(row.location, `the row "${row.id}" is already defined`, firstAt(first.location))
    known.set(row.id, first ?? row)
  }
  return rows
}

/** What rows use belongs to the last step, as they are merged into it. */
function recordVariables(
  node: Located,
  rows: readonly Located[],
  values: ReadonlyMap<string, Entry>,
  { node: tested }: CaseSteps,
  probe: string | undefined,
  reading: Reading,
): void {
  const before = stepsAt(node, 'steps', reading).slice(0, -1).map(flowStep)
  const last = flowStep(tested)
  const ofRows = rows.map(flowStep)
  const step = {
    ...last,
    uses: [...last.uses, ...ofRows.flatMap(({ uses }) => uses)],
    judging: [...last.judging, ...ofRows.flatMap(({ judging }) => judging)],
  }
  reading.flows.push({ steps: [...valueSteps(values, rows), ...before, step], ...given({ probe }) })
}

const needsOf = (node: Located): string[] => itemsOf(member(node, 'needs')).map(textOf)

const optionalImpact = (node: Located): Impact | undefined => optionalText(node, 'impact') as Impact | undefined // by schema

/**
 * A step with the differences of a row applied. Edits, removals, headers and expectations are merged by pointer or name,
 * with the row's own in front of the case's; whatever else the row says takes the place of what the case says.
 */
function mergeRow(base: StepParts, row: StepParts): StepParts {
  const removed = new Set(row.remove)
  const edited = new Set(row.edit.keys())
  return {
    ...base,
    ...given({ as: row.as, token: row.token, outcome: row.outcome, status: row.status, schema: row.schema }),
    ...given({ raw: mergeRaw(base.raw, row.raw) }),
    // The row's edits come last, so that they win where they lie above or below the case's.
    edit: new Map([
      ...[...base.edit].filter(([pointer]) => !edited.has(pointer) && !removed.has(pointer)),
      ...row.edit,
    ]),
    remove: [...base.remove.filter((pointer) => !edited.has(pointer) && !removed.has(pointer)), ...row.remove],
    headers: new Map([...base.headers, ...row.headers]),
    body: new Map([...base.body, ...row.body]),
  }
}

function mergeRaw(base: RawRequest | undefined, row: RawRequest | undefined): RawRequest | undefined {
  if (!base || !row) return row ?? base
  const { text, base64, written, ...others } = base
  const body = row.text === undefined && row.base64 === undefined ? given({ text, base64, written }) : {}
  const headers = base.headers && row.headers ? { headers: { ...base.headers, ...row.headers } } : {}
  return { ...others, ...body, ...row, ...headers }
}
