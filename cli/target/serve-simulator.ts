import type { JsonValue } from '../../lib/json/json.js'
import { makeSigningKey } from '../../runner/sign/signing-key.js'
import type { DeclaredFacts } from '../../runner/target/target-file.js'
import { behaviourOf, type SwitchPoint, switchPointNames } from '../../simulator/base/behaviour.js'
import { endpoints } from '../../simulator/endpoints.js'
import type { Participant } from '../../simulator/participant/participant.js'
import { createParticipant, type SimulatorOptions, serve } from '../../simulator/simulator.js'

export interface EmbeddedOptions extends SimulatorOptions {
  /** Create and declare state that no run can create. */
  claims?: true
}

export interface ServedSimulator {
  url: string
  /** Empty without the option `claims`. */
  claims: DeclaredFacts
  toggle(points: readonly SwitchPoint[]): void
  close(): Promise<void>
}

export async function serveSimulator(options: EmbeddedOptions): Promise<ServedSimulator> {
  const participant = await createParticipant(options)
  const { name } = participant.behaviour
  const { url, close } = await serve(participant)
  const toggle = (names: readonly SwitchPoint[]): void => {
    const { behaviour } = participant
    const points = switchPointNames.map((point): [SwitchPoint, boolean] => [
      point,
      behaviour.has(point) !== names.includes(point),
    ])
    participant.behaviour = behaviourOf(name, new Map(points))
  }
  return { url, claims: options.claims ? await addDeclaredFacts(participant) : new Map(), toggle, close: () => close() }
}

/** State that no run can create. */
async function addDeclaredFacts(participant: Participant): Promise<DeclaredFacts> {
  const { ledger, verify } = participant
  const claims = new Map<string, JsonValue>()
  const last = ledger.synchronizers.length > 1 ? ledger.synchronizers.at(-1) : undefined
  if (last) {
    // Not even the built-in package.
    last.vetting = { packages: [], serial: 0 }
    claims.set('unvettedSynchronizerId', last.id)
  }
  // With authorization, no user has rights for a foreign party.
  if (verify) return claims
  const { party, ...execution } = await signedExecution(participant, ledger.synchronizers[0]?.id ?? '')
  const known = ledger.state.parties.get(party)
  if (known) known.elsewhere = true
  for (const [name, value] of Object.entries(execution)) claims.set(`unhosted.${name}`, value)
  return claims
}

async function signedExecution(participant: Participant, synchronizer: string) {
  const post = async (path: string, body: object): Promise<Record<string, unknown>> => {
    const endpoint = endpoints.find((one) => one.method === 'post' && one.path === `/v2/${path}`)
    if (!endpoint) throw new Error(`embedded simulator: no operation POST /v2/${path}`)
    const head = { headers: {}, url: endpoint.path, params: {} }
    const answer = await endpoint.answer(head, participant, async () => Buffer.from(JSON.stringify(body)))
    const text = String(answer.content)
    if (answer.status !== 200)
      throw new Error(`embedded simulator: POST /v2/${path} returned ${answer.status}: ${text}`)
    return JSON.parse(text)
  }
  const key = makeSigningKey('ed25519')
  const signed = (hash: unknown) => key.sign(Buffer.from(String(hash), 'base64'))
  const topology = await post('parties/external/generate-topology', {
    synchronizer,
    partyHint: 'hosted-elsewhere',
    publicKey: key.publicKey,
  })
  const party = String(topology['partyId'])
  await post('parties/external/allocate', {
    synchronizer,
    onboardingTransactions: [topology['topologyTransactions']].flat().map((transaction) => ({ transaction })),
    multiHashSignatures: [signed(topology['multiHash'])],
  })
  const createArguments = { id: 'hosted elsewhere', initiator: party, responder: party }
  const prepared = await post('interactive-submission/prepare', {
    commands: [{ CreateCommand: { templateId: ping, createArguments } }],
    commandId: 'hosted elsewhere',
    userId: 'elsewhere',
    actAs: [party],
    synchronizerId: synchronizer,
    packageIdSelectionPreference: [],
    hashingSchemeVersion,
  })
  return {
    party,
    preparedTransaction: String(prepared['preparedTransaction']),
    partySignatures: { signatures: [{ party, signatures: [signed(prepared['preparedTransactionHash'])] }] },
    hashingSchemeVersion,
  }
}

const ping = '#canton-builtin-admin-workflow-ping:Canton.Internal.Ping:Ping'
const hashingSchemeVersion = 'HASHING_SCHEME_VERSION_V2'
