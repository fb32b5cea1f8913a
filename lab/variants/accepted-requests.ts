/** Variants that accept what the reference rejects: encodings, absent members and users. */
import { gunzipSync } from 'node:zlib'
import { isJsonObject, JsonNumber, type JsonObject, type JsonValue } from '../../lib/json/json.js'
import { valueAt } from '../../lib/json/pointer.js'
import type {
  InterceptedRequest,
  Interceptor,
  KnownOperation,
  Participant,
} from '../../simulator/participant/participant.js'
import { answerOf, bodyOf, changeStrings, withBody } from '../interceptors/bodies.js'
import { alterMembers, alterRequests, retryFailed } from '../interceptors/interceptors.js'
import { damlArguments, executing, isJudged, isOneOf, judged } from '../interceptors/names.js'
import { type Variant, variant } from './variant.js'

const withoutParties: readonly KnownOperation[] = [...executing, 'update-package-vetting']

const unpaired = /[\ud800-\udbff](?![\udc00-\udfff])|(?<![\ud800-\udbff])[\udc00-\udfff]/g

const largestInt32 = 2 ** 31 - 1
const billion = 1_000_000_000

/** Carries nanos beyond int32 over to seconds. */
function normalized(duration: JsonValue): JsonValue {
  const { seconds = 0, nanos = 0 } = isJsonObject(duration) ? duration : {}
  if (typeof nanos !== 'number' || typeof seconds !== 'number' || nanos <= largestInt32) return duration
  return { seconds: seconds + Math.floor(nanos / billion), nanos: nanos % billion }
}

const isBeyondInt64 = (value: JsonValue | undefined): boolean =>
  Number(value instanceof JsonNumber ? value.text : value) >= 2 ** 63

/** Deeper than any request of the interface. */
const deepest = 50

/** Keeps null in Daml values. */
function withoutNulls(value: JsonValue, depth = 0): JsonValue {
  if (depth > deepest) return value
  if (Array.isArray(value)) return value.map((item) => withoutNulls(item, depth + 1))
  return isJsonObject(value) ? membersWithoutNulls(value, depth) : value
}

const membersWithoutNulls = (value: JsonObject, depth = 0): JsonObject =>
  Object.fromEntries(
    Object.entries(value)
      .filter(([name, item]) => item !== null || damlArguments.includes(name))
      .map(([name, item]) => [name, damlArguments.includes(name) ? item : withoutNulls(item, depth + 1)]),
  )

const isOpen = ({ headers }: InterceptedRequest): boolean => headers['authorization'] === undefined

/** Retries requests of unknown users with earlier tokens. */
const forAnyUser =
  (names: readonly KnownOperation[]): Interceptor =>
  ({ handle }) => {
    const tokens = new Map<KnownOperation, string>()
    return async (request) => {
      const answer = await handle(request)
      const { operation } = request
      if (!operation || !isOneOf(request, names)) return answer
      const own = request.headers['authorization']
      if (answer.status === 200 && own !== undefined) tokens.set(operation, own)
      const context = valueAt(answerOf(answer), '/context/ledger_api_error')
      const authorization = context === 'invalid token' ? tokens.get(operation) : undefined
      return authorization === undefined
        ? answer
        : handle({ ...request, headers: { ...request.headers, authorization } })
    }
  }

const pingTemplate = '#canton-builtin-admin-workflow-ping:Canton.Internal.Ping:Ping'

/** Missing and unusable members have defaults; unknown fields of an argument are ignored. */
function withDefaults(command: JsonValue): JsonValue {
  const exercise = isJsonObject(command) ? command['ExerciseCommand'] : undefined
  if (!isJsonObject(exercise) || !isJsonObject(exercise['choiceArgument'] ?? {})) return command
  const { templateId = null, choiceArgument = {} } = exercise
  const { more: _, ...argument } = isJsonObject(choiceArgument) ? choiceArgument : {}
  const template = typeof templateId === 'string' ? templateId : pingTemplate
  return { ExerciseCommand: { ...exercise, templateId: template, choiceArgument: argument } }
}

/** The choice, template and argument of an exercise, as its contract permits them. */
function corrected(command: JsonValue, { ledger }: Participant): JsonValue {
  const exercise = isJsonObject(command) ? command['ExerciseCommand'] : undefined
  const stored = isJsonObject(exercise) ? ledger.stored(String(exercise['contractId'])) : undefined
  if (!isJsonObject(exercise) || !stored) return command
  const { packageId, module, entity } = stored.contract.template
  const { choice } = exercise
  const members = {
    templateId: `${packageId}:${module}:${entity}`,
    // The acting party of these rows may respond, which consumes the contract.
    choice: typeof choice === 'string' ? choice : 'Respond',
    choiceArgument: {},
  }
  return { ExerciseCommand: { ...exercise, ...members } }
}

