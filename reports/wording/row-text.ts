import { expectationsOf } from '../../record/judgements/references.js'
import type { RecordedProfile, RecordedRule } from '../../record/types/record.js'
import type { Confidence, ResolvedExpectation, ResolvedRow, ResolvedStep } from '../../record/types/resolved-row.js'
import { checkText } from './fact-text.js'
import { templateCurl, templateLines } from './template-text.js'
import { confidenceWords, obligation, roleWords, strengthWords } from './terms.js'
import { count } from './words.js'

export interface RowSource {
  rules: readonly RecordedRule[]
  profile: RecordedProfile
  protocolVersion?: number | undefined
}

/** Without a final line feed. */
export function rowText(row: ResolvedRow, source: RowSource): string {
  return [
    row.id,
    `  ${row.title}`,
    '',
    ...headLines(row, source),
    '',
    ...row.steps.flatMap((step, index) => [...stepLines(step, index, source.rules), '']),
    'Rules',
    ...ruleLines(row, source.rules),
    ...profileLines(row, source.profile),
    '',
    '# The requests as curl commands. TARGET: base URL, TOKEN: token of the actor. The run replaces the variables.',
    ...row.steps.flatMap((step, index) => [`# ${index + 1}. ${step.name}`, templateCurl(step)]),
  ].join('\n')
}

const impactWords: Readonly<Record<ResolvedRow['impact'], string>> = {
  read: 'commits no transaction',
  write: 'commits transactions',
  topology: 'changes vetting and restores it',
  hazard: 'may stop a faulty participant',
}

function headLines(row: ResolvedRow, { profile, protocolVersion }: RowSource): string[] {
  const { operation, source, needs, fixtures, alone, steps, impact, values } = row
  const requests = steps.reduce((sum, { race }) => sum + (race?.times ?? 1), 0)
  const version =
    protocolVersion === undefined ? 'highest known protocol version' : `protocol version ${protocolVersion}`
  return [
    `operation  ${operation}`,
    `source     ${source.file}:${source.line}`,
    `profile    ${profile.name} (${profile.title}), ${version}`,
    `requires   ${needs.length > 0 ? needs.join(', ') : 'no optional capability'}`,
    `fixtures   ${fixtures.length > 0 ? fixtures.join(', ') : 'none'}`,
    `sends      at most ${count(requests, 'request')}${alone ? ', while no other row runs' : ''}`,
    `impact     ${impact}: ${impactWords[impact]}`,
    ...Object.entries(values).map(([name, value]) => `variable   \${${name}} = ${JSON.stringify(value)}`),
  ]
}

function stepLines(step: ResolvedStep, index: number, rules: readonly RecordedRule[]): string[] {
  const { name, role, operation, actor, token, sentWhen, race, eventually, later, capture, expectations, source } = step
  const circumstances = [
    sentWhen && `only if the request under test was ${sentWhen === 'refused' ? 'rejected' : sentWhen}`,
    race && `sent ${race.times} times concurrently`,
    eventually !== undefined && `repeated for at most ${eventually} s, until the expectations are met`,
    later !== undefined &&
      (later === 'late-check' ? 'with the late-effects check' : `${later} s after the previous step`),
    step.presigned && 'not sent: a presigned transaction replaces its response',
  ].filter((text) => typeof text === 'string')
  const caller = token ? `${actor} with ${token.meaning}` : actor
  return [
    `${index + 1}. ${roleWords[role]}: ${name} (${operation}) by actor ${caller}, ${source.file}:${source.line}`,
    ...circumstances.map((text) => `   ${text}`),
    ...templateLines(step).map((line) => `     ${line}`),
    ...Object.entries(capture).map(
      ([variable, pointer]) => `   captures \${${variable}} from ${pointer || 'the whole body'}`,
    ),
    ...expectations.flatMap((expectation) => expectationLines(expectation, rules)),
    ...(race ? ['   each rejected request:', ...race.others.flatMap((one) => expectationLines(one, rules))] : []),
  ]
}

function expectationLines(expectation: ResolvedExpectation, known: readonly RecordedRule[]): string[] {
  const { rules, strength, confidence, situation, divergence, basis, besides, anyOf, source } = expectation
  const because = [
    `${[...rules, obligation({ strength, confidence })].join(', ')}${sectionText(rules, confidence, known)}`,
    situation !== undefined && `situation ${situation}`,
    divergence !== undefined && `divergence ${divergence}`,
    basis !== undefined && `basis: ${basis}`,
    besides !== undefined && `no evidence for its rules if met, because the request has a second error: ${besides}`,
    `${source.file}:${source.line}`,
  ].filter((text) => typeof text === 'string')
  const several = anyOf.length > 1
  return [
    ...anyOf.flatMap(({ name, checks }, index) => [
      ...(several ? [`   ${index === 0 ? 'expects ' : 'or      '} ${outcomeWords[name ?? ''] ?? name ?? ''}`] : []),
      ...checks.map(
        (check, at) => `   ${several ? '         ' : at === 0 ? 'expects  ' : '     and '}${checkText(check)}`,
      ),
    ]),
    `   because  ${because.join('; ')}`,
  ]
}

/** Empty if the basis is not the text. */
function sectionText(ids: readonly string[], confidence: Confidence, rules: readonly RecordedRule[]): string {
  const sections = new Set(rules.filter(({ id }) => ids.includes(id)).map(({ section }) => section))
  if (confidence !== 'text') return ''
  return `, ${[confidenceWords.text, ...[...sections].map((name) => `section ${name}`)].join(', ')}`
}

function ruleLines({ steps }: ResolvedRow, rules: readonly RecordedRule[]): string[] {
  const named = new Set(steps.flatMap(expectationsOf).flatMap((one) => one.rules))
  return rules
    .filter(({ id }) => named.has(id))
    .map(
      ({ id, strength, statement, passages }) =>
        `  ${id} (${strengthWords[strength]}): ${statement}${passages ? ` [${passages.join('; ')}]` : ''}`,
    )
}

const outcomeWords: Readonly<Record<string, string>> = { refused: 'rejected', either: 'accepted or rejected' }

function profileLines({ steps }: ResolvedRow, { situations = [], divergences }: RecordedProfile): string[] {
  const all = steps.flatMap(expectationsOf)
  const situationNames = new Set(all.map(({ situation }) => situation))
  const divergenceNames = new Set(all.map(({ divergence }) => divergence))
  const situationLines = situations
    .filter(({ name }) => situationNames.has(name))
    .map(({ name, meaning, outcome, source }) => {
      const basis = source ? ` (${source})` : ''
      return `  ${name}: ${meaning} Expected outcome: ${outcomeWords[outcome] ?? outcome}${basis}`
    })
  const divergenceLines = divergences
    .filter(({ id }) => divergenceNames.has(id))
    .map(({ id, statement, source }) => `  ${id}: ${statement} (${source})`)
  return [
    ...(situationLines.length > 0 ? ['Situations', ...situationLines] : []),
    ...(divergenceLines.length > 0 ? ['Divergences from the text', ...divergenceLines] : []),
  ]
}
