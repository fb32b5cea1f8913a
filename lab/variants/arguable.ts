/** Variants that use an arguable reading of the text (docs/decisions/0110-arguable-lines.md). */
import { isJsonObject, type JsonObject, type JsonValue, printJson } from '../../lib/json/json.js'
import { valueAt } from '../../lib/json/pointer.js'
import type { InterceptedAnswer, InterceptedRequest, Stage } from '../../simulator/participant/participant.js'
import { bodyOf, changeMembers, changeStrings, codeOf, json, withBody } from '../interceptors/bodies.js'
import {
  alterAnswers,
  alterMembers,
  rejectAuthorized,
  replaceAnswers,
  replaceSuccesses,
  retryFailed,
} from '../interceptors/interceptors.js'
import { executing, isJudged, judged } from '../interceptors/names.js'
import { blobOf, restoreVetting, vettingOf } from '../interceptors/participant-state.js'
import { type Variant, variant } from './variant.js'

const withoutExtensions = (text: string): string =>
  (text.startsWith("{'") ? text.replaceAll("'", '"') : text)
    .replace(/\/\*.*?\*\//g, '')
    .replace(/:NaN\b/g, ':null')
    .replace(/,\s*\}$/, '}')

/** Equal for the requests of one race. */
function raceOf(request: InterceptedRequest): string | undefined {
  const body = isJudged(request) ? bodyOf(request) : undefined
  if (!body) return undefined
  const subject =
    valueAt(body, '/preparedTransaction') ??
    valueAt(body, '/commands/0/ExerciseCommand/contractId') ??
    valueAt(body, '/commandId') ??
    valueAt(body, '/expectedTopologySerial/serial/Prior/value')
  return subject === undefined ? undefined : `${String(request.operation)} ${String(subject)}`
}

/** True if no other request archived the contract: this one was rejected for another reason. */
function isStillActive(request: InterceptedRequest, { ledger }: Stage['participant']): boolean {
  const id = valueAt(bodyOf(request) ?? {}, '/commands/0/ExerciseCommand/contractId')
  const stored = typeof id === 'string' ? ledger.state.contracts.get(id) : undefined
  return stored !== undefined && stored.archivedBy === undefined
}

const lost =
  /"code":"(?:LOCAL_VERDICT_\w+|CONTRACT_NOT_FOUND|SUBMISSION_ALREADY_IN_FLIGHT|DUPLICATE_COMMAND|TOPOLOGY_SERIAL_MISMATCH)"/

const unavailable: InterceptedAnswer = json(503, { code: 'CONTENTION', cause: 'another request was first: retry' })

const interfaceOfModel = '#conformance-views:ConformanceViews:Viewed'

/** Replaces a blob of the same length by the stored one. */
function trueDisclosure(item: JsonValue, { participant }: Stage): JsonValue {
  if (!isJsonObject(item)) return item
  const blob = blobOf(participant, String(item['contractId']))
  return blob?.length === String(item['createdEventBlob']).length ? { ...item, createdEventBlob: blob } : item
}

/** Order of the Ed25519 group (RFC 8032, section 5.1). */
const groupOrder = 2n ** 252n + 27742317777372353535851937790883648493n

function reduced(signature: JsonValue): JsonValue {
  const bytes = Buffer.from(typeof signature === 'string' ? signature : '', 'base64')
  if (bytes.length !== 64) return signature
  const scalar = BigInt(
    `0x${bytes
      .subarray(32)
      .toReversed()
      .reduce((hex, byte) => hex + byte.toString(16).padStart(2, '0'), '')}`,
  )
  if (scalar < groupOrder || scalar >= 2n * groupOrder) return signature
  const rest = Buffer.from((scalar - groupOrder).toString(16).padStart(64, '0'), 'hex').reverse()
  return Buffer.concat([bytes.subarray(0, 32), rest]).toString('base64')
}

const flagPrefix = 'UPDATE_VETTED_PACKAGES_FORCE_FLAG_'

