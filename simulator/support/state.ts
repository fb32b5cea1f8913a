import { grammars } from '../../interface/grammars.js'
import { supportOperations } from '../../interface/operations.js'
import { readOwnFile } from '../../lib/files/read-input.js'
import { printInstant } from '../../lib/json/instant.js'
import { printJson } from '../../lib/json/json.js'
import { demandPartyInformation, demandUser } from '../auth/caller.js'
import type { BehaviourName } from '../base/behaviour.js'
import { checkArgument } from '../base/checks.js'
import { emptyAnswer, ok, textAnswer } from '../http/answer.js'
import { type Endpoint, endpoint, methodAndPath, on } from '../http/endpoint.js'
import { pageSizes } from './accounts.js'

const ledgerEnd = endpoint({
  ...on(supportOperations['ledger-end']),
  handle: ({ participant, caller }) => {
    demandUser(caller)
    const { ledger, clock, behaviour } = participant
    const recordTime = printInstant(clock.now())
    const times = ledger.synchronizers.map(({ id }) => ({ synchronizerId: id, recordTime }))
    return ok({ offset: ledger.end, ...(behaviour.has('members-since-3.6') && { synchronizerTimes: times }) })
  },
})

const prunedOffsets = endpoint({
  method: 'get',
  path: '/v2/state/latest-pruned-offsets',
  handle: ({ caller }) => {
    demandUser(caller)
    return ok({ participantPrunedUpToInclusive: 0, allDivulgedContractsPrunedUpToInclusive: 0 })
  },
})

const permission = 'PARTICIPANT_PERMISSION'

/** `party`: only the synchronizers that host it. */
const connectedSynchronizers = endpoint({
  ...on(supportOperations['connected-synchronizers']),
  handle: ({ participant: { ledger }, caller, query }) => {
    const party = query.get('party') ?? ''
    if (party === '') demandUser(caller)
    else demandPartyInformation(caller, party)
    if (party !== '') checkArgument('service', grammars.partyId, party)
    const here = ['', ledger.participantId].includes(query.get('participantId') ?? '')
    const hosting = ledger.synchronizers.filter((item) => party === '' || (here && ledger.isHosted(party, item)))
    const may = ledger.isExternal(party) ? 'CONFIRMATION' : 'SUBMISSION'
    return ok({
      connectedSynchronizers: hosting.map(({ alias, id }) => ({
        synchronizerAlias: alias,
        synchronizerId: id,
        permission: `${permission}_${party === '' ? 'UNSPECIFIED' : may}`,
      })),
    })
  },
})

const livez = endpoint({
  ...on(supportOperations.livez),
  answers: 'text',
  handle: () => emptyAnswer(200),
})

const readyz = endpoint({
  ...on(supportOperations.readyz),
  answers: 'text',
  handle: ({ participant }) =>
    participant.ledger.synchronizers.length > 0
      ? textAnswer(200, '[+] ledger ok (SERVING)\nreadyz check passed\n')
      : textAnswer(503, '[-] ledger failed (NOT_SERVING)\nreadyz check failed\n'),
})

/** Of the observed participants; the interface alone belongs to no line of the reference. */
const versions: Readonly<Record<BehaviourName, string>> = {
  interface: '0.0.0-interface',
  'canton-3.4': '3.4.12-SNAPSHOT',
  'canton-3.5': '3.5.10',
  'canton-3.6': '3.6.0-SNAPSHOT',
}

const version = endpoint({
  ...on(supportOperations.version),
  handle: ({ participant: { behaviour } }) =>
    ok({
      version: versions[behaviour.name],
      features: {
        experimental: { staticTime: { supported: false }, commandInspectionService: { supported: true } },
        userManagement: { supported: true, maxRightsPerUser: 1000, maxUsersPageSize: pageSizes.users },
        partyManagement: { maxPartiesPageSize: pageSizes.parties },
        offsetCheckpoint: {
          maxOffsetCheckpointEmissionDelay: { seconds: 75, nanos: 0, unknownFields: { fields: {} } },
        },
        packageFeature: { maxVettedPackagesPageSize: pageSizes.vettedPackages },
      },
    }),
})

const description = new URL('../../../interface/openapi.yaml', import.meta.url)

/** Ignores tokens, also of deactivated users (observed on 3.5.10). */
const openApi: Endpoint = {
  method: 'get',
  path: '/docs/openapi',
  answer: async () => textAnswer(200, readOwnFile(description)),
}

/** `GET /docs/asyncapi`: the WebSocket streams, each with the messages of its HTTP operation. */
export function describeStreams(streams: readonly Endpoint[]): Endpoint {
  const channels = streams.map((stream): [string, string] => [stream.path, methodAndPath(stream)])
  const text = [
    'asyncapi: 2.6.0',
    'info: { title: JSON Ledger API WebSocket endpoints, version: 3.5.10 }',
    'channels:',
    ...channels.flatMap(([path, operation]) => [
      `  ${path}:`,
      `    publish: { message: { name: request, description: ${printJson(`The request body of ${operation}`)} } }`,
      `    subscribe: { message: { name: element, description: ${printJson(`An element of the answer of ${operation}`)} } }`,
      '    bindings: { ws: { method: GET } }',
    ]),
    '',
  ].join('\n')
  // Ignores tokens, as the description of the HTTP operations.
  return { method: 'get', path: '/docs/asyncapi', answer: async () => textAnswer(200, text) }
}

/**
 * Health, version and state of the participant.
 * @example stateEndpoints.map(({ path }) => path).includes('/v2/state/ledger-end') // true
 */
export const stateEndpoints: readonly Endpoint[] = [
  livez,
  readyz,
  version,
  openApi,
  ledgerEnd,
  prunedOffsets,
  connectedSynchronizers,
]
