import { suggestion } from '../../lib/suggest.js'
import type { Data } from '../../record/types/resolved-row.js'
import type { Shapes } from '../suite/shapes.js'
import type { Case, RawRequest, Row, Step } from '../suite/suite.js'
import type { FindingList } from '../yaml/findings.js'
import {
  dataOf,
  type Entry,
  entriesOf,
  entry,
  itemsOf,
  type Located,
  mapOf,
  member,
  omitUndefined,
} from '../yaml/located.js'
import { readRules } from './read-matcher.js'
import {
  expectsSomething,
  flowStep,
  readOwnParts,
  readSteps,
  type StepNode,
  type StepParts,
  type StepText,
  stepKeys,
  stepsAt,
  toStep,
} from './read-step.js'
import { addUnique, type Reading, refer, valueSteps, valuesOf, valuesOfRow } from './reading.js'

type CaseNode = Located<Shapes['case']>
type RowNode = Located<Shapes['row']>

/** Without rows; `node`: the step under test. */
interface CaseSteps {
  setUp: StepText[]
  tested: StepText
  node: StepNode | CaseNode
}

/** Undefined, with a finding, if it has neither request nor steps. */
export function readCase(
  node: CaseNode,
  file: Located<Shapes['cases']>,
  operation: string,
  reading: Reading,
): Case | undefined {
  const { id, title, impact = 'read', needs = [], uncontrolled, hazard, besides, serial = false } = dataOf(node)
  const steps = readCaseSteps(node, reading)
  const afterwards = refer(reading, 'probe', member(node, 'afterwards'))
  const values = valuesOf(file, node)
  const named = entry(node, 'rules')
  const rules = readRules(named?.value, reading)
  if (!steps) return undefined
  const rowNodes = expandTables(itemsOf(member(node, 'rows')), reading.findings)
  const known = new Map<string, Row>()
  const rows = (rowNodes.length > 0 ? rowNodes : [undefined]).map((one) => {
    const row = readRow(one, node, { title, rules, impact, needs, uncontrolled, values }, steps, reading)
    addUnique(known, row.id, row, 'row', reading.findings)
    return row
  })
  recordVariables(node, rowNodes, values, steps, afterwards, reading)
  return {
    id,
    title,
    operation,
    serial,
    rows,
    ...omitUndefined({ rules: named && { ids: rules, location: named.key }, afterwards, hazard, besides }),
    restore: readRestore(node, reading),
    location: node.location,
  }
}

function readCaseSteps(node: CaseNode, reading: Reading): CaseSteps | undefined {
  const nodes = stepsAt(member(node, 'steps'), reading)
  const steps = readSteps(nodes, reading)
  const tested = steps.at(-1)
  if (tested) {
    reportStepKeys(node, reading)
    return { setUp: steps.slice(0, -1), tested, node: nodes.at(-1) ?? node }
  }
  const request = refer(reading, 'request', member(node, 'request'))
  if (request !== undefined) {
    const { location } = node
    return { setUp: [], tested: { ...readOwnParts(node, reading), name: request, request, location }, node }
  }
  reading.findings.add(node.location, 'the case has neither "request" nor "steps"', 'add one of them')
  return undefined
}

/** Sent even after an interrupted row, so they use no captures of it. */
function readRestore(node: CaseNode, reading: Reading): Step[] {
  const nodes = stepsAt(member(node, 'restore'), reading)
  if (nodes.length > 0) reading.flows.push({ steps: nodes.map(flowStep) })
  return readSteps(nodes, reading).map(toStep)
}

function reportStepKeys(node: CaseNode, reading: Reading): void {
  for (const key of stepKeys) {
    const found = entry(node, key)
    if (found) reading.findings.add(found.key, `"${key}" is not allowed beside "steps"`, 'move it into a step or a row')
  }
}

interface Common extends Pick<Row, 'title' | 'rules' | 'impact' | 'needs'> {
  uncontrolled: true | undefined
  values: ReadonlyMap<string, Entry>
}

function readRow(row: RowNode | undefined, node: CaseNode, common: Common, steps: CaseSteps, reading: Reading): Row {
  const { tested } = steps
  const step = toStep(row ? { ...tested, ...mergeRow(tested, readOwnParts(row, reading)) } : tested)
  const named = row && entry(row, 'rules')
  const own: Partial<Shapes['row']> = row ? dataOf(row) : {}
  const { id = 'only', title = common.title, impact = common.impact, needs = [] } = own
  if (!expectsSomething(step)) {
    const hint = 'add "outcome" with a situation, or "expect"'
    reading.findings.add((row ?? steps.node).location, 'the step under test has no expectation', hint)
  }
  return {
    id,
    title,
    impact,
    ...(named ? { rules: readRules(named.value, reading), ownRules: named.key } : { rules: common.rules }),
    ...((common.uncontrolled ?? own.uncontrolled) && { uncontrolled: true }),
    needs: [...new Set([...common.needs, ...needs])],
    values: valuesOfRow(row, common.values, reading),
    steps: [...steps.setUp.map(toStep), step],
    location: (row ?? node).location,
  }
}

