import { omitUndefined } from '../../lib/omit-undefined.js'
import { suggestion } from '../../lib/suggest.js'
import type { Shapes } from '../suite/shapes.js'
import type { Case, Location, Row, RowTraits, Step } from '../suite/suite.js'
import type { FindingList } from '../yaml/findings.js'
import {
  composed,
  type Entry,
  entriesOf,
  keyLocation,
  locationOf,
  placedAt,
  renamed,
  valueLocation,
} from '../yaml/locations.js'
import {
  expectsSomething,
  flowStep,
  mergedStep,
  readStep,
  readSteps,
  type StepShape,
  stepKeys,
  stepOf,
  stepsAt,
} from './read-step.js'
import { addUnique, type Reading, type Values, valueSteps, valuesOf, valuesOfRow } from './reading.js'

type CaseShape = Shapes['case']
type RowShape = Shapes['row']

/** The last one is under test. */
interface CaseSteps {
  shapes: readonly StepShape[]
  steps: readonly Step[]
}

/** Undefined, with a finding, if it has neither request nor steps. */
export function readCase(
  shape: CaseShape,
  file: Shapes['cases'],
  operation: string,
  reading: Reading,
): Case | undefined {
  const { id, title, impact = 'read', needs = [], uncontrolled, hazard, besides, serial = false } = shape
  const { rules = [], afterwards } = shape
  const shapes = stepShapes(shape, reading)
  if (shapes.length === 0) return undefined
  const steps = { shapes, steps: readSteps(shapes, reading.findings) }
  const values = valuesOf(file, shape)
  const rowShapes = expandTables(shape.rows ?? [], reading.findings)
  const known = new Map<string, Row>()
  const rows = (rowShapes.length > 0 ? rowShapes : [undefined]).map((one) => {
    const row = readRow(one, shape, { title, rules, impact, needs, uncontrolled, values }, steps, reading.findings)
    addUnique(known, row.id, row, 'row', reading.findings)
    return row
  })
  recordVariables(shape, rowShapes, values, shapes, reading)
  return {
    id,
    title,
    operation,
    serial,
    rows,
    ...(shape.rules && { ownRules: keyLocation(shape, 'rules') }),
    ...omitUndefined({ afterwards, hazard, besides }),
    restore: readRestore(shape, reading),
    location: locationOf(shape),
  }
}

/** None, with a finding, if the case has neither request nor steps. */
function stepShapes(shape: CaseShape, reading: Reading): StepShape[] {
  const shapes = stepsAt(shape.steps, reading)
  if (shapes.length > 0) {
    reportStepKeys(shape, reading)
    return shapes
  }
  const { request } = shape
  if (request !== undefined) return [composed({ ...stepOf(shape), request }, [shape])]
  reading.findings.add(locationOf(shape), 'the case has neither "request" nor "steps"', 'add one of them')
  return []
}

/** Sent even after an interrupted row, so they use no captures of it. */
function readRestore({ restore }: CaseShape, reading: Reading): Step[] {
  const shapes = stepsAt(restore, reading)
  if (shapes.length > 0) reading.flows.push({ steps: shapes.map(flowStep) })
  return readSteps(shapes, reading.findings)
}

function reportStepKeys(shape: CaseShape, { findings }: Reading): void {
  for (const key of stepKeys) {
    if (!Object.hasOwn(shape, key)) continue
    const message = `"${key}" is not allowed beside "steps"`
    findings.add(keyLocation(shape, key), message, 'move it into a step or a row')
  }
}

interface Common extends RowTraits {
  uncontrolled: true | undefined
  values: Values
}

