/** Misspelt members of request bodies: participants ignore unknown members, so the row would test another request. */

import { type UnknownMember, unknownMembers } from '../../interface/described-schemas.js'
import { isOperationName, type OperationName } from '../../interface/operations.js'
import { pointerParts } from '../../lib/json/pointer.js'
import { nearest } from '../../lib/suggest.js'
import type { BaseRequest, Location, Step, Suite } from '../suite/suite.js'
import type { FindingList } from '../yaml/findings.js'

export function checkMembers(suite: Suite, findings: FindingList): void {
  for (const request of suite.requests.values()) checkBaseRequest(request, suite, findings)
  for (const { step, location } of editingSteps(suite)) checkEdits(step, location, suite, findings)
}

/** Base requests are valid, so each name like a described one is a mistake. */
function checkBaseRequest({ operation, body, location }: BaseRequest, { texts }: Suite, findings: FindingList): void {
  if (body === undefined || !isOperationName(operation)) return
  for (const { name, known } of unknownMembers(operation, [], body)) {
    const near = nearest(name, known)
    if (near !== undefined) findings.add(keyAfter(location, name, texts), ...problem(operation, name, near))
  }
}

/** Rows send unknown members on purpose, also described ones in other letter case or with underscores. */
const mostTypos = 2

function checkEdits(
  { request, edit = {} }: Step,
  location: Location,
  { requests }: Suite,
  findings: FindingList,
): void {
  const operation = requests.get(request)?.operation
  if (operation === undefined || !isOperationName(operation)) return
  const unknown = Object.entries(edit).flatMap(([at, value]) => unknownMembers(operation, pointerParts(at), value))
  for (const { name, known } of unknown) {
    const near = nearest(name, known, mostTypos)
    if (near === undefined || lettersOf(near) === lettersOf(name)) continue
    findings.warn(location, ...problem(operation, name, near))
  }
}

const problem = (operation: OperationName, name: UnknownMember['name'], near: string): [string, string] => [
  `the request body of ${operation} has no member "${name}"`,
  `did you mean "${near}"?`,
]

const lettersOf = (name: string): string => name.replaceAll('_', '').toLowerCase()

/** Rows are merged into their last step, so its location is that of the row. */
function editingSteps({ cases, probes, fixtures }: Suite): { step: Step; location: Location }[] {
  const rows = cases.flatMap((one) => one.rows)
  const others = [
    ...rows.flatMap(({ steps }) => steps.slice(0, -1)),
    ...cases.flatMap(({ restore }) => restore),
    ...[...probes.values()].flatMap(({ before, after, afterAcceptance }) => [...before, ...after, ...afterAcceptance]),
    ...[...fixtures.values()].flatMap(({ steps }) => steps),
  ]
  return [
    ...rows.flatMap(({ steps, location }) => steps.slice(-1).map((step) => ({ step, location }))),
    ...others.map((step) => ({ step, location: step.location })),
  ]
}

/** The first key of that name after a location; the location itself if the text does not contain it. */
function keyAfter(location: Location, name: string, texts: Suite['texts']): Location {
  const lines = texts?.get(location.file)?.split(/\r?\n/) ?? []
  for (const [index, line] of lines.entries()) {
    const from = index + 1 === location.line ? location.column : 0
    const at = index + 1 < location.line ? -1 : columnOfKey(line, name, from)
    if (at !== -1) return { ...location, line: index + 1, column: at + 1 }
  }
  return location
}

function columnOfKey(line: string, name: string, from: number): number {
  for (let at = line.indexOf(name, from); at !== -1; at = line.indexOf(name, at + 1)) {
    if (!/[\w$-]$/.test(line.slice(0, at)) && /^['"]?\s*:/.test(line.slice(at + name.length))) return at
  }
  return -1
}
