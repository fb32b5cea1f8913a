/** What a client asks first: is it there, is it ready, which version is it, what does it offer. */
import { readOwnFile } from '../../lib/files/own-file.js'
import { ok } from '../http/answer.js'
import { endpoint } from '../http/endpoint.js'
import { pageSizes } from './page.js'

export const livez = endpoint({ method: 'get', path: '/livez', handle: () => ({ status: 200, empty: true }) })

export const readyz = endpoint({
  method: 'get',
  path: '/readyz',
  handle: ({ participant }) =>
    participant.ledger.synchronizers.length > 0
      ? { status: 200, text: '[+] ledger ok (SERVING)\nreadyz check passed\n' }
      : { status: 503, text: '[-] ledger failed (NOT_SERVING)\nreadyz check failed\n' },
})

export const version = endpoint({
  method: 'get',
  path: '/v2/version',
  handle: () =>
    ok({
      version: '3.5.10',
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

/** The interface as this project describes it; nobody needs a token to read it. */
export const openApi = endpoint({
  method: 'get',
  path: '/docs/openapi',
  handle: () => ({ status: 200, text: readOwnFile(description) }),
})
