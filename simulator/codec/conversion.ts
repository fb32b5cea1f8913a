/** Runs before authorization and all other checks (observed on 3.5.10). */

import type { ChoiceSchema, DamlType } from '../../daml/schema/schema.js'
import { type DamlRecord, type DamlValue, printIdentifier } from '../../interface/daml-value.js'
import { grammars, violation } from '../../interface/grammars.js'
import { excerpt, isJsonObject, type JsonValue } from '../../lib/json/json.js'
import type { Behaviour, SwitchPoint } from '../base/behaviour.js'
import { checkArgument } from '../base/checks.js'
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
import { shortened, shortId } from '../base/strings.js'
import { DamlJsonError, decodeDaml } from '../json/daml-decode.js'
import { type ChoiceTarget, type LedgerCommand, targetIn } from '../ledger/interpret/command.js'
import type { Entity } from '../ledger/packages/package-store.js'
import { synchronizersFor } from '../ledger/route/route.js'
import { vetsOneOfEach } from '../ledger/route/routed-interpretation.js'
import type { Ledger } from '../ledger/state/ledger.js'
import { preferredFirst, type Synchronizer } from '../ledger/state/ledger-state.js'
import type { CommandBody, TemplateReference } from './commands.js'

/** The parts of a participant that decoding and encoding need. */
export interface Source {
  ledger: Ledger
  behaviour: Behaviour
}

interface SubmissionParts {
  actAs: readonly string[]
  preference: readonly string[]
  /** Empty: not specified. */
  synchronizerId: string
}

interface Selection extends SubmissionParts {
  /** One synchronizer must vet a version of each. */
  packageNames: readonly string[]
}

/** Throws the first error. */
export function convertCommands(
  bodies: readonly CommandBody[],
  submission: SubmissionParts,
  participant: Source,
): LedgerCommand[] {
  const selection = { ...submission, packageNames: packageNamesIn(bodies) }
  return bodies.map((body) => convertCommand(body, selection, participant))
}

/**
 * Of references by package name.
 * @example packageNamesIn(bodies) // ['conformance-model'] for commands on #conformance-model:Main:Asset
 */
export const packageNamesIn = (bodies: readonly CommandBody[]): string[] => [
  ...new Set(bodies.flatMap(({ templateId }) => packageName(templateId) ?? [])),
]

const packageName = (reference: TemplateReference): string | undefined =>
  reference.package.startsWith('#') ? reference.package.slice(1) : undefined

function convertCommand(body: CommandBody, selection: Selection, { ledger, behaviour }: Source): LedgerCommand {
  const id = resolve(body.templateId, selection, ledger)
  const entity = ledger.packages.entity(id)
  if (body.kind === 'create') {
    // The reference decodes the payload as the view type before it rejects an interface.
    if (entity?.interface) {
      decodeRecord(entity.interface.view, body.createArguments, behaviour)
      throw commandPreprocessingFailed('interpretation', `Template not found: ${printIdentifier(id)}`)
    }
    const template = templateOf(entity, id)
    return { kind: 'create', template, argument: decodeRecord(template.argument, body.createArguments, behaviour) }
  }
  if (body.kind === 'createAndExercise') {
    const template = templateOf(entity, id)
    const argument = decodeRecord(template.argument, body.createArguments, behaviour)
    const target = choiceOf({ template }, body.choice, id)
    return {
      kind: 'createAndExercise',
      template,
      createArgument: argument,
      target,
      argument: decodeArgument(target.choice, body.choiceArgument, behaviour),
    }
  }
  const target = choiceOf(entity, body.choice, id)
  const argument = decodeArgument(target.choice, body.choiceArgument, behaviour)
  if (body.kind === 'exercise') return { kind: 'exercise', contractId: body.contractId, target, argument }
  const template = templateOf(entity, id)
  if (!template.key) throw keyWithoutType(body.contractKey, templatesMissing(id))
  return {
    kind: 'exerciseByKey',
    template,
    key: decodeValue(template.key, body.contractKey, behaviour),
    target,
    argument,
  }
}

/** The reference 3.4 decodes the key as an object first. */
function keyWithoutType(json: JsonValue, proper: LedgerError): LedgerError | ReferenceFault {
  if (isJsonObject(json)) return proper
  return serverError(`Expected ujson.Obj (data: ${excerpt(json, 200)})`, proper, 'key-decoded-before-template')
}

interface ResolvedTemplate {
  packageId: string
  module: string
  entity: string
}

