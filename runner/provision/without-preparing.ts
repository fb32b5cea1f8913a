import { TargetError } from '../target/target.js'
import type { TargetAccess } from '../target/target-file.js'
import type { Discovery } from './discover.js'
import type { Preparation } from './preparation.js'
import { firstPhysical, logicalPart, versionIn } from './synchronizer-name.js'

/**
 * What there is to know where nothing is prepared: the synchronizer as the file names it, or as presigned transactions do. Throws
 * `TargetError` where that is not the target's, where it contradicts itself, or where nobody tells the protocol version.
 */
export function declaredPreparation(
  { synchronizerId: named, presigned }: TargetAccess,
  { synchronizerIds }: Pick<Discovery, 'synchronizerIds'>,
  asked: number | undefined,
): Preparation {
  const ofPresigned = presigned.flatMap(({ transactions }) => transactions.map((one) => one.synchronizerId))
  const [synchronizerId, other] = new Set([...ofPresigned, ...(named === undefined ? [] : [named])])
  if (other !== undefined)
    throw new TargetError(
      `the target file speaks of the synchronizers ${synchronizerId} and ${other}: transactions are for one`,
    )
  if (synchronizerId !== undefined && !synchronizerIds.includes(logicalPart(synchronizerId))) {
    const connected = synchronizerIds.join(', ')
    throw new TargetError(
      `the target file speaks of the synchronizer ${synchronizerId}; the target is connected to ${connected}`,
    )
  }
  const told = versionIn(synchronizerId)
  const isNamedAlone = ofPresigned.length === 0 && told !== undefined && told < firstPhysical
  // Whoever forgets version and serial names it like somebody on an older version.
  if (asked === undefined && (told === undefined || isNamedAlone)) throw new TargetError(versionUntold)
  if (asked !== undefined && told !== undefined && (told < firstPhysical ? asked >= firstPhysical : asked !== told))
    throw new TargetError(
      `with protocol version ${asked} prepared transactions do not name a synchronizer ${synchronizerId}`,
    )
  const protocolVersion = asked ?? told
  const hashesByThirdScheme = (protocolVersion ?? 0) >= firstPhysical
  return { protocolVersion, synchronizerId, hashesByThirdScheme, checks: [] }
}

const versionUntold =
  'nothing tells the protocol version where nothing is prepared: give protocol-version in the target file, or the synchronizer with its version and serial'
