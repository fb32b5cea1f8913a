/** The synchronizers of a target, what it may do there for parties that are named, and what can be made and prepared. */
import type { JsonValue } from '../../lib/json/json.js'
import type { Caller } from '../provision/caller.js'
import type { Discovery } from '../provision/discover.js'
import type { Preparation } from '../provision/preparation.js'
import { TargetError } from '../target/target.js'
import { valueAt } from '../template/pointer.js'
import { type Finding, good, warning } from './finding.js'

export function describeSynchronizers(
  { synchronizerIds, participantId }: Discovery,
  version: number | undefined,
): Finding[] {
  const facts = { participantId, synchronizerIds, protocolVersion: version }
  const who =
    participantId === undefined ? 'nobody tells the id of the participant' : `it is the participant ${participantId}`
  if (synchronizerIds.length === 0) {
    const advice = 'synchronizer in the settings would name it'
    return [warning('synchronizers', 'synchronizer-untold', `${who}; nobody tells its synchronizer`, { advice, facts })]
  }
  const protocol =
    version === undefined
      ? 'the protocol version shows when a run prepares a transaction for one of its parties, or where one is named (--party)'
      : `the protocol version is ${version}`
  return [
    good('synchronizers', 'synchronizers', `${who}, connected to ${synchronizerIds.join(' and ')}; ${protocol}`, {
      facts,
    }),
  ]
}

/** What the participant may do for each party that the settings name, as far as that is told. */
export async function checkPermissions(parties: ReadonlyMap<string, string>, call: Caller): Promise<Finding[]> {
  const findings: Finding[] = []
  for (const [name, party] of parties) findings.push(await permissionFinding(name, party, call))
  return findings
}

async function permissionFinding(name: string, party: string, call: Caller): Promise<Finding> {
  const facts = { name, party }
  try {
    const listed = valueAt(await call('connected-synchronizers', undefined, { party }), '/connectedSynchronizers')
    const places = (Array.isArray(listed) ? listed : []).map((one) => permissionIn(one))
    if (places.length === 0) {
      const advice = 'is it a party of this participant, and spelt right?'
      return warning('parties', 'party-nowhere', `the party ${party} (${name}) is hosted on no synchronizer here`, {
        advice,
        facts,
      })
    }
    const told = places.map(({ permission, synchronizer }) => `${permission} on ${synchronizer}`).join(', ')
    return good('parties', 'party', `for the party ${party} (${name}) the participant has ${told}`, {
      facts: { ...facts, places },
    })
  } catch (error) {
    if (!(error instanceof TargetError)) throw error
    return good(
      'parties',
      'party-untold',
      `what the participant may do for the party ${party} (${name}) is not told: ${error.message}`,
      { facts },
    )
  }
}

function permissionIn(one: JsonValue): { permission: string; synchronizer: string } {
  const text = (pointer: string): string => {
    const found = valueAt(one, pointer)
    return typeof found === 'string' ? found : 'something unknown'
  }
  return {
    permission: text('/permission').replace(/^PARTICIPANT_PERMISSION_/, ''),
    synchronizer: text('/synchronizerId'),
  }
}

/** Whether parties that sign for themselves can be made, and transactions prepared for them. */
export function checkProvisioning(
  { externalParties }: Discovery,
  provisioner: { user: string } | string,
  preparing: Preparation | undefined,
  prepares: boolean,
): Finding[] {
  const made =
    typeof provisioner === 'string'
      ? warning('parties', 'nothing-made', `a run can make nothing: ${provisioner}`, {
          advice: '--token administrator=env:NAME would let it, and --party names parties that are there',
        })
      : good('parties', 'made', `parties and users are made by ${provisioner.user}`)
  const onboarding =
    externalParties === true
      ? good('parties', 'onboarding', 'parties that sign for themselves can be onboarded: a topology is proposed')
      : warning(
          'parties',
          'no-onboarding',
          `parties that sign for themselves cannot be onboarded${typeof externalParties === 'string' ? `: ${externalParties}` : ': no topology is proposed for one'}`,
          {
            advice: 'presigned transactions would stand in for some (docs/target-file.md)',
          },
        )
  return [made, onboarding, preparingFinding(preparing, prepares)]
}

function preparingFinding(preparing: Preparation | undefined, prepares: boolean): Finding {
  if (!prepares) {
    const advice = 'leave prepare out of unreachable if it can be reached; otherwise presigned transactions stand in'
    return warning('parties', 'no-preparing', 'the settings say that no transaction can be prepared', { advice })
  }
  if (!preparing)
    return good(
      'parties',
      'preparing-later',
      'whether transactions are prepared shows in a run, or for a party that is named (--party)',
    )
  if (preparing.synchronizerId === undefined) {
    const advice =
      'is the party hosted here, may its user act for it, and is the operation there? If not: unreachable: [prepare]'
    return warning('parties', 'not-prepared', 'no transaction is prepared for the party that is named', { advice })
  }
  const schemes = preparing.hashesByThirdScheme ? 'V2 and V3' : 'V2'
  return good('parties', 'preparing', `transactions are prepared, hashed by ${schemes}`, {
    facts: { synchronizerId: preparing.synchronizerId },
  })
}
