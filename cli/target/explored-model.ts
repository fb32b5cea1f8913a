/** The reference of an exploration: the embedded simulator, or another participant. */
import { randomBytes } from 'node:crypto'
import type { OpenReference, ReferenceFacts } from '../../explore/options.js'
import { plainConnection } from '../../runner/target/connection/connection-settings.js'
import { secretKey } from '../../runner/target/credentials/minting-key.js'
import type { Target } from '../../runner/target/target.js'
import { defaultAdministrator } from '../../runner/target/target.js'
import { type BehaviourName, type SwitchPoint, switchPointNames } from '../../simulator/base/behaviour.js'
import { startEmbedded } from './embedded-simulator.js'

const behaviourFor = (profile: string): BehaviourName => (profile === 'interface' ? 'interface' : 'canton-3.5')

/** Starts a simulator with the profile, synchronizers, protocol version and kind of authorization of the target. */
export async function embeddedReference(
  target: Target,
  profile: string,
  facts: ReferenceFacts,
): Promise<OpenReference> {
  const secret = randomBytes(32).toString('hex')
  const hasTokens = target.authorization.kind !== 'none'
  const simulator = await startEmbedded({
    behaviour: behaviourFor(profile),
    protocolVersion: facts.protocolVersion === 34 ? 34 : 35,
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
      points: switchPointNames.map((point) => ({ name: point, divergences: divergencesOf[point] })),
      toggle: simulator.toggle,
    },
    close: simulator.close,
  }
}

/** Another participant, without switch points. */
export const referenceAt = (target: Target, url: string): OpenReference => ({
  target: { ...target, url },
  close: async () => undefined,
})

/** Ids of profile divergences for each switch point of the simulator. */
const divergencesOf: Readonly<Record<SwitchPoint, readonly string[]>> = {
  'server-error-for-client-mistake': [
    ...['SERVER-ERROR-FOR-WRONG-KIND', 'SERVER-ERROR-FOR-ENDLESS-DURATION', 'SERVER-ERROR-FOR-FINE-DURATION'],
    ...['SERVER-ERROR-FOR-PREFETCH-BY-NAME', 'SERVER-ERROR-FOR-UNPARSABLE-VALUE', 'SERVER-ERROR-FOR-MISSING-NODES'],
    ...[
      'SERVER-ERROR-FOR-UNKNOWN-CONTRACT-ID-VERSION',
      'SERVER-ERROR-FOR-STRANGE-SIGNATORY',
      'SERVER-ERROR-FOR-KEY-WITHOUT-VALUE',
    ],
  ],
  'refuse-taps-above-limit': ['TAPS-LIMIT-CLAMPED'],
  'populated-contract-lookup': ['LOOKUP-POPULATES-OFFSET-AND-BLOB'],
  'stakeholders-as-witnesses': ['WITNESSES-OF-NOBODY'],
  'execute-needs-deduplication-period': ['DEDUPLICATION-PERIOD-REQUIRED'],
  'lenient-decoding': ['SEVERAL-KINDS-ACCEPTED', 'DURATION-OF-ANY-KIND'],
  'refuse-unspecified-hashing-scheme': ['UNSPECIFIED-SCHEME-REFUSED'],
  // The text permits both.
  'several-signing-parties': [],
  'vetting-without-changes': ['MISSING-CHANGES-ACCEPTED', 'EMPTY-CHANGES-ACCEPTED'],
  'refuse-empty-change': ['EMPTY-CHANGE-REFUSED'],
  'unvetted-dependencies-with-newer-protocol': ['DEPENDENCIES-UNCHECKED'],
  'forget-readers-of-prepared': ['READERS-NOT-SHOWN'],
  'format-checked-after-commit': ['REFUSED-FORMAT-EXECUTED'],
  'empty-validity-in-dry-run': ['EMPTY-VALIDITY-IN-DRY-RUN'],
  'decoded-details-as-objects': ['DECODED-DETAILS-AS-OBJECTS'],
}
