/** Reads cases and their rows. */
import type { Impact } from '../../record/types/resolved-row.js'
import type { Case, RawRequest, Row, Step } from '../suite/suite.js'
import {
  type Entry,
  entry,
  itemsOf,
  type Located,
  member,
  omitUndefined,
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
import { addUnique, type Reading, refer } from './reading.js'
import { expandTables } from './row-tables.js'
import { valueSteps, valuesOf, valuesOfRow } from './variable-flow.js'

/** The steps of a case without the differences of its rows; `node` is that of the step under test. */
interface CaseSteps {
  setUp: StepText[]
  tested: StepText
  node: Located
}

/** A case with complete rows; undefined, with a finding, if it has neither request nor steps. */
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
  const known = new Map<string, Row>()
  const rows = (rowNodes.length > 0 ? rowNodes : [undefined]).map((one) => {
    const row = readRow(one, node, common, steps, reading)
    addUnique(known, row.id, row, 'row', reading.findings)
    return row
  })
  recordVariables(node, rowNodes, values, steps, probe, reading)
  return {
    id: textAt(node, 'id'),
    title: common.title,
    operation,
    ...omitUndefined({ rules: defaultRules(node, common.rules), afterwards: probe }),
    ...omitUndefined({ hazard: optionalText(node, 'hazard'), besides: optionalText(node, 'besides') }),
    serial: member(node, 'serial')?.content === true,
    restore: readRestore(node, reading),
    rows,
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
  reading.findings.add(node.location, 'the case has neither "request" nor "steps"', 'add one of them')
  return undefined
}

function defaultRules(node: Located, ids: string[]): Case['rules'] {
  const named = entry(node, 'rules')
  return named && { ids, location: named.key }
}

/** The run sends these steps even after an interrupted row, so they use no captures of the row. */
function readRestore(node: Located, reading: Reading): Step[] {
  const nodes = stepsAt(node, 'restore', reading)
  if (nodes.length > 0) reading.flows.push({ steps: nodes.map(flowStep) })
  return readSteps(nodes, reading).map(toStep)
}

const stepKeys = ['request', 'as', 'token', 'edit', 'remove', 'send', 'capture', 'outcome', 'expect']

function reportStepKeys(node: Located, reading: Reading): void {
  for (const key of stepKeys) {
    const found = entry(node, key)
    if (found) reading.findings.add(found.key, `"${key}" is not allowed beside "steps"`, 'move it into a step or a row')
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
    const hint = 'add "outcome" with a situation, or "expect"'
    reading.findings.add((row ?? steps.node).location, 'the step under test has no expectation', hint)
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

/** Variables of rows belong to the last step, into which the rows are merged. */
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
  reading.flows.push({ steps: [...valueSteps(values, rows), ...before, step], ...omitUndefined({ probe }) })
}

const needsOf = (node: Located): string[] => itemsOf(member(node, 'needs')).map(textOf)

const optionalImpact = (node: Located): Impact | undefined => optionalText(node, 'impact') as Impact | undefined // by schema

/** Edits, removals, headers and expectations are merged by pointer or name; other members of the row replace those of the case. */
function mergeRow(base: StepParts, row: StepParts): StepParts {
  const removed = new Set(row.remove)
  const edited = new Set(row.edit.keys())
  return {
    ...base,
    ...omitUndefined({ as: row.as, token: row.token, outcome: row.outcome, status: row.status, schema: row.schema }),
    ...omitUndefined({ raw: mergeRaw(base.raw, row.raw) }),
    // Later edits win, so those of the row come last.
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
  const body = row.text === undefined && row.base64 === undefined ? omitUndefined({ text, base64, written }) : {}
  const headers = base.headers && row.headers ? { headers: { ...base.headers, ...row.headers } } : {}
  return { ...others, ...body, ...row, ...headers }
}
