import type {
  Choice,
  DataType,
  ExceptionDefinition,
  Interface,
  InterfaceInstance,
  Key,
  LanguageVersion,
  Module,
  Package,
  Synonym,
  Template,
  ValueDefinition,
} from '../language/package.js'
import { inPlace, malformed } from './archive-error.js'
import { decodeExpr } from './expressions.js'
import { Tables } from './tables.js'
import { decodeFieldTypes, decodeType, decodeTypeVars } from './types.js'
import { Message } from './wire.js'

interface PackageMetadata {
  name: string
  version: string
}

/** Reads only name and version. Throws `ArchiveError`. */
export function decodeMetadata(bytes: Uint8Array): PackageMetadata {
  const root = new Message(bytes)
  if (!root.has(4)) throw malformed('the package has no metadata')
  const strings = root.texts(2)
  const metadata = root.message(4)
  const [name, version] = [strings[metadata.int32(1)], strings[metadata.int32(2)]]
  if (name === undefined || version === undefined)
    throw malformed('the metadata of the package refers to a missing string')
  if (!/^[\w-]+$/.test(name)) throw malformed(`${JSON.stringify(name.slice(0, 100))} is not a package name`)
  if (!/^(0|[1-9]\d*)(\.(0|[1-9]\d*))*$/.test(version)) {
    throw malformed(`${JSON.stringify(version.slice(0, 100))} is not a package version`)
  }
  return { name, version }
}

/**
 * `id` replaces references of the package to itself. Throws `ArchiveError`.
 * `bytes`: the package of a payload, without its hash.
 * @example decodePackage(id, '2.1', bytes).version // '1.0.0'
 */
export function decodePackage(id: string, language: LanguageVersion, bytes: Uint8Array): Package {
  const metadata = decodeMetadata(bytes)
  const root = new Message(bytes)
  const tables = new Tables(id, language, root)
  // Entries refer only to earlier ones.
  for (const type of root.messages(5)) tables.addType(decodeType(type, tables))
  for (const expr of root.messages(7)) tables.addExpr(decodeExpr(expr, tables))
  const modules = new Map<string, Module>()
  for (const message of root.messages(1)) {
    const module = decodeModule(message, tables)
    if (modules.has(module.name)) throw malformed(`module ${module.name} occurs twice`)
    modules.set(module.name, module)
  }
  return { id, ...metadata, language, dependencies: [...tables.dependencies].sort(), modules }
}

function decodeModule(message: Message, tables: Tables): Module {
  const name = tables.dottedName(message.int32(1))
  refuseOldFlags(message.message(2), name)
  const all = <T>(
    field: number,
    kind: string,
    decode: (definition: Message, tables: Tables, module: string) => readonly [string, T],
  ) =>
    named(
      message
        .messages(field)
        .map((definition, index) => inPlace(`${name}, ${kind} ${index}`, () => decode(definition, tables, name))),
      name,
    )
  return {
    name,
    synonyms: all(3, 'synonym', decodeSynonym),
    dataTypes: all(4, 'data type', decodeDataType),
    values: all(5, 'value', decodeValue),
    templates: all(6, 'template', decodeTemplate),
    exceptions: all(7, 'exception', decodeException),
    interfaces: all(8, 'interface', decodeInterface),
  }
}

/** Flags of early Daml-LF versions. */
function refuseOldFlags(flags: Message, module: string): void {
  if (![1, 2, 3].every((flag) => flags.bool(flag))) throw malformed(`module ${module} has deprecated feature flags`)
}

function named<T>(definitions: readonly (readonly [string, T])[], place: string): ReadonlyMap<string, T> {
  const found = new Map<string, T>()
  for (const [name, definition] of definitions) {
    if (found.has(name)) throw malformed(`${place} defines ${name} twice`)
    found.set(name, definition)
  }
  return found
}

function decodeSynonym(message: Message, tables: Tables): readonly [string, Synonym] {
  const name = tables.dottedName(message.int32(2))
  return [name, { params: decodeTypeVars(message.messages(3), tables), type: decodeType(message.message(4), tables) }]
}

const dataConstructors: ReadonlySet<number> = new Set([5, 6, 7, 8])

