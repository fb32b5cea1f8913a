/** Variants with other values, where the text gives only a type. */
import { isJsonObject, JsonNumber, type JsonObject, type JsonValue, parseJson, printJson } from '../../lib/json/json.js'
import { valueAt } from '../../lib/json/pointer.js'
import type { Interceptor, KnownOperation, Stage } from '../../simulator/participant/participant.js'
import { bodyOf, changeMembers, changeStrings, withBody } from '../interceptors/bodies.js'
import { alterAnswers, translateTexts } from '../interceptors/interceptors.js'
import { isOneOf, judged } from '../interceptors/names.js'
import { type Variant, variant } from './variant.js'

const waiting: readonly KnownOperation[] = ['execute-and-wait-for-transaction']
const typeAlone = (members: string): string => `${members}; the text does not define the value.`

const submissionOf = (answer: JsonValue, { participant }: Stage): { commandId: string } | undefined => {
  const id = valueAt(answer, '/transaction/updateId')
  return participant.ledger.state.transactions.get(String(id))?.submission
}

const partiesIn = (event: JsonObject, name: string): JsonValue[] => [event[name] ?? []].flat()

const ofCreated = (change: (event: JsonObject) => JsonObject): Interceptor =>
  alterAnswers(waiting, (answer) =>
    changeMembers(answer, ['CreatedEvent'], (event) => (isJsonObject(event) ? change(event) : event)),
  )

const digits = /^-?(?:0|[1-9]\d*)(?:\.\d+)?$/

const asNumbers = (value: JsonValue): JsonValue =>
  changeStrings(value, (text) => (digits.test(text) ? new JsonNumber(text) : text))

const damlValues = ['createArgument', 'contractKey', 'viewValue', 'choiceArgument', 'exerciseResult']

const beyondInt32 = 2 ** 40

const vetting: readonly KnownOperation[] = ['update-package-vetting', 'list-vetted-packages']

export const variantsOfContents: readonly Variant[] = [
  variant(
    'events-of-another-kind',
    'A transaction ends with an event of a kind that the text does not show.',
    'JsTransaction: other event kinds: not shown.',
    alterAnswers(['execute-and-wait-for-transaction', 'updates', 'update-by-id'], (answer) =>
      changeMembers(answer, ['events'], (events) =>
        Array.isArray(events) && events.length > 0 ? [...events, { TopologyNoted: { nodeId: 1000 } }] : events,
      ),
    ),
  ),
  variant(
    'workflow-id-and-tracestate-filled',
    'A transaction has a workflowId and a tracestate that the client did not send.',
    typeAlone('JsTransaction: workflowId string, traceContext object {traceparent string, tracestate string}'),
    alterAnswers(waiting, (answer) =>
      changeMembers(
        changeMembers(answer, ['workflowId'], (id) => (id === '' || id === null ? 'unnamed workflow' : id)),
        ['tracestate'],
        () => 'vendor=1',
      ),
    ),
  ),
  variant(
    'blob-without-request',
    'A created event of a transaction has a createdEventBlob even if the format does not ask for it.',
    typeAlone('CreatedEvent: createdEventBlob string. The default of transactionFormat does not name it'),
    alterAnswers(waiting, (answer) =>
      changeMembers(answer, ['createdEventBlob'], (blob) =>
        blob === '' || blob === null ? Buffer.from('a contract').toString('base64') : blob,
      ),
    ),
  ),
  variant(
    'command-id-for-every-reader',
    'A transaction has the commandId of its submission for every reader.',
    typeAlone('JsTransaction: commandId string'),
    alterAnswers(waiting, (answer, _, stage) =>
      changeMembers(answer, ['commandId'], (id) => submissionOf(answer, stage)?.commandId ?? id),
    ),
  ),
  variant(
    'witnesses-are-all-stakeholders',
    'The witnessParties of a created event in a transaction are all stakeholders of the contract.',
    'CreatedEvent: witnessParties string[]; only contract-by-id has a rule for the value.',
    ofCreated((event) => ({
      ...event,
      witnessParties: [
        ...new Set(['witnessParties', 'signatories', 'observers'].flatMap((name) => partiesIn(event, name))),
      ],
    })),
  ),
  variant(
    'acs-delta-false',
    'The acsDelta of each created event in a transaction is false.',
    typeAlone('CreatedEvent: acsDelta boolean'),
    ofCreated((event) => ({ ...event, acsDelta: false })),
  ),
  variant(
    'integers-as-json-numbers',
    'Integers and decimals of Daml values are JSON numbers.',
    'Type any means an arbitrary JSON value; the encoding of ledger values: not shown.',
    alterAnswers([...judged, 'update-by-id', 'updates', 'active-contracts'], (answer) =>
      changeMembers(answer, damlValues, asNumbers),
    ),
  ),
  variant(
    'update-ids-with-other-characters',
    'updateId contains characters outside the known grammar of a LedgerString.',
    'updateId: a valid LedgerString; its grammar: not shown.',
    translateTexts(
      (text) => text.replace(/"updateId":"1220([0-9a-f]{64})"/g, '"updateId":"{tx}+$1"'),
      (text) => text.replace(/"\{tx\}\+([0-9a-f]{64})"/g, '"1220$1"'),
    ),
  ),
  variant(
    'contract-ids-with-other-characters',
    'contractId contains characters outside the known grammar of a LedgerString.',
    'contractId: a valid LedgerString; its grammar: not shown.',
    translateTexts(
      (text) => text.replace(/"00([0-9a-f]{100,})"/g, '"{contract}+$1"'),
      (text) => text.replace(/"\{contract\}\+([0-9a-f]{100,})"/g, '"00$1"'),
    ),
  ),
  variant(
    'node-ids-above-int32',
    'nodeId is an integer above 2,147,483,647.',
    'CreatedEvent and ArchivedEvent: nodeId integer; the text gives no width.',
    alterAnswers([...waiting, 'update-by-id', 'updates'], (answer) =>
      changeMembers(answer, ['nodeId', 'lastDescendantNodeId'], (id) =>
        typeof id === 'number' ? id + beyondInt32 : id,
      ),
    ),
  ),
  variant(
    'topology-serials-above-int32',
    'topologySerial is an integer above 2,147,483,647.',
    'VettedPackages: topologySerial integer; the text gives no width.',
    ({ handle }) =>
      async (request) => {
        if (!isOneOf(request, vetting)) return handle(request)
        const body = bodyOf(request)
        const prior = valueAt(body, '/expectedTopologySerial/serial/Prior/value')
        const meant =
          body && typeof prior === 'number' && prior > beyondInt32
            ? { ...body, expectedTopologySerial: { serial: { Prior: { value: prior - beyondInt32 } } } }
            : body
        const returned = await handle(meant === body || !meant ? request : withBody(request, meant))
        if (returned.status !== 200) return returned
        const moved = changeMembers(parseJson(returned.text), ['topologySerial'], (serial) =>
          typeof serial === 'number' ? serial + beyondInt32 : serial,
        )
        return { ...returned, text: printJson(moved) }
      },
  ),
]