function readRow(
  row: RowShape | undefined,
  ofCase: CaseShape,
  common: Common,
  { shapes, steps }: CaseSteps,
  findings: FindingList,
): Row {
  const tested = { shape: lastOf(shapes), step: lastOf(steps) }
  const step = row ? readStep(mergedStep(tested.shape, stepOf(row)), tested.step.name, findings) : tested.step
  const own: Partial<RowShape> = row ?? {}
  const { id = 'only', title = common.title, impact = common.impact, needs = [], rules } = own
  if (!expectsSomething(step)) {
    const hint = 'add "outcome" with a situation, or "expect"'
    findings.add(locationOf(row ?? tested.shape), 'the step under test has no expectation', hint)
  }
  return {
    id,
    title,
    impact,
    rules: rules ?? common.rules,
    ...(row && rules && { ownRules: keyLocation(row, 'rules') }),
    ...((common.uncontrolled ?? own.uncontrolled) && { uncontrolled: true }),
    needs: [...new Set([...common.needs, ...needs])],
    values: valuesOfRow(own.let, common.values, findings),
    steps: [...steps.slice(0, -1), step],
    location: locationOf(row ?? ofCase),
  }
}

/** Rows are merged into the last step. */
function recordVariables(
  ofCase: CaseShape,
  rows: readonly RowShape[],
  values: Values,
  shapes: readonly StepShape[],
  reading: Reading,
): void {
  const before = shapes.slice(0, -1).map(flowStep)
  const last = flowStep(lastOf(shapes))
  const ofRows = rows.map(flowStep)
  const step = {
    ...last,
    uses: [...last.uses, ...ofRows.flatMap(({ uses }) => uses)],
    judging: [...last.judging, ...ofRows.flatMap(({ judging }) => judging)],
  }
  const steps = [...valueSteps(values, rows), ...before, step]
  reading.flows.push({ steps, ...omitUndefined({ probe: ofCase.afterwards }) })
}

function lastOf<Item>(items: readonly Item[]): Item {
  const last = items.at(-1)
  if (last !== undefined) return last
  throw new Error('a case without steps')
}

/** A row with `for-each` becomes one row for each member and value. An expanded row has the location of its member. */
const expandTables = (rows: readonly RowShape[], findings: FindingList): RowShape[] =>
  rows.flatMap((row) => {
    const table = row['for-each']
    if (!table) return [row]
    const expanded = rowsOf(row, table, findings)
    if (expanded.length === 0)
      findings.add(keyLocation(row, 'for-each'), 'this table has no rows', 'add "values" or "missing: true"')
    return expanded
  })

function rowsOf(
  row: RowShape,
  { members, values = {}, missing }: Shapes['for-each'],
  findings: FindingList,
): RowShape[] {
  return entriesOf(members).flatMap((member) => {
    const { at, without = [] } = member.value
    for (const [index, name] of without.entries()) {
      if (Object.hasOwn(values, name)) continue
      const location = valueLocation(without, index)
      findings.add(location, `the table has no value "${name}"`, suggestion(name, Object.keys(values)))
    }
    const edits = Object.keys(values)
      .filter((name) => !without.includes(name))
      .map((name) => expandedRow(row, member, name, edited(row, at, values, name)))
    return missing ? [...edits, expandedRow(row, member, 'missing', removed(row, at, member.location))] : edits
  })
}

/** Members of the table's member override those of the row. */
function expandedRow(
  row: RowShape,
  { name, value: member, location }: Entry<Shapes['member']>,
  what: string,
  difference: RowShape,
): RowShape {
  const { 'for-each': _, ...kept } = row
  const { at: __, without: ___, ...own } = member
  const id = [row.id, name, what].filter((part) => part !== undefined).join('-')
  const parts = [row, member, placedAt({ id }, location), difference] as const
  return composed({ ...kept, ...own, id, ...difference }, parts, location)
}

function edited(row: RowShape, pointer: string, values: Values, name: string): RowShape {
  const location = keyLocation(values, name)
  const own = renamed({ [pointer]: values[name] ?? null }, values, () => name)
  return placedAt({ edit: composed({ ...row.edit, ...own }, [row.edit ?? {}, own], location) }, location)
}

const removed = ({ remove = [] }: RowShape, pointer: string, location: Location): RowShape =>
  placedAt({ remove: placedAt([...remove, pointer], location) }, location)