function decodeDataType(message: Message, tables: Tables, module: string): readonly [string, DataType] {
  const name = tables.dottedName(message.int32(2))
  const shared = {
    id: tables.own(module, name),
    params: decodeTypeVars(message.messages(3), tables),
    serializable: message.bool(4),
  }
  const fields = (field: number) => decodeFieldTypes(message.message(field).messages(1), tables)
  switch (message.which(dataConstructors)) {
    case 5:
      return [name, { ...shared, kind: 'record', fields: fields(5) }]
    case 6:
      return [name, { ...shared, kind: 'variant', constructors: fields(6) }]
    case 7: {
      const constructors = message.message(7).int32s(2)
      return [name, { ...shared, kind: 'enum', constructors: constructors.map((index) => tables.string(index)) }]
    }
    case 8:
      return [name, { ...shared, kind: 'interface' }]
    default:
      throw malformed(`data type ${module}:${name} has an unknown kind`)
  }
}

function decodeValue(message: Message, tables: Tables, module: string): readonly [string, ValueDefinition] {
  const name = tables.dottedName(message.message(2).int32(1))
  return [name, { id: tables.own(module, name), body: decodeExpr(message.message(3), tables) }]
}

function decodeException(message: Message, tables: Tables, module: string): readonly [string, ExceptionDefinition] {
  const name = tables.dottedName(message.int32(1))
  return [name, { id: tables.own(module, name), message: decodeExpr(message.message(3), tables) }]
}

function decodeTemplate(message: Message, tables: Tables, module: string): readonly [string, Template] {
  const name = tables.dottedName(message.int32(1))
  const id = tables.own(module, name)
  const template: Template = {
    id,
    param: tables.string(message.int32(2)),
    precondition: message.has(3) ? decodeExpr(message.message(3), tables) : { kind: 'bool', value: true },
    signatories: decodeExpr(message.message(4), tables),
    observers: decodeExpr(message.message(7), tables),
    key: message.has(9) ? decodeKey(message.message(9), tables) : undefined,
    choices: decodeChoices(message.messages(6), tables, name),
    implements: message.messages(10).map((instance) => decodeInstance(instance, tables, name)),
  }
  return [name, template]
}

const decodeKey = (message: Message, tables: Tables): Key => ({
  type: decodeType(message.message(1), tables),
  value: decodeExpr(message.message(4), tables),
  maintainers: decodeExpr(message.message(3), tables),
})

const decodeChoices = (messages: readonly Message[], tables: Tables, place: string): ReadonlyMap<string, Choice> =>
  named(
    messages.map((message) => {
      const choice = decodeChoice(message, tables)
      return [choice.name, choice]
    }),
    place,
  )

function decodeChoice(message: Message, tables: Tables): Choice {
  const argument = message.message(6)
  const name = tables.string(message.int32(2))
  if (message.has(1001))
    throw malformed(`choice ${name} names authorizers, which are not in Daml-LF ${tables.language}`)
  return {
    name,
    consuming: message.bool(3),
    self: tables.string(message.int32(10)),
    argument: { name: tables.string(argument.int32(3)), type: decodeType(argument.message(2), tables) },
    result: decodeType(message.message(8), tables),
    controllers: decodeExpr(message.message(4), tables),
    observers: decodeExpr(message.message(5), tables),
    update: decodeExpr(message.message(9), tables),
  }
}

function decodeInstance(message: Message, tables: Tables, place: string): InterfaceInstance {
  const body = message.message(2)
  const methods = body.messages(1).map((method) => {
    const name = tables.string(method.int32(1))
    return [name, decodeExpr(method.message(2), tables)] as const
  })
  return {
    interface: tables.identifier(message.message(1)),
    view: decodeExpr(body.message(2), tables),
    methods: named(methods, place),
  }
}

function decodeInterface(message: Message, tables: Tables, module: string): readonly [string, Interface] {
  const name = tables.dottedName(message.int32(2))
  const definition: Interface = {
    id: tables.own(module, name),
    param: tables.string(message.int32(4)),
    view: decodeType(message.message(6), tables),
    choices: decodeChoices(message.messages(5), tables, name),
  }
  return [name, definition]
}

/** A decoded package as JSON; `{ "$map": [[key, value]] }` is a map, `{ "$integer": "7" }` an integer of 64 bits. */
export const readStoredPackage = (json: string): Package =>
  JSON.parse(json, (_, value: unknown) => {
    if (typeof value !== 'object' || value === null) return value
    if ('$map' in value) return new Map(value.$map as [string, unknown][]) // as the form states
    if ('$integer' in value) return BigInt(String(value.$integer))
    return value
  }) as Package // a file of this program