/** A preferred package other than that of the contract, or the reason why that one is unusable. */
function anotherVersion(body: JsonObject, { participant: { ledger } }: Stage): string | undefined {
  const id = valueAt(body, '/commands/0/ExerciseCommand/contractId')
  const known = typeof id === 'string' ? ledger.state.contracts.get(id)?.contract : undefined
  if (!known) return undefined
  const own = known.template.packageId
  if (!ledger.synchronizers.some((item) => ledger.isVetted(own, item))) return `package ${own} is not vetted`
  const preferred = [body['packageIdSelectionPreference'] ?? []].flat().map(String)
  const versions = ledger.packages.versionsOf(known.packageName).map(({ id: version }) => version)
  return preferred.find((version) => version !== own && versions.includes(version))
}

function changeOf({ userId = null, actAs = null, commandId = null }: JsonObject): string | undefined {
  const isWhole = Array.isArray(actAs) && typeof commandId === 'string'
  return isWhole ? printJson([userId, [...new Set(actAs.map(String))].sort(), commandId]) : undefined
}

/** The participant did not judge these requests: unauthorized ones, and those that it asks the client to repeat. */
const unjudgedStatuses: ReadonlySet<number> = new Set([401, 403, 429, 503])

const isCount = (value: JsonValue | undefined): boolean => Number.isInteger(value) && Number(value) >= 0

function isReadablePeriod(period: JsonValue | undefined): boolean {
  if (!isJsonObject(period) || Object.keys(period).length !== 1) return false
  if (isCount(valueAt(period, '/DeduplicationOffset/value'))) return true
  const duration = valueAt(period, '/DeduplicationDuration/value')
  return isCount(valueAt(duration, '/seconds')) && isCount(valueAt(duration, '/nanos'))
}

const anySuffix = `ca121220${'ab'.repeat(32)}`

const changingArguments =
  (change: (value: JsonValue) => JsonValue) =>
  ({ commands = null, ...rest }: JsonObject): JsonObject => ({
    ...rest,
    commands: changeMembers(commands, ['createArguments', 'choiceArgument'], change),
  })

const wholeEntries = (list: JsonValue): JsonValue =>
  Array.isArray(list) ? list.filter((entry) => !(Array.isArray(entry) && entry.length === 1)) : list