/** Throws `INVALID_ARGUMENT` for malformed names, and the errors of `select`. */
export function resolve(reference: TemplateReference, selection: Selection, ledger: Ledger): ResolvedTemplate {
  const { module, entity } = reference
  const packageId = packageOf(reference, selection, ledger)
  for (const part of [...module.split('.'), ...entity.split('.')]) checkArgument('conversion', grammars.name, part)
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
  const missing = [name, ...packageNames].find((item) => ledger.packages.versionsOf(item).length === 0)
  if (missing !== undefined) {
    throw packageNamesNotFound(
      'service',
      `The following package names do not match upgradable packages uploaded on this participant: [${missing}].`,
    )
  }
  const unknown = preference.find((id) => !ledger.packages.get(id))
  if (unknown !== undefined) throw packageSelectionFailed('service', `Package-id ${shortId(unknown)} not known`)
  const roles = { submitters: [], informees: actAs.slice(0, 1) }
  const candidates = preferredFirst(synchronizersFor(ledger, roles, synchronizerId))
  const synchronizer = candidates.find((item) => vetsOneOfEach(ledger, selection, item))
  const chosen = synchronizer && ledger.candidates(name, preference, synchronizer)[0]
  if (!chosen) throw packageSelectionFailed('service', unsatisfied(selection, candidates, ledger))
  return chosen.id
}

/** As the reference 3.5.10, so clients that search for the message work with the simulator. */
function unsatisfied(
  { actAs, preference, packageNames }: Selection,
  candidates: readonly Synchronizer[],
  ledger: Ledger,
): string {
  const discarded = candidates.map((synchronizer) => {
    const missing = packageNames.find((name) => ledger.candidates(name, preference, synchronizer).length === 0) ?? ''
    const vetted = ledger.candidates(missing, [], synchronizer).map(({ id }) => shortId(id))
    const filter = preference.map((id) => `${ledger.packages.get(id)?.name} -> ${shortId(id)}`).join(', ')
    const problem =
      vetted.length > 0
        ? `No vetted package candidate satisfies the package-id filter 'Commands.packageIdSelectionPreferences'=${filter}.\nCandidates: ${vetted.join(', ')}`
        : `No package with package-name '${missing}' is consistently vetted by all hosting participants of party ${shortened(actAs[0] ?? '')}`
    return `(${ledger.shownId(synchronizer)},${problem})`
  })
  return `No synchronizer satisfies the vetting requirements. Discarded synchronizers: List(${discarded.join(', ')})`
}

function templateOf(entity: Entity | undefined, id: ResolvedTemplate) {
  if (!entity?.template) throw templatesMissing(id)
  return entity.template
}

export function templatesMissing({ packageId, module, entity }: ResolvedTemplate): LedgerError {
  const name = `${packageId}:${module}:${entity}`
  return templatesNotFound('service', `Templates do not exist: [${name}].`, { resources: [['TEMPLATE_ID', name]] })
}

function choiceOf(entity: Entity | undefined, name: string, id: ResolvedTemplate): ChoiceTarget {
  checkArgument('conversion', grammars.name, name)
  const target = targetIn(entity, name)
  if (target) return target
  const reference = `${id.packageId}:${id.module}:${id.entity}`
  throw invalidArgument('service', `Invalid template:${reference} or choice:${name}`)
}

/** A null argument is the empty record (observed on 3.5.10). */
const decodeArgument = (choice: ChoiceSchema, json: JsonValue, behaviour: Behaviour): DamlRecord =>
  decodeRecord(choice.argument, json === null ? {} : json, behaviour)

const decodeRecord = (type: DamlType & { type: 'record' }, json: JsonValue, behaviour: Behaviour): DamlRecord =>
  decodeValue(type, json, behaviour) as DamlRecord // a record type decodes to a record

/** Throws `LedgerError` or `ReferenceFault`. */
export function decodeValue(type: DamlType, json: JsonValue, behaviour: Behaviour): DamlValue {
  try {
    return decodeDaml(type, json, behaviour.has)
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
  return serverError(error.message, proper, serverErrorPoints[error.kind])
}

const serverErrorPoints = {
  'wrong-kind': 'server-error-for-wrong-kind',
  unparsable: 'server-error-for-unparsable-value',
  'missing-element': 'server-error-for-key-without-value',
} as const

const serverError = (message: string, proper: LedgerError, point: SwitchPoint): ReferenceFault =>
  new ReferenceFault(
    internalError('conversion', message, { context: { throwableO: `Some(${message})` } }),
    proper,
    point,
  )
