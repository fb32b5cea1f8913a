import { randomBytes } from 'node:crypto'
import type { OpenReference, ReferenceFacts } from '../../explore/options.js'
import type { Profile } from '../../runner/suite/suite.js'
import { plainConnection } from '../../runner/target/connection/connection-settings.js'
import { secretKey } from '../../runner/target/credentials/minting-key.js'
import type { Target } from '../../runner/target/target.js'
import { defaultAdministrator } from '../../runner/target/target.js'
import {
  type BehaviourName,
  behaviourNames,
  behaviourOf,
  type SwitchPoint,
  switchPointNames,
} from '../../simulator/base/behaviour.js'
import { startEmbedded } from './embedded-simulator.js'

/** A profile file uses the behaviour of its line; other profiles use canton-3.5. */
const behaviourFor = ({ name, line }: NamedProfile): BehaviourName =>
  behaviourNames.find((one) => one === name) ?? behaviourNames.find((one) => one === `canton-${line}`) ?? 'canton-3.5'

export type NamedProfile = Pick<Profile, 'name' | 'line'>

const differingPoints = (one: BehaviourName, other: BehaviourName): SwitchPoint[] => {
  const [first, second] = [behaviourOf(one), behaviourOf(other)]
  return switchPointNames.filter((point) => first.has(point) !== second.has(point))
}

/** With profile, synchronizers, protocol version and authorization of the target. */
export async function embeddedReference(
  target: Target,
  profile: NamedProfile,
  facts: ReferenceFacts,
): Promise<OpenReference> {
  const secret = randomBytes(32).toString('hex')
  const hasTokens = target.authorization.kind !== 'none'
  const behaviour = behaviourFor(profile)
  const simulator = await startEmbedded({
    behaviour,
    ...(behaviour !== 'canton-3.4' && { protocolVersion: facts.protocolVersion === 34 ? 34 : 35 }),
    synchronizers: facts.synchronizers,
    ...(hasTokens && { authorization: `hs256:${secret}` }),
  })
  const { url } = simulator
  const authorization = hasTokens ? { kind: 'minted' as const, key: secretKey(secret) } : { kind: 'none' as const }
  return {
    target: {
      url,
      authorization,
      callers: new Map(),
      administrator: defaultAdministrator,
      connection: plainConnection,
    },
    switches: {
      points: switchPointNames.map((point) => ({ name: point, divergences: divergencesOf[point] ?? [] })),
      together: behaviourNames.map((name) => differingPoints(behaviour, name)),
      toggle: simulator.toggle,
    },
    close: simulator.close,
  }
}

export const referenceAt = (target: Target, url: string): OpenReference => ({
  target: { ...target, url },
  close: async () => undefined,
})

/** Divergences of profiles by switch point. The other points have none. */
const divergencesOf: Readonly<Partial<Record<SwitchPoint, readonly string[]>>> = {
  'server-error-for-wrong-kind': ['SERVER-ERROR-FOR-WRONG-KIND'],
  'server-error-for-unparsable-value': ['SERVER-ERROR-FOR-UNPARSABLE-VALUE'],
  'server-error-for-key-without-value': ['SERVER-ERROR-FOR-KEY-WITHOUT-VALUE'],
  'server-error-for-endless-duration': ['SERVER-ERROR-FOR-ENDLESS-DURATION'],
  'server-error-for-fine-duration': ['SERVER-ERROR-FOR-FINE-DURATION'],
  'server-error-for-prefetch-by-name': ['SERVER-ERROR-FOR-PREFETCH-BY-NAME'],
  'server-error-for-missing-nodes': ['SERVER-ERROR-FOR-MISSING-NODES'],
  'server-error-for-strange-signatory': ['SERVER-ERROR-FOR-STRANGE-SIGNATORY'],
  'server-error-for-far-ledger-time': ['SERVER-ERROR-FOR-FAR-LEDGER-TIME'],
  'refuse-taps-above-limit': ['TAPS-LIMIT-CLAMPED'],
  'populated-contract-lookup': ['LOOKUP-POPULATES-OFFSET-AND-BLOB'],
  'stakeholders-as-witnesses': ['WITNESSES-OF-NOBODY'],
  'execute-needs-deduplication-period': ['DEDUPLICATION-PERIOD-REQUIRED'],
  'lenient-decoding': ['SEVERAL-KINDS-ACCEPTED', 'DURATION-OF-ANY-KIND'],
  'vetting-without-changes': ['MISSING-CHANGES-ACCEPTED', 'EMPTY-CHANGES-ACCEPTED'],
  'refuse-empty-change': ['EMPTY-CHANGE-REFUSED'],
  'unvetted-dependencies-with-newer-protocol': ['DEPENDENCIES-UNCHECKED'],
  'forget-readers-of-prepared': ['READERS-NOT-SHOWN'],
  'format-checked-after-commit': ['REFUSED-FORMAT-EXECUTED'],
  'empty-validity-in-dry-run': ['EMPTY-VALIDITY-IN-DRY-RUN'],
  'decoded-details-as-objects': ['DECODED-DETAILS-AS-OBJECTS'],
  'server-error-for-unknown-contract-id-version': ['SERVER-ERROR-FOR-UNKNOWN-CONTRACT-ID-VERSION'],
  'key-decoded-before-template': ['SERVER-ERROR-FOR-KEY-OF-KEYLESS-TEMPLATE'],
}
