/** The learned profile and the proposed divergences, as YAML. */
import { Document, isMap, type YAMLMap } from 'yaml'
import { omitUndefined } from '../lib/omit-undefined.js'
import type { Shapes } from '../runner/suite/shapes.js'
import type { Matcher, ResponsePattern } from '../runner/suite/suite.js'
import { describeAnswer, type LearnedRows, type LearnedSituation } from './learn-situations.js'
import type { ObservedAnswer } from './observations.js'
import type { ObservedRun } from './observed-run.js'
import type { ProposedDivergence } from './propose-divergences.js'
import { type Codes, statedOutcome } from './stated-outcome.js'

export interface LearnedProfile {
  name: string
  extends: string
  runs: readonly ObservedRun[]
  /** Common properties of the codes that the base profile defines. */
  codes: ReadonlyMap<string, ResponsePattern>
  /** The participant leaves out members that the text leaves optional. */
  basis?: 'text'
  accepted?: Shapes['response']
  /** Names of formats with the matcher of the text. */
  formats: Readonly<Record<string, Matcher | 'open'>>
  situations: readonly LearnedSituation[]
  byRow: readonly LearnedRows[]
}

/** Characters, as in the lint of suites. */
const lineWidth = 140

export function profileText(learned: LearnedProfile): string {
  const { name, runs, basis, accepted, formats, codes } = learned
  const version = runs.find((run) => run.version !== undefined)?.version
  const line = /^\d+\.\d+/.exec(version ?? '')?.[0]
  const added = newCodes(learned, codes)
  const situations = situationsOf(learned, { ...commonOf(codes), ...added })
  const document = new Document({
    profile: name,
    title: version === undefined ? 'Learned from a participant' : `Participant of version ${version}, as observed`,
    ...(line !== undefined && { line }),
    extends: learned.extends,
    ...(basis && { basis }),
    confidence: 'observed',
    source: runs.map(originOf).join('; '),
    ...(accepted && { accepted }),
    ...(Object.keys(formats).length > 0 && { formats }),
    ...(Object.keys(added).length > 0 && { codes: added }),
    ...(Object.keys(situations).length > 0 && { situations }),
  })
  document.commentBefore = ` Written by conform learn: where this participant differs from the profile ${learned.extends}.`
  return printed(document)
}

const originOf = ({ version, date, digest, kind }: ObservedRun): string =>
  `observed on version ${version ?? 'unknown'}${date === '' ? '' : `, ${date}`}; ${kind} sha256 ${digest}`

const commonOf = (codes: ReadonlyMap<string, ResponsePattern>): Codes =>
  Object.fromEntries(
    [...codes].map(([code, { mediaType: _, namesHash: __, ...common }]) => [code, common as Shapes['common']]), // the same members
  )

function newCodes({ situations, byRow }: LearnedProfile, known: ReadonlyMap<string, ResponsePattern>): Codes {
  if (known.size === 0) return {}
  const ofRows = byRow.flatMap(({ rows }) => rows.map(({ answer }) => answer))
  return Object.fromEntries(
    [...situations.flatMap(({ answers }) => answers), ...ofRows].flatMap(
      ({ outcome, code, status, category, grpc, retry, resources }) => {
        if (outcome === 'accepted' || code === undefined || known.has(code)) return []
        return [[code, { status, ...omitUndefined({ category, grpc, retry, resources }) }] as const]
      },
    ),
  )
}

function situationsOf({ situations, byRow }: LearnedProfile, codes: Codes): Record<string, object> {
  return Object.fromEntries([
    ...situations.map((one) => [one.situation, { ...situationOutcomes(one, codes), source: rowsInWords(one.rows) }]),
    ...byRow.map((one) => [
      one.situation,
      { ...outcomesByRow(one, codes), source: rowsInWords(one.rows.map(({ row }) => row)) },
    ]),
  ])
}

/** Of a race, together with the answers of the base profile. */
function situationOutcomes({ answers, race, divergence }: LearnedSituation, codes: Codes): object {
  const found = outcomesOf(answers, codes)
  const stated = race && statedOutcome(race, codes)
  const refused = stated && [...[stated['refused']].flat(), ...refusedOf(answers, codes)]
  return { ...found, ...stated, ...(refused && { refused }), ...omitUndefined({ divergence }) }
}

