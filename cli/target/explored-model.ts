import { randomBytes } from 'node:crypto'
import type { OpenReference, ReferenceFacts } from '../../explore/options.js'
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

interface NamedProfile {
  name: string
  line?: string
}

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
      points: switchPointNames,
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
