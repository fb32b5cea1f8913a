/** Checks types to the extent that participants check an uploaded package. */
import type { DataType, Module, Package } from '../language/package.js'
import type { Program } from '../machine/program.js'
import { infer } from './expressions.js'
import { withParams } from './kinds.js'
import { Work, within, wrong } from './lf-type-error.js'
import { arrow, con, text } from './make-types.js'
import { checkInterface, checkTemplate, demandSerializable, demandSerializableData } from './templates.js'
import { nothingKnown, Typing } from './typing.js'

/** Yields after each definition. `program` resolves all dependencies. Throws `LfTypeError`. */
export function* checkPackage(found: Package, program: Program): Generator<void, void, void> {
  const typing = new Typing(program, new Work(), infer)
  for (const module of found.modules.values()) {
    for (const [place, check] of definitionsOf(module, typing)) {
      within(`${module.name}, ${place}`, check)
      yield
    }
  }
}

function* definitionsOf(module: Module, typing: Typing): Generator<[place: string, check: () => void]> {
  for (const [name, { params, type }] of module.synonyms) {
    yield [`synonym ${name}`, () => checkParams(params, typing, (scope) => typing.kinds.demandStar(type, scope))]
  }
  for (const [name, type] of module.dataTypes) yield [`data type ${name}`, () => checkDataType(type, module, typing)]
  for (const [name, { type, body }] of module.values) {
    yield [`value ${name}`, () => typing.demand(body, typing.type(type, nothingKnown), nothingKnown)]
  }
  for (const [name, { id, message }] of module.exceptions) {
    yield [
      `exception ${name}`,
      () => {
        demandRecord(module.dataTypes.get(name), typing)
        typing.demand(message, arrow(con(id), text), nothingKnown)
      },
    ]
  }
  for (const [name, template] of module.templates) {
    yield [
      `template ${name}`,
      () => {
        demandRecord(module.dataTypes.get(name), typing)
        checkTemplate(template, typing)
      },
    ]
  }
  for (const [name, definition] of module.interfaces) {
    yield [`interface ${name}`, () => checkInterface(definition, typing)]
  }
}

function checkParams(
  params: DataType['params'],
  typing: Typing,
  check: (scope: ReturnType<typeof withParams>) => void,
): void {
  typing.kinds.demandKinds(params)
  if (new Set(params.map(([name]) => name)).size < params.length) wrong('two parameters have the same name')
  check(withParams(params, undefined))
}

function checkDataType(type: DataType, module: Module, typing: Typing): void {
  checkParams(type.params, typing, (scope) => {
    if (type.kind === 'enum' || type.kind === 'interface') {
      if (type.params.length > 0) wrong(`an ${type.kind} takes no type parameters`)
      if (type.kind === 'interface' && !module.interfaces.has(type.id.entity)) wrong('the interface is not defined')
      return
    }
    for (const [, of] of type.kind === 'record' ? type.fields : type.constructors) typing.kinds.demandStar(of, scope)
  })
  const names = type.kind === 'interface' ? [] : partNames(type)
  if (new Set(names).size < names.length) wrong('two parts have the same name')
  if (type.serializable) demandSerializableData(type, typing)
}

function partNames(type: Exclude<DataType, { kind: 'interface' }>): readonly string[] {
  if (type.kind === 'enum') return type.constructors
  return (type.kind === 'record' ? type.fields : type.constructors).map(([name]) => name)
}

/** The type of a template or exception. */
function demandRecord(type: DataType | undefined, typing: Typing): void {
  if (type?.kind !== 'record' || type.params.length > 0) wrong('the type is not a record without parameters')
  else demandSerializable(con(type.id), typing, 'the definition')
}
