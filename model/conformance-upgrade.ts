/** Three versions of one package: a first one, a valid upgrade of it, and an invalid one (a field of another type). */
import {
  changed,
  contractId,
  contractIdValue,
  type Fields,
  field,
  int64,
  intIn,
  moduleOf,
  optional,
  partiesIn,
  party,
  some,
  text,
  textIn,
  textValue,
} from './build.js'
import type { DamlPackage } from './description.js'

type Module = ReturnType<typeof moduleOf>

/** `Read` shows which version ran. */
const read = ({ choice }: Module, version: string, printText: typeof textIn) =>
  choice('Read', {
    consuming: false,
    controllers: partiesIn('owner'),
    result: text,
    body: (contract) => textValue(`${version}: ${printText(contract, 'text')}`),
  })

const annotate = ({ id, choice }: Module) =>
  choice('Annotate', {
    argument: { note: text },
    controllers: partiesIn('owner'),
    result: contractId,
    body: (contract, argument, context) => {
      const annotated = changed(contract, { note: some(field(argument, 'note')) })
      return contractIdValue(context.create(id('Upgradable'), annotated))
    },
  })

function version(packageId: string, number: string, fields: Fields, printText: typeof textIn = textIn): DamlPackage {
  const module = moduleOf(packageId, 'ConformanceUpgrade')
  const upgradable = module.template('Upgradable', {
    fields,
    signatories: partiesIn('owner'),
    choices: [read(module, number, printText), ...('note' in fields ? [annotate(module)] : [])],
  })
  return {
    id: packageId,
    name: 'conformance-upgrade',
    version: number,
    language: '2.1',
    dependencies: [],
    templates: [upgradable],
    interfaces: [],
  }
}

export const conformanceUpgrades: DamlPackage[] = [
  version('a48fb23da26f027e79f2461e63672d9ddf2e97deff43a50e101a680054f75652', '1.0.0', { owner: party, text }),
  version('35221337ab853679a452d1a369f9013568c9b5c7d8b551a84bcd887bb8a32718', '1.1.0', {
    owner: party,
    text,
    note: optional(text),
  }),
  version(
    '6d4246c4233aef14a461a3c977a4ada37ab62779b803ce26ebe7dcbc897a7412',
    '1.2.0',
    { owner: party, text: int64, note: optional(text) },
    (contract, label) => String(intIn(contract, label)),
  ),
]
