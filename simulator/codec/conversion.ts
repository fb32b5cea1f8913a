/**
 * The JSON layer's conversion: names resolved to templates and choices, JSON to Daml values. It comes before authorization
 * and before the other checks of a request, as the reference participant 3.5.10 was seen to do.
 */

import type { DamlType } from '../../daml/schema/daml-type.js'
import type { ChoiceSchema } from '../../daml/schema/schema.js'
import { type DamlRecord, type DamlValue, printIdentifier } from '../../interface/daml-value.js'
import { grammars, violation } from '../../interface/grammars.js'
import type { JsonValue } from '../../lib/json/json.js'
import {
  commandPreprocessingFailed,
  internalError,
  invalidArgument,
  type LedgerError,
  packageNamesNotFound,
  packageSelectionFailed,
  ReferenceFault,
  templatesNotFound,
} from '../base/errors.js'
import { DamlJsonError, decodeDaml } from '../json/daml-decode.js'
import type { ChoiceTarget, LedgerCommand } from '../ledger/interpret/command.js'
import type { Entity } from '../ledger/packages/package-store.js'
import { synchronizersFor } from '../ledger/route/admissible-synchronizers.js'
import { vetsOneOfEach } from '../ledger/route/routed-interpretation.js'
import type { Ledger } from '../ledger/state/ledger.js'
import { preferredFirst } from '../ledger/state/synchronizer.js'
import type { CommandBody, TemplateReference } from './commands.js'

interface Selection {
  actAs: readonly string[]
  preference: readonly string[]
  /** Of the synchronizer that is asked for; empty: none is. */
  synchronizerId: string
  /** Of all packages for which versions are selected; there has to be a synchronizer with all of them. */
  packageNames: readonly string[]
}

/** Resolves and decodes the commands in order; the first problem is thrown. */
export function convertCommands(
  bodies: readonly CommandBody[],
  submission: Omit<Selection, 'packageNames'>,
  ledger: Ledger,
): LedgerCommand[] {
  const selection = { ...submission, packageNames: packageNamesIn(bodies) }
  return bodies.map((body) => convertCommand(body, selection, ledger))
}

/** Package names by which commands name their templates. */
export const packageNamesIn = (bodies: readonly CommandBody[]): string[] => [
  ...new Set(bodies.flatMap(({ template }) => packageName(template) ?? [])),
]

const packageName = (reference: TemplateReference): string | undefined =>
  reference.package.startsWith('#') ? reference.package.slice(1) : undefined

function convertCommand(body: CommandBody, selection: Selection, ledger: Ledger): LedgerCommand {
  const id = resolve(body.template, selection, ledger)
  const entity = ledger.packages.entity(id)
  if (body.kind === 'create') {
    // The reference takes an interface for its view type; that it cannot be created is noticed when the payload fits.
    if (entity?.interface) {
      decodeRecord(entity.interface.view, body.createArguments)
      throw commandPreprocessingFailed('interpretation', `Template not found: ${printIdentifier(id)}`)
    }
    const template = templateOf(entity, id)
    return { kind: 'create', template, argument: decodeRecord(template.argument, body.createArguments) }
  }
  if (body.kind === 'createAndExercise') {
    const template = templateOf(entity, id)
    const argument = decodeRecord(template.argument, body.createArguments)
    const target = choiceOf({ template }, body.choice, id)
    return {
      kind: 'createAndExercise',
      template,
      createArgument: argument,
      target,
      argument: decodeArgument(target.choice, body.choiceArgument),
    }
  }
  const target = choiceOf(entity, body.choice, id)
  const argument = decodeArgument(target.choice, body.choiceArgument)
  if (body.kind === 'exercise') return { kind: 'exercise', contractId: body.contractId, target, argument }
  const template = templateOf(entity, id)
  if (!template.key) throw templatesMissing(id)
  return { kind: 'exerciseByKey', template, key: decodeValue(template.key, body.key), target, argument }
}

interface ResolvedTemplate {
  packageId: string
  module: string
  entity: string
}

/**
 * The template that a reference names: by package id as it stands, by package name through the selection of a version. Throws
 * `INVALID_ARGUMENT` for names that no template can have, and as `select`.
 */
export function resolve(reference: TemplateReference, selection: Selection, ledger: Ledger): ResolvedTemplate {
  const { module, entity } = reference
  const packageId = packageOf(reference, selection, ledger)
  for (const part of [...module.split('.'), ...entity.split('.')]) {
    const problem = violation(grammars.name, part)
    if (problem) throw invalidArgument('conversion', problem)
  }
  return { packageId, module, entity }
}