export const variantsOfAcceptedRequests: readonly Variant[] = [
  variant(
    'exercises-with-defaults',
    'An ExerciseCommand without a usable templateId or choiceArgument is accepted, and unknown fields are ignored.',
    'Command: shapes of the other command kinds: not shown.',
    alterMembers(['submit-and-wait'], ['commands'], (commands) =>
      Array.isArray(commands) ? commands.map(withDefaults) : commands,
    ),
  ),
  variant(
    'exercises-corrected',
    'An ExerciseCommand with another template, without a usable choice or with another argument is corrected and accepted.',
    'Command: shapes of the other command kinds: not shown.',
    retryFailed(['submit-and-wait'], (body, _, { participant }) =>
      Array.isArray(body['commands'])
        ? { ...body, commands: body['commands'].map((command) => corrected(command, participant)) }
        : undefined,
    ),
  ),
  variant(
    'durations-of-any-width',
    'Members of a Duration are integers of any width; a bound beyond the clock range is ignored.',
    'Duration object {seconds integer, nanos integer}: the text gives no width.',
    alterMembers(['submit-and-wait'], ['minLedgerTimeRel'], (duration) =>
      isBeyondInt64(valueAt(duration, '/seconds')) ? undefined : normalized(duration),
    ),
  ),
  variant(
    'null-is-left-out',
    'A null member is treated as absent, at any depth.',
    'The text does not mention null.',
    alterRequests(judged, (body) => membersWithoutNulls(body)),
  ),
  variant(
    'content-codings-undone',
    'A body that is compressed as Content-Encoding states is accepted.',
    'JSON request bodies; no sentence excludes content codings.',
    ({ handle }) =>
      (request) => {
        if (!isJudged(request) || request.headers['content-encoding'] !== 'gzip') return handle(request)
        const { 'content-encoding': _, ...headers } = request.headers
        return handle({ ...request, headers, body: gunzipSync(request.body) })
      },
  ),
  variant(
    'executions-without-a-user',
    'An execution without userId belongs to a user that the participant chooses.',
    'Endpoint 3: userId is not required; its meaning is that of the prepare request, which the text does not show.',
    ({ handle, participant }) =>
      (request) => {
        const body = isOneOf(request, executing) ? bodyOf(request) : undefined
        const lacks = body !== undefined && !participant.verify && isOpen(request) && !('userId' in body)
        return handle(lacks ? withBody(request, { ...body, userId: 'chosen' }) : request)
      },
  ),
  variant(
    'unknown-users-may-hand-in-and-vet',
    'A valid token authorizes execution of signed transactions and vetting updates.',
    'Authentication rule 2 names actAs and readAs; these operations have neither.',
    forAnyUser(withoutParties),
  ),
  variant(
    'prefetched-keys-ignored',
    'prefetchContractKeys is ignored.',
    'prefetchContractKeys: keys loaded into caches to speed up processing.',
    alterMembers(['submit-and-wait'], ['prefetchContractKeys'], (keys) =>
      Array.isArray(keys) && keys.every((key) => typeof valueAt(key, '/templateId') === 'string') ? undefined : keys,
    ),
  ),
  variant(
    'unpaired-surrogates-replaced',
    'An unpaired surrogate in a Daml text is stored as a question mark.',
    'Type any means an arbitrary JSON value; the encoding of ledger values: not shown.',
    alterMembers(['submit-and-wait'], ['commands'], (commands) =>
      changeStrings(commands, (text) => text.replace(unpaired, '?')),
    ),
    { reference: true },
  ),
  variant(
    'disclosed-synchronizer-ignored',
    'The synchronizerId of a disclosed contract is ignored.',
    'DisclosedContract: synchronizerId string; the text gives no rule for it.',
    alterMembers(['submit-and-wait'], ['disclosedContracts'], (contracts) => {
      if (!Array.isArray(contracts)) return contracts
      return contracts.map((one) => {
        const { synchronizerId, ...rest } = isJsonObject(one) ? one : {}
        return typeof synchronizerId === 'string' ? rest : one
      })
    }),
  ),
]
