import { ping } from '../../support/ledgers/simulator-environment.js'
import type { Step } from '../../support/replay/replay-recording.js'
import { readRecording } from '../../support/replay/replay-recording.js'
import { play, type ReplaySession } from '../../support/replay/replay-steps.js'
import { Variables } from '../../support/replay/replay-variables.js'

const place = (name: string): string => `\${${name}}`

/** Environments with two synchronizers have no `eve`. */
const executed: Step[] = [
  {
    call: {
      path: '/v2/interactive-submission/prepare',
      body: {
        commandId: `executed-${place('run')}`,
        commands: [
          {
            CreateCommand: {
              templateId: ping,
              createArguments: { id: 'x', initiator: place('eve'), responder: place('eve') },
            },
          },
        ],
        actAs: [place('eve')],
        readAs: [place('eve')],
        synchronizerId: '',
        packageIdSelectionPreference: [],
        userId: 'user',
      },
    },
    capture: { prepared: '/preparedTransaction', hash: '/preparedTransactionHash' },
  },
  { sign: { key: 'eve', message: place('hash'), into: 'signature' } },
  {
    call: {
      path: '/v2/interactive-submission/executeAndWait',
      body: {
        preparedTransaction: place('prepared'),
        partySignatures: { signatures: [{ party: place('eve'), signatures: [place('signature')] }] },
        submissionId: 'executed',
        hashingSchemeVersion: 'HASHING_SCHEME_VERSION_V2',
        deduplicationPeriod: { Empty: {} },
        userId: 'user',
      },
    },
    capture: { executed: '/updateId' },
  },
]

const jwksUrl = 'http://127.0.0.1:9/keys'

const users: Step[] = [
  {
    call: {
      path: '/v2/idps',
      body: { identityProviderConfig: { identityProviderId: 'other', issuer: 'https://issuer.example', jwksUrl } },
    },
  },
  {
    call: {
      path: '/v2/users',
      body: {
        user: { id: `ann-${place('run')}`, primaryParty: '' },
        rights: [{ kind: { CanReadAsAnyParty: { value: {} } } }, { kind: { CanActAs: { value: { party: 'p::12' } } } }],
      },
    },
    capture: { ann: '/user/id' },
  },
]

export async function fill(session: ReplaySession, file: string): Promise<void> {
  const { environment, scenarios } = readRecording(file)
  const variables = new Variables()
  const signs = environment.some((step) => !step.call && step.key?.name === 'eve')
  await play(session, [...environment, ...users, ...(signs ? executed : [])], variables)
  for (const { steps } of scenarios) await play(session, steps, variables.fork())
}
