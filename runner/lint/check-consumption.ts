/**
 * A row owns what it may change. A request that any profile may accept must not consume a contract that other rows use:
 * else a permitted answer to one row fails the others.
 */
import { isJsonObject, type JsonValue } from '../../lib/json/json.js'
import type { Data, ResolvedRow, ResolvedStep } from '../../record/types/resolved-row.js'
import type { ResolvedSuite } from '../suite/resolved-suite.js'
import type { Fixture, Suite } from '../suite/suite.js'
import type { FindingList } from '../yaml/findings.js'

export function checkConsumption({ fixtures }: Suite, resolved: readonly ResolvedSuite[], findings: FindingList): void {
  const reported = new Set<string>()
  for (const { rows, profile } of resolved) {
    const shared = new Map([...fixtures].filter(([name]) => isShared(name, rows)))
    for (const row of rows) {
      for (const { fixture, step, choice } of consumptions(row, shared)) {
        const message = `the row may consume the contract of the shared fixture "${fixture}" (${choice})`
        const { file, line } = step.source
        const key = `${file}:${line} ${message}`
        if (reported.has(key)) continue
        reported.add(key)
        const hint =
          'create a contract in the row with { sequence: own-ping }, or list the choice under "keeps" of the fixture'
        findings.addLine(step.source, `${message}, because ${profile.name} permits that its request is accepted`, hint)
      }
    }
  }
}

/** Contracts of fixtures that several rows use. */
const isShared = (name: string, rows: readonly ResolvedRow[]): boolean =>
  rows.filter(({ fixtures }) => fixtures.includes(name)).length > 1

const mayBeAccepted = ({ expectations }: ResolvedStep): boolean =>
  expectations.some(({ kind, anyOf }) => kind === 'outcome' && anyOf.some((one) => one.outcome === 'accepted'))

interface Consumption {
  fixture: string
  step: ResolvedStep
  choice: string
}

function consumptions(row: ResolvedRow, shared: ReadonlyMap<string, Fixture>): Consumption[] {
  // Such a probe shows that the accepted transaction is not recorded.
  const isUndone = row.steps.some(({ role, sentWhen }) => role === 'probe-after' && sentWhen === 'accepted')
  const isExecuted = !isUndone && row.steps.some((step) => step.role === 'act' && mayBeAccepted(step))
  return row.steps.flatMap((step) => {
    const isSubmission = step.operation === 'submit-and-wait' || (step.operation === 'prepare' && isExecuted)
    if (!isSubmission || !mayBeAccepted(step)) return []
    return commandsOf(step).flatMap((command) =>
      fixturesIn(command, row)
        .filter((name) => !(shared.get(name)?.keeps ?? []).includes(choiceOf(command)))
        .flatMap((fixture) => (shared.has(fixture) ? [{ fixture, step, choice: choiceOf(command) }] : [])),
    )
  })
}

/** Commands that create a contract consume none. */
function commandsOf({ request: { body } }: ResolvedStep): Data[] {
  const commands = body && 'json' in body && isJsonObject(body.json) ? body.json['commands'] : undefined
  return (Array.isArray(commands) ? commands : []).filter(
    (command) => isJsonObject(command) && !Object.hasOwn(command, 'CreateCommand'),
  )
}

function choiceOf(command: Data): string {
  const [members] = isJsonObject(command) ? Object.values(command) : []
  const choice: JsonValue | undefined = isJsonObject(members) ? members['choice'] : undefined
  return typeof choice === 'string' ? choice : 'no choice'
}

const generated = /\{"\$(?:flip-digit|damage)":[^}]*\}/g
const contractVariable = /^([\w-]+)\.(?:contractId|id|kept|archived)$/

/** An altered id is that of no contract. */
function fixturesIn(command: Data, { values }: ResolvedRow): string[] {
  const text = JSON.stringify(command).replace(generated, '')
  const variables = [...text.matchAll(/\$\{([\w.-]+)\}/g)].map(([, name = '']) => name)
  const aliased = variables.flatMap((name) => {
    const value = values[name]
    return typeof value === 'string' ? [...value.matchAll(/\$\{([\w.-]+)\}/g)].map(([, inner = '']) => inner) : []
  })
  const found = [...variables, ...aliased].flatMap((name) => contractVariable.exec(name)?.[1] ?? [])
  return [...new Set(found)]
}