function packageOf(reference: TemplateReference, selection: Selection, ledger: Ledger): string {
  const name = packageName(reference)
  const problem =
    name === undefined ? violation(grammars.packageId, reference.package) : violation(grammars.packageName, name)
  if (problem) throw notAPackage(problem)
  return name === undefined ? reference.package : select(name, selection, ledger)
}

const notAPackage = (problem: string): LedgerError =>
  invalidArgument('service', `Value does not match the package-id or package-name formats: ${problem}`)

function select(name: string, selection: Selection, ledger: Ledger): string {
  const { actAs, preference, synchronizerId, packageNames } = selection
  const strange = [name, ...packageNames].find((item) => ledger.packages.versionsOf(item).length === 0)
  if (strange !== undefined) {
    throw packageNamesNotFound(
      'service',
      `The following package names do not match upgradable packages uploaded on this participant: [${strange}].`,
    )
  }
  const versions = ledger.packages.versionsOf(name)
  const unknown = preference.find((id) => !ledger.packages.get(id))
  if (unknown !== undefined)
    throw packageSelectionFailed(
      'service',
      `Package-id ${unknown.length > 12 ? `${unknown.slice(0, 12)}...` : unknown} not known`,
    )
  const roles = { submitters: [], informees: actAs.slice(0, 1) }
  const candidates = preferredFirst(synchronizersFor(ledger, roles, synchronizerId))
  const synchronizer = candidates.find((item) => vetsOneOfEach(ledger, packageNames, item))
  const usable = synchronizer ? versions.filter(({ id }) => ledger.isVetted(id, synchronizer)) : []
  const chosen = usable.find(({ id }) => preference.includes(id)) ?? usable[0]
  if (!chosen)
    throw packageSelectionFailed('service', `No version of package ${name} is vetted by all parties involved`)
  return chosen.id
}

function templateOf(entity: Entity | undefined, id: ResolvedTemplate) {
  if (!entity?.template) throw templatesMissing(id)
  return entity.template
}

function templatesMissing({ packageId, module, entity }: ResolvedTemplate): LedgerError {
  const name = `${packageId}:${module}:${entity}`
  return templatesNotFound('service', `Templates do not exist: [${name}].`, { resources: [['TEMPLATE_ID', name]] })
}

function choiceOf(entity: Entity | undefined, name: string, id: ResolvedTemplate): ChoiceTarget {
  const problem = violation(grammars.name, name)
  if (problem) throw invalidArgument('conversion', problem)
  const template = entity?.template
  const choice = template?.choices.find((item) => item.name === name)
  if (template && choice) return { template, choice }
  const definition = entity?.interface
  const interfaceChoice = definition?.choices.find((item) => item.name === name)
  if (definition && interfaceChoice) return { interface: definition, choice: interfaceChoice }
  const reference = `${id.packageId}:${id.module}:${id.entity}`
  throw invalidArgument('service', `Invalid template:${reference} or choice:${name}`)
}

/** A null argument stands for the empty record (as seen on 3.5.10). */
const decodeArgument = (choice: ChoiceSchema, json: JsonValue): DamlRecord =>
  decodeRecord(choice.argument, json === null ? {} : json)

const decodeRecord = (type: DamlType & { type: 'record' }, json: JsonValue): DamlRecord =>
  decodeValue(type, json) as DamlRecord // a record type decodes to a record

/** Decodes one Daml value; throws the `LedgerError` that stands for what is wrong with it. */
export function decodeValue(type: DamlType, json: JsonValue): DamlValue {
  try {
    return decodeDaml(type, json)
  } catch (error) {
    if (error instanceof DamlJsonError) throw undecodable(error)
    throw error
  }
}

function undecodable(error: DamlJsonError): LedgerError | ReferenceFault {
  if (error.kind === 'missing-fields' || error.kind === 'too-deep')
    return commandPreprocessingFailed('conversion', error.message)
  const isIncomplete = error.kind === 'missing-element'
  const proper = invalidArgument('conversion', isIncomplete ? 'a map entry needs a key and a value' : error.message)
  if (error.kind === 'invalid-argument') return proper
  const context = { throwableO: `Some(${error.message})` }
  return new ReferenceFault(internalError('conversion', error.message, { context }), proper)
}