/** The outcome of the base profile, and those of the rows that differ. */
function outcomesByRow({ fact, rows }: LearnedRows, codes: Codes): object {
  const stated = statedOutcome(fact, codes)
  const found = Object.fromEntries(rows.map(({ row, answer }) => [row, outcomesOf([answer], codes)]))
  return { ...stated, 'by-row': { ...stated['by-row'], ...found } }
}

/** Only what differs from the common properties of the codes. */
function outcomesOf(answers: LearnedSituation['answers'], codes: Codes): Shapes['outcome'] {
  const refused = refusedOf(answers, codes)
  const [only, ...more] = refused
  const { name: _, ...plain } = only ?? {}
  return {
    ...(refused.length < answers.length && { accepted: true as const }),
    ...(only && { refused: more.length > 0 ? refused : plain }),
  }
}

const refusedOf = (answers: readonly ObservedAnswer[], codes: Codes) =>
  answers
    .filter(({ outcome }) => outcome === 'refused')
    .map((answer) => ({ name: nameOf(answer), ...refusedAs(answer, codes) }))

/** Such as `409-duplicate-command`. */
const nameOf = (answer: ObservedAnswer): string =>
  describeAnswer(answer)
    .toLowerCase()
    .replace(/[^a-z0-9]+/g, '-')

/** Without the code if the answer lacks properties that the profile expects with it. */
function refusedAs(answer: ObservedAnswer, codes: Codes): Shapes['response'] {
  const { status, mediaType, category, grpc, retry, resources } = answer
  const common = answer.code === undefined ? undefined : wholeCommon(answer, codes[answer.code])
  const code = answer.code !== undefined && (common || !(answer.code in codes)) ? answer.code : undefined
  const own = { category, grpc, retry, resources }
  const differing = Object.entries(own).filter(
    ([name, value]) => value !== undefined && String(value) !== String(common?.[name as keyof typeof own]),
  )
  const isKnownStatus = common?.status !== undefined && [common.status].flat().map(String).includes(String(status))
  return {
    ...(code !== undefined && { code }),
    ...(isKnownStatus ? {} : { status }),
    ...(common && mediaType === 'application/json' ? {} : omitUndefined({ 'media-type': mediaType })),
    ...Object.fromEntries(differing),
  }
}

const wholeCommon = ({ category, grpc }: ObservedAnswer, common: Codes[string] | undefined): typeof common =>
  (common?.category !== undefined && category === undefined) || (common?.grpc !== undefined && grpc === undefined)
    ? undefined
    : common

const named = 3

const rowsInWords = (rows: readonly string[]): string =>
  `rows ${rows.slice(0, named).join(', ')}${rows.length > named ? ` and ${rows.length - named} more` : ''}`

/** A part of a profile, which a person moves there. */
export function divergencesText(proposed: readonly ProposedDivergence[], { codes }: LearnedProfile): string {
  const common = commonOf(codes)
  const situations = proposed.flatMap(({ id, situations: explained }) =>
    explained.map(({ situation, answer }) => [situation, { ...outcomesOf([answer], common), divergence: id }] as const),
  )
  const document = new Document({
    ...(situations.length > 0 && { situations: Object.fromEntries(situations) }),
    divergences: proposed.map(({ id, rule, statement, rows }) => ({ id, rule, statement, source: rowsInWords(rows) })),
  })
  document.commentBefore =
    ' Violations of the interface text, proposed as divergences. To accept one, correct its name and statement, and move it to the profile.'
  return printed(document)
}

/** One line for each entry. */
function printed(document: Document): string {
  for (const name of ['formats', 'codes', 'situations']) {
    const entries = document.get(name)
    if (isMap(entries)) for (const { value } of (entries as YAMLMap).items) if (isMap(value)) value.flow = true
  }
  return document.toString({ lineWidth, flowCollectionPadding: true, singleQuote: true })
}
