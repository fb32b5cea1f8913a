/** The simulator that a command starts for itself, seen from where it runs. */

import { makeSigningKey } from '../../runner/sign/signing-key.js'
import type { Claim, DeclaredFacts } from '../../runner/target/declared-facts.js'
import { behaviourOf, type SwitchPoint, switchPointNames } from '../../simulator/base/behaviour.js'
import type { Participant } from '../../simulator/participant/participant.js'
import { createParticipant, type SimulatorOptions, serve } from '../../simulator/simulator.js'

export type EmbeddedOptions = Pick<
  SimulatorOptions,
  'behaviour' | 'protocolVersion' | 'synchronizers' | 'authorization'
> & {
  /** It is to hold what no run could make. */
  claims?: true
}

export interface ServedSimulator {
  url: string
  /** None unless asked for. */
  claims: DeclaredFacts
  /** Turns each of the switch points to what it is not now. */
  turn(points: readonly SwitchPoint[]): void
}

/** Rejects with what keeps it from starting. */
export async function serveSimulator(options: EmbeddedOptions): Promise<ServedSimulator> {
  const participant = await createParticipant(options)
  const { name } = participant.behaviour
  const { url } = await serve(participant)
  const turn = (names: readonly SwitchPoint[]): void => {
    const { behaviour } = participant
    const points = switchPointNames.map((point): [SwitchPoint, boolean] => [
      point,
      behaviour.has(point) !== names.includes(point),
    ])
    participant.behaviour = behaviourOf(name, new Map(points))
  }
  return { url, claims: options.claims ? await holdClaims(url, participant) : new Map(), turn }
}

/** Changes the participant at the URL so that it holds them. Rejects where it refuses what it accepts of every client. */
async function holdClaims(url: string, { ledger, verify }: Participant): Promise<DeclaredFacts> {
  const claims = new Map<string, Claim>()
  const last = ledger.synchronizers.length > 1 ? ledger.synchronizers.at(-1) : undefined
  if (last) {
    ledger.forgetVetting(last)
    claims.set('unvettedSynchronizerId', last.id)
  }
  // Where users have rights, none of them may act for a party of another participant.
  if (verify) return claims
  const { party, ...execution } = await signedExecution(url, ledger.synchronizers[0]?.id ?? '')
  ledger.moveElsewhere(party)
  for (const [name, value] of Object.entries(execution)) claims.set(`unhosted.${name}`, value)
  return claims
}

/** A transaction that a party of its own key has signed, and that was not executed. */
async function signedExecution(url: string, synchronizer: string) {
  const post = async (path: string, body: object): Promise<Record<string, unknown>> => {
    const answer = await fetch(`${url}/v2/${path}`, { method: 'POST', body: JSON.stringify(body) })
    const text = await answer.text()
    if (!answer.ok) throw new Error(`embedded simulator: POST /v2/${path} is answered with ${answer.status}: ${text}`)
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
