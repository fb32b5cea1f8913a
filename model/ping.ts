/** The package that every reference participant (3.4 and later, byte-identical) holds and vets by itself. */
import { bongTemplates } from './bong.js'
import { partiesIn, partiesInArgument, party, text } from './build.js'
import { builtInModule, builtInPackageId } from './built-in-module.js'
import type { DamlPackage } from './description.js'

const { template, choice } = builtInModule('Canton.Internal.Ping')

const ping = template('Ping', {
  fields: { id: text, initiator: party, responder: party },
  signatories: partiesIn('initiator'),
  observers: partiesIn('responder'),
  choices: [
    choice('Respond', { controllers: partiesIn('responder') }),
    choice('AbortPing', { argument: { anyone: party }, controllers: partiesInArgument('anyone') }),
  ],
})

export const builtInPackage: DamlPackage = {
  id: builtInPackageId,
  name: 'canton-builtin-admin-workflow-ping',
  version: '3.4.0',
  language: '2.2',
  dependencies: [],
  templates: [ping, ...bongTemplates],
  interfaces: [],
}