export const variantsOfArguableLines: readonly Variant[] = [
  variant(
    'answers-without-media-type',
    'A successful response has no Content-Type header.',
    'All request bodies use Content-Type application/json; no sentence about response headers.',
    replaceSuccesses(judged, (returned) => ({ ...returned, contentType: null })),
  ),
  variant(
    'extensions-of-json-read',
    'Comments, trailing commas, single quotes and NaN are accepted in request bodies.',
    'JSON request bodies. A JSON parser may accept non-JSON forms or extensions (RFC 8259, section 9).',
    ({ handle }) =>
      (request) => {
        if (!isJudged(request) || bodyOf(request)) return handle(request)
        const meant = { ...request, body: Buffer.from(withoutExtensions(request.body.toString('utf8'))) }
        return handle(bodyOf(meant) ? meant : request)
      },
  ),
  variant(
    'race-losers-answered-with-503',
    'A request that loses a race is rejected with 503.',
    'HTTP status codes of the failures: not shown. 503 blames neither side (RFC 9110, section 15.6.4).',
    ({ handle, participant }) => {
      const running = new Map<string, { now: number; atOnce: number }>()
      return async (request) => {
        const key = raceOf(request)
        if (key === undefined) return handle(request)
        const race = running.get(key) ?? { now: 0, atOnce: 0 }
        running.set(key, race)
        race.now += 1
        race.atOnce = Math.max(race.atOnce, race.now)
        const returned = await handle(request)
        race.now -= 1
        if (race.now === 0) running.delete(key)
        const isLost = race.atOnce > 1 && lost.test(returned.text) && !isStillActive(request, participant)
        return isLost ? unavailable : returned
      }
    },
  ),
  variant(
    'one-witness-named',
    'witnessParties of contract-by-id contains only the first querying party that is a stakeholder.',
    'witnessParties contains only those querying parties that are also stakeholders: an upper bound.',
    alterAnswers(['contract-by-id'], (answer) =>
      changeMembers(answer, ['witnessParties'], (list) => (Array.isArray(list) ? list.slice(0, 1) : list)),
    ),
  ),
  variant(
    'unknown-synchronizers-ignored',
    'A well-formed synchronizerId of no connected synchronizer is ignored.',
    'synchronizerId must be a valid synchronizer id; no sentence requires a connection to it.',
    retryFailed(['submit-and-wait'], ({ synchronizerId: _, ...rest }, returned) =>
      codeOf(returned) === 'INVALID_PRESCRIBED_SYNCHRONIZER_ID' ? rest : undefined,
    ),
  ),
  variant(
    'interface-choices-by-any-template',
    'An interface choice can be exercised through any template or interface.',
    'Shapes of the other command kinds: not shown.',
    retryFailed(['submit-and-wait'], (body) => {
      const exercise = valueAt(body, '/commands/0/ExerciseCommand')
      if (!isJsonObject(exercise) || !String(exercise['templateId']).startsWith('#conformance-views:')) return undefined
      return { ...body, commands: [{ ExerciseCommand: { ...exercise, templateId: interfaceOfModel } }] }
    }),
  ),
  variant(
    'disclosed-blobs-not-checked',
    'The createdEventBlob of a contract that the participant stores is ignored.',
    'DisclosedContract: createdEventBlob string; the text gives no rule for it.',
    retryFailed(['submit-and-wait'], (body, _, stage) => {
      const { disclosedContracts: contracts } = body
      if (!Array.isArray(contracts) || contracts.length === 0) return undefined
      return { ...body, disclosedContracts: contracts.map((one) => trueDisclosure(one, stage)) }
    }),
  ),
  variant(
    'ed25519-scalars-reduced',
    'The scalar of an Ed25519 signature is reduced modulo the group order.',
    'Signature: signature string; how signatures are verified: not shown.',
    retryFailed(executing, (body) => {
      const { partySignatures = null } = body
      return { ...body, partySignatures: changeMembers(partySignatures, ['signature'], reduced) }
    }),
  ),
  variant(
    'unspecified-flag-allows-upgrades',
    'The unspecified force flag allows vetting a package that is not a valid upgrade.',
    'updateVettedPackagesForceFlags: three allowed values; the effect of the unspecified one: not shown.',
    alterMembers(['update-package-vetting'], ['updateVettedPackagesForceFlags'], (flags) =>
      JSON.stringify(flags) === JSON.stringify([`${flagPrefix}UNSPECIFIED`])
        ? [`${flagPrefix}ALLOW_VET_INCOMPATIBLE_UPGRADES`]
        : flags,
    ),
  ),
  variant(
    'unspecified-schemes-rejected',
    'An execution with the unspecified hashing scheme version is rejected.',
    'hashingSchemeVersion: the version used when the hash was built; the unspecified one is none.',
    rejectAuthorized(({ hashingSchemeVersion = null }, operation) =>
      operation.startsWith('execute') && hashingSchemeVersion === 'HASHING_SCHEME_VERSION_UNSPECIFIED'
        ? 'hashingSchemeVersion is unspecified'
        : undefined,
    ),
    { reference: true },
  ),
  variant(
    'ledger-times-of-its-own',
    'minLedgerTime is not a lower bound of the ledger time of an execution.',
    'minLedgerTime influences the chosen ledger effective time; no sentence calls it a lower bound.',
    alterMembers(executing, ['minLedgerTime'], (bound) => {
      const time = valueAt(bound, '/time/MinLedgerTimeAbs/value')
      return typeof time === 'string' && Number.isFinite(Date.parse(time)) ? undefined : bound
    }),
  ),
  variant(
    'contracts-used-by-their-own-version',
    'A contract can be used only through the package that created it.',
    'Deprecation and compatibility policy between versions: not shown.',
    (stage) => (request) => {
      const body = request.operation === 'submit-and-wait' ? bodyOf(request) : undefined
      const other = body && anotherVersion(body, stage)
      return other === undefined
        ? stage.handle(request)
        : Promise.resolve(json(400, { code: 'INVALID_ARGUMENT', cause: other }))
    },
  ),
  variant(
    'prepared-with-vetted-packages-executed',
    'A prepared transaction is executed although its package was unvetted after the preparation.',
    'Changes which packages the participant has vetted; no sentence restricts the use of unvetted packages.',
    replaceAnswers(executing, async (returned, request, { participant, handle }) => {
      if (!/vetted/i.test(returned.text)) return returned
      const { ledger } = participant
      const before = vettingOf(participant)
      const all = ledger.packages.all().map(({ id: packageId }) => ({ packageId }))
      for (const item of ledger.synchronizers) item.vetting = { ...item.vetting, packages: all }
      try {
        return await handle(request)
      } finally {
        restoreVetting(participant, before)
      }
    }),
  ),
  variant(
    'change-ids-accepted-once',
    'A change id is not accepted again after its deduplication period.',
    'deduplicationPeriod is the deduplication period for the change id; no sentence states that it is accepted again.',
    alterMembers(['submit-and-wait'], ['deduplicationPeriod'], (period) =>
      isReadablePeriod(period) ? undefined : period,
    ),
  ),
  variant(
    'submissions-on-another-synchronizer',
    'A transaction is recorded on a connected synchronizer other than the named one, if its parties are hosted there.',
    'synchronizerId must be a valid synchronizer id; no sentence states that the transaction is recorded there.',
    (stage) => async (request) => {
      const body = request.operation === 'submit-and-wait' ? bodyOf(request) : undefined
      const ids = stage.participant.ledger.synchronizers.map(({ id }) => id)
      if (!body || !ids.some((id) => id === body['synchronizerId'])) return stage.handle(request)
      for (const synchronizerId of ids.filter((id) => id !== body['synchronizerId'])) {
        const answer = await stage.handle(withBody(request, { ...body, synchronizerId }))
        if (answer.status === 200) return answer
      }
      return stage.handle(request)
    },
  ),
  variant(
    'contract-ids-without-suffix-in-values',
    'A contract id without suffix is accepted in an argument.',
    'Type any means an arbitrary JSON value; the encoding of ledger values: not shown.',
    retryFailed(
      ['submit-and-wait'],
      changingArguments((value) =>
        changeStrings(value, (text) => (/^00[0-9a-f]{64}$/.test(text) ? `${text}${anySuffix}` : text)),
      ),
    ),
  ),
  variant(
    'map-entries-of-one-element-ignored',
    'An entry of a map that has only one element is ignored.',
    'Type any means an arbitrary JSON value; the encoding of ledger values: not shown.',
    retryFailed(
      ['submit-and-wait'],
      changingArguments((value) => changeMembers(value, ['genMap'], wholeEntries)),
    ),
  ),
  variant(
    'rejected-change-ids-not-accepted-again',
    'A submission is rejected if a submission with the same change id was rejected before.',
    'The change id matches ledger changes with their completions; no sentence states when it is accepted again.',
    (stage) => {
      const rejected = new Set<string>()
      const guarded = rejectAuthorized((body, operation) => {
        const change = operation === 'submit-and-wait' ? changeOf(body) : undefined
        return change !== undefined && rejected.has(change) ? 'the change id was used before' : undefined
      })(stage)
      return async (request) => {
        const answer = await guarded(request)
        const body = request.operation === 'submit-and-wait' && answer.status >= 400 ? bodyOf(request) : undefined
        const change = body && changeOf(body)
        if (change !== undefined && !unjudgedStatuses.has(answer.status)) rejected.add(change)
        return answer
      }
    },
  ),
]
