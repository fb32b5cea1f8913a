import type { JsonObject } from '../../../lib/json/json.js'
import { required, text } from '../../json/decode.js'
import type { HeldPackage } from '../../ledger/packages/package-store.js'
import type { Participant } from '../../participant/participant.js'
import type { Control } from '../state/control.js'
import { decodeControlBody, exactly } from '../state/control-request.js'
import { behaviourCalls } from './behaviour-calls.js'
import type { ControlCall } from './call.js'
import { clockCalls } from './clock-calls.js'
import { stateCalls } from './state-calls.js'
import { trafficCalls } from './traffic-calls.js'

const shownSeed = ({ participant: { entropy } }: Control) => ({
  seed: entropy.state.seed,
  drawn: entropy.state.counter,
})

const readSeed: ControlCall = {
  method: 'get',
  path: '/seed',
  title: 'returns the seed and the number of drawn blocks',
  handle: shownSeed,
}

const changeSeed: ControlCall = {
  method: 'put',
  path: '/seed',
  title: 'derives all further ids from another `seed`',
  handle: (control, request) => {
    control.participant.entropy.state.seed = decodeControlBody(exactly({ seed: required(text) }), request).seed
    return shownSeed(control)
  },
}

function shownPackage(held: HeldPackage, { ledger }: Participant): JsonObject {
  const { id, name, version, language, content } = held
  const modules = [...content.modules.values()]
  const named = (of: (module: (typeof modules)[number]) => ReadonlyMap<string, unknown>): string[] =>
    modules.flatMap((module) => [...of(module).keys()].map((entity) => `${module.name}:${entity}`)).sort()
  const synchronizers = ledger.synchronizers.filter((item) => ledger.isVetted(id, item)).map((item) => item.id)
  return {
    id,
    name,
    version,
    language,
    dependencies: [...content.dependencies],
    templates: named(({ templates }) => templates),
    interfaces: named(({ interfaces }) => interfaces),
    vettedOn: synchronizers,
  }
}

const listPackages: ControlCall = {
  method: 'get',
  path: '/packages',
  title: 'lists the stored packages with their templates, interfaces and vetting',
  handle: ({ participant }) => ({
    packages: participant.ledger.packages.all().map((held) => shownPackage(held, participant)),
  }),
}

const listCalls: ControlCall = {
  method: 'get',
  path: '',
  title: 'lists these calls',
  handle: () => ({
    calls: controlCalls.map(({ method, path, title }) => ({
      method: method.toUpperCase(),
      path: shownPath(path),
      title,
    })),
  }),
}

export const controlCalls: readonly ControlCall[] = [
  listCalls,
  ...clockCalls,
  readSeed,
  changeSeed,
  ...behaviourCalls,
  listPackages,
  ...trafficCalls,
  ...stateCalls,
]

export const prefix = '/control'

export const shownPath = (path: string): string => prefix + path.replace(/:(\w+)/g, '{$1}')
