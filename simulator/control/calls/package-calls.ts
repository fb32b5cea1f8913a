import type { JsonObject } from '../../../lib/json/json.js'
import type { HeldPackage } from '../../ledger/packages/held-package.js'
import type { Participant } from '../../participant/participant.js'
import type { ControlCall } from './call.js'

function shownPackage(held: HeldPackage, { ledger }: Participant): JsonObject {
  const { id, name, version, language, content } = held
  const modules = [...content.modules.values()]
  const named = (of: (module: (typeof modules)[number]) => ReadonlyMap<string, unknown>): string[] =>
    modules.flatMap((module) => [...of(module).keys()].map((entity) => `${module.name}:${entity}`)).sort()
  const synchronizers = ledger.synchronizers.filter((item) => ledger.isVetted(id, item)).map((item) => item.id)
  return {
    ...{ id, name, version, language },
    dependencies: [...content.dependencies],
    templates: named(({ templates }) => templates),
    interfaces: named(({ interfaces }) => interfaces),
    vettedOn: synchronizers,
  }
}

export const listPackages: ControlCall = {
  method: 'get',
  path: '/packages',
  title: 'lists the stored packages with their templates, interfaces and vetting',
  handle: ({ participant }) => ({
    packages: participant.ledger.packages.all().map((held) => shownPackage(held, participant)),
  }),
}
