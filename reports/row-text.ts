/** What a row does and expects, in words and before anything is sent: who calls what with which body, and why what comes back must look as it does. */
import type { RecordedProfile, RecordedRule } from '../record/record.js'
import { expectationsOf } from '../record/references.js'
import type { ResolvedExpectation, ResolvedRow, ResolvedStep } from '../record/resolved-row.js'
import { checkText } from './check-text.js'
import { confidenceWords } from './obligation.js'
import { roleWords } from './step-words.js'
import { templateCurl, templateLines } from './template-text.js'

/** What the row is taken from. */
export interface RowSource {
  rules: readonly RecordedRule[]
  profile: RecordedProfile
  protocolVersion?: number | undefined
}

/** Several lines, without a line feed at the end. */
export function rowText(row: ResolvedRow, source: RowSource): string {
  return [
    `${row.id}  ${row.title}`,
    `${row.operation}, impact ${row.impact}, ${row.source.file}:${row.source.line}`,
    `judged by ${source.profile.name} (${source.profile.title}), ${versionText(source)}`,
    '',
    ...needs(row),
    ...values(row),
    '',
    ...row.steps.flatMap((step, index) => [...stepLines(step, index), '']),
    ...ruleLines(row, source.rules),
    ...profileLines(row, source.profile),
    '',
    ...row.steps.flatMap((step, index) => [`# ${index + 1}. ${step.name}`, templateCurl(step)]),
  ].join('\n')
}

const versionText = ({ protocolVersion }: RowSource): string =>
  protocolVersion === undefined
    ? 'with the highest protocol version that it speaks of'
    : `with protocol version ${protocolVersion}`

const impactWords: Readonly<Record<ResolvedRow['impact'], string>> = {
  read: 'nothing is committed',
  write: 'transactions are committed',
  topology: 'vetting is changed and put back',
  hazard: 'a faulty participant may stop',
}

function needs({ needs, fixtures, alone, steps, impact }: ResolvedRow): string[] {
  const requests = steps.reduce((sum, { race }) => sum + (race?.times ?? 1), 0)
  return [
    `needs     ${needs.length > 0 ? needs.join(', ') : 'nothing that only some targets have'}`,
    `fixtures  ${fixtures.length > 0 ? fixtures.join(', ') : 'none'}`,
    `costs     at most ${requests} requests, ${impactWords[impact]}${alone ? '; no other row is in flight beside it' : ''}`,
  ]
}

const values = ({ values }: ResolvedRow): string[] =>
  Object.entries(values).map(([name, value]) => `sets      \${${name}} = ${JSON.stringify(value)}`)

function stepLines(step: ResolvedStep, index: number): string[] {
  const { name, role, operation, actor, token, sentWhen, race, eventually, later, capture, expectations, source } = step
  const circumstances = [
    sentWhen && `only if the request under test was ${sentWhen}`,
    race && `${race.times} of it at once`,
    eventually !== undefined && `again and again for at most ${eventually} s, until what is expected has come about`,
    later !== undefined && (later === 'late-look' ? 'when late effects would be there' : `${later} s later`),
    step.presigned && 'not sent: a presigned transaction stands in for its answer',
  ].filter((text) => typeof text === 'string')
  const caller = token ? `${actor} with ${token.meaning}` : actor
  return [
    `${index + 1}. ${roleWords[role]}: ${name} (${operation}), called by ${caller}   ${source.file}:${source.line}`,
    ...circumstances.map((text) => `   ${text}`),
    ...templateLines(step).map((line) => `     ${line}`),
    ...Object.entries(capture).map(
      ([variable, pointer]) => `   takes \${${variable}} from ${pointer || 'the whole body'}`,
    ),
    ...expectations.flatMap((expectation) => expectationLines(expectation)),
    ...(race ? ['   of those that are not accepted:', ...race.others.flatMap((one) => expectationLines(one))] : []),
  ]
}

function expectationLines(expectation: ResolvedExpectation): string[] {
  const { rules, strength, confidence, situation, divergence, basis, besides, anyOf, source } = expectation
  const because = [
    rules.length > 0 && `${rules.join(', ')} (${strength})`,
    confidenceWords[confidence],
    situation !== undefined && `situation ${situation}`,
    divergence !== undefined && `divergence ${divergence}`,
    basis,
    besides !== undefined && `being met it shows nothing of its rules, as something else is wrong too: ${besides}`,
    `${source.file}:${source.line}`,
  ].filter((text) => typeof text === 'string')
  const several = anyOf.length > 1
  return [
    ...anyOf.flatMap(({ name, checks }, index) => [
      ...(several ? [`   ${index === 0 ? 'expects' : 'or     '} ${name ?? ''}`] : []),
      ...checks.map(
        (check, at) => `   ${several ? '         ' : at === 0 ? 'expects  ' : '     and '}${checkText(check)}`,
      ),
    ]),
    `              by ${because.join('; ')}`,
  ]
}

function ruleLines({ steps }: ResolvedRow, rules: readonly RecordedRule[]): string[] {
  const named = new Set(steps.flatMap(expectationsOf).flatMap((one) => one.rules))
  return rules
    .filter(({ id }) => named.has(id))
    .map(
      ({ id, strength, statement, passages }) =>
        `${id} (${strength}): ${statement}${passages ? `  [${passages.join('; ')}]` : ''}`,
    )
}

/** What the profile says of the situations and divergences that the row names. */
function profileLines({ steps }: ResolvedRow, { situations = [], divergences }: RecordedProfile): string[] {
  const all = steps.flatMap(expectationsOf)
  const situationNames = new Set(all.map(({ situation }) => situation))
  const divergenceNames = new Set(all.map(({ divergence }) => divergence))
  return [
    ...situations
      .filter(({ name }) => situationNames.has(name))
      .map(
        ({ name, meaning, outcome, source }) =>
          `situation ${name}: ${meaning} ${outcome}${source ? `, ${source}` : ''}`,
      ),
    ...divergences
      .filter(({ id }) => divergenceNames.has(id))
      .map(({ id, statement, source }) => `divergence ${id}: ${statement} (${source})`),
  ]
}
