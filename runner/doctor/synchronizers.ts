import type { JsonValue } from '../../lib/json/json.js'
import type { Reason } from '../../record/types/reason.js'
import type { Caller } from '../provision/caller.js'
import type { Discovery } from '../provision/discover.js'
import type { Preparation } from '../provision/preparation.js'
import type { ActorUsers } from '../target/actor-users.js'
import { TargetError } from '../target/target.js'
import { itemsAt, stringAt } from '../template/pointer.js'
import { type Finding, good, warning } from './finding.js'

export function describeSynchronizers(
  { synchronizerIds, participantId }: Discovery,
  version: number | undefined,
): Finding[] {
  const facts = { participantId, synchronizerIds, protocolVersion: version }
  const participant =
    participantId === undefined ? 'the participant id is unknown' : `the participant is ${participantId}`
  if (synchronizerIds.length === 0) {
    const advice = 'Set synchronizer in the settings.'
    return [
      warning('synchronizers', 'synchronizer-untold', `${participant}; its synchronizer is unknown`, { advice, facts }),
    ]
  }
  const protocol =
    version === undefined
      ? 'a run reads the protocol version from a transaction that it prepares; --party names a party for doctor'
      : `the protocol version is ${version}`
  const what = `${participant}, connected to ${synchronizerIds.join(' and ')}; ${protocol}`
  return [good('synchronizers', 'synchronizers', what, { facts })]
}

export async function checkPermissions(parties: ReadonlyMap<string, string>, call: Caller): Promise<Finding[]> {
  const findings: Finding[] = []
  for (const [name, party] of parties) findings.push(await checkPermission(name, party, call))
  return findings
}

async function checkPermission(name: string, party: string, call: Caller): Promise<Finding> {
  const facts = { name, party }
  const shown = `the party ${party} (${name})`
  try {
    const listed = await call('connected-synchronizers', undefined, { party })
    const places = itemsAt(listed, '/connectedSynchronizers').map(permissionIn)
    if (places.length === 0) {
      const advice = 'Check the party id, and that this participant hosts the party.'
      return warning('parties', 'party-nowhere', `no synchronizer of this participant hosts ${shown}`, {
        advice,
        facts,
      })
    }
    const permissions = places.map(({ permission, synchronizer }) => `${permission} on ${synchronizer}`).join(', ')
    return good('parties', 'party', `for ${shown} the participant has ${permissions}`, {
      facts: { ...facts, places },
    })
  } catch (error) {
    if (!(error instanceof TargetError)) throw error
    const what = `the permissions of the participant for ${shown} are unknown: ${error.message}`
    return good('parties', 'party-untold', what, { facts })
  }
}

const permissionIn = (one: JsonValue): { permission: string; synchronizer: string } => ({
  permission: (stringAt(one, '/permission') ?? unknownValue).replace(/^PARTICIPANT_PERMISSION_/, ''),
  synchronizer: stringAt(one, '/synchronizerId') ?? unknownValue,
})

const unknownValue = 'an unknown value'

export function checkProvisioning(
  { externalParties }: Discovery,
  provisioner: ActorUsers['provisioner'],
  preparation: Preparation | undefined,
  absent: { allocation?: Reason | undefined; prepare?: Reason | undefined },
): Finding[] {
  const why = 'code' in provisioner ? provisioner : absent.allocation
  const created =
    'code' in provisioner || why
      ? warning('parties', 'nothing-made', 'a run cannot create parties and users', {
          ...(why && { because: why }),
          advice: 'Add --token administrator=env:NAME, or name existing parties with --party.',
        })
      : good(
          'parties',
          'made',
          `a run creates parties and users as the user ${provisioner.user}; doctor does not try it`,
        )
  const onboarding =
    externalParties === true
      ? good('parties', 'onboarding', 'a run can onboard external parties: the target proposes a topology')
      : warning('parties', 'no-onboarding', 'a run cannot onboard external parties', {
          because: externalParties,
          advice: 'Presigned transactions can replace some of them (docs/target-file.md).',
        })
  return [created, onboarding, checkPreparation(preparation, absent.prepare)]
}

function checkPreparation(preparation: Preparation | undefined, absence: Reason | undefined): Finding {
  if (absence) {
    const advice =
      absence.code === 'operation-unreachable'
        ? 'Remove prepare from unreachable if the target has it. Otherwise use presigned transactions.'
        : 'Use presigned transactions (docs/target-file.md).'
    return warning('parties', 'no-preparing', 'a run cannot prepare transactions', { because: absence, advice })
  }
  if (!preparation)
    return good(
      'parties',
      'preparing-later',
      'a run checks whether the target prepares transactions; --party names a party for doctor',
    )
  if (preparation.synchronizerId === undefined) {
    const advice =
      'Check that the participant hosts the party, and that its user may act for it. Use --unreachable prepare if the operation is missing.'
    return warning('parties', 'not-prepared', 'the target prepares no transaction for the named party', { advice })
  }
  const schemes = preparation.hashesByThirdScheme ? 'V2 and V3' : 'V2'
  return good('parties', 'preparing', `the target prepares transactions with hashing scheme ${schemes}`, {
    facts: { synchronizerId: preparation.synchronizerId },
  })
}