/** Rows are merged into the last step. */
function recordVariables(
  node: CaseNode,
  rows: readonly RowNode[],
  values: ReadonlyMap<string, Entry>,
  { node: tested }: CaseSteps,
  probe: string | undefined,
  reading: Reading,
): void {
  const before = stepsAt(member(node, 'steps'), reading).slice(0, -1).map(flowStep)
  const last = flowStep(tested)
  const ofRows = rows.map(flowStep)
  const step = {
    ...last,
    uses: [...last.uses, ...ofRows.flatMap(({ uses }) => uses)],
    judging: [...last.judging, ...ofRows.flatMap(({ judging }) => judging)],
  }
  reading.flows.push({ steps: [...valueSteps(values, rows), ...before, step], ...omitUndefined({ probe }) })
}

/** Edits, removals, headers and expectations are merged; other members replace. */
function mergeRow(base: StepParts, { capture, edit, remove, raw, headers, body, ...row }: StepParts): StepParts {
  const isKept = (pointer: string): boolean => !edit.has(pointer) && !remove.includes(pointer)
  return {
    ...base,
    ...row,
    ...omitUndefined({ raw: mergeRaw(base.raw, raw) }),
    // Later edits override earlier ones.
    edit: new Map([...[...base.edit].filter(([pointer]) => isKept(pointer)), ...edit]),
    remove: [...base.remove.filter(isKept), ...remove],
    headers: new Map([...base.headers, ...headers]),
    body: new Map([...base.body, ...body]),
  }
}

function mergeRaw(base: RawRequest | undefined, row: RawRequest | undefined): RawRequest | undefined {
  if (!base || !row) return row ?? base
  const { text, base64, written, ...others } = base
  const body = row.text === undefined && row.base64 === undefined ? omitUndefined({ text, base64, written }) : {}
  const headers = base.headers && row.headers ? { headers: { ...base.headers, ...row.headers } } : {}
  return { ...others, ...body, ...row, ...headers }
}

/** A row with `for-each` becomes one row for each member and value. An expanded row has the location of its member. */
const expandTables = (rows: readonly RowNode[], findings: FindingList): RowNode[] =>
  rows.flatMap((row) => {
    const table = entry(row, 'for-each')
    if (!table) return [row]
    const expanded = rowsOf(row, table.value, findings)
    if (expanded.length === 0) findings.add(table.key, 'this table has no rows', 'add "values" or "missing: true"')
    return expanded
  })

function rowsOf(row: RowNode, table: Located<Shapes['for-each']>, findings: FindingList): RowNode[] {
  const values: Entry<Data>[] = entriesOf(member(table, 'values'))
  const known = values.map(({ name }) => name)
  const missing = member(table, 'missing')
  return entriesOf(member(table, 'members')).flatMap((one) => {
    const { at, without = [] } = dataOf(one.value)
    for (const item of itemsOf(member(one.value, 'without'))) {
      const name = dataOf(item)
      if (known.includes(name)) continue
      findings.add(item.location, `the table has no value "${name}"`, suggestion(name, known))
    }
    const edits = values
      .filter(({ name }) => !without.includes(name))
      .map((value) => expandedRow(row, one, value.name, edited(row, { ...value, name: at })))
    return missing ? [...edits, expandedRow(row, one, 'missing', removed(row, at, one.key))] : edits
  })
}

/** Members of `one` override those of the row. */
function expandedRow(
  row: RowNode,
  { name, key, value: one }: Entry<Shapes['member']>,
  what: string,
  difference: Entry,
): RowNode {
  const content = [member(row, 'id')?.content, name, what].filter((part) => part !== undefined).join('-')
  const id: Entry = { name: 'id', key, value: { location: key, content } }
  const own = entriesOf(one).filter((entry) => entry.name !== 'at' && entry.name !== 'without')
  const kept = entriesOf(row).filter((entry) => entry.name !== 'for-each')
  return { location: key, content: mapOf([...kept, ...own, id, difference]) }
}

function edited(row: RowNode, edit: Entry): Entry {
  const content = mapOf([...entriesOf(member(row, 'edit')), edit])
  return { name: 'edit', key: edit.key, value: { location: edit.key, content } }
}

function removed(row: RowNode, pointer: string, location: Entry['key']): Entry {
  const content = [...itemsOf(member(row, 'remove')), { location, content: pointer }]
  return { name: 'remove', key: location, value: { location, content } }
}
