import { supportOperations } from '../../interface/operations.js'
import { readOwnFile } from '../../lib/files/read-input.js'
import type { BehaviourName } from '../base/behaviour.js'
import { ok } from '../http/answer.js'
import { type Endpoint, endpoint, on } from '../http/endpoint.js'
import { pageSizes } from './page.js'

const livez = endpoint({
  ...on(supportOperations.livez),
  answers: 'text',
  handle: () => ({ status: 200, empty: true }),
})

const readyz = endpoint({
  ...on(supportOperations.readyz),
  answers: 'text',
  handle: ({ participant }) =>
    participant.ledger.synchronizers.length > 0
      ? { status: 200, text: '[+] ledger ok (SERVING)\nreadyz check passed\n' }
      : { status: 503, text: '[-] ledger failed (NOT_SERVING)\nreadyz check failed\n' },
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
  answer: async () => ({ status: 200, text: readOwnFile(description) }),
}

export const healthEndpoints: readonly Endpoint[] = [livez, readyz, version, openApi]
