/** The text format of packages, for the built-in package and tests. */

import type { Expr } from '../../../daml/language/expressions.js'
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
  Template,
  ValueDefinition,
} from '../../../daml/language/package.js'
import type { FieldType, Type } from '../../../daml/language/types.js'
import { Cursor } from './cursor.js'
import { readExpr } from './expressions.js'
import { readBinder, readType, readTypeAtom, readTypeParams } from './types.js'

/** Throws `LfTextError`. */
export function readPackageText(source: string, id: string, language: LanguageVersion): Package {
  const cursor = new Cursor(source, id)
  for (const word of ['metadata', '(']) cursor.expect(word)
  const name = cursor.quoted()
  cursor.expect(':')
  const version = cursor.quoted()
  cursor.expect(')')
  const modules = new Map<string, Module>()
  while (cursor.token.kind !== 'end') {
    const module = readModule(cursor)
    modules.set(module.name, module)
  }
  const dependencies = [...cursor.packages].filter((used) => used !== id).sort()
  return { id, name, version, language, dependencies, modules }
}

/** `module Name { … }`. Throws `LfTextError`. */
function readModule(cursor: Cursor): Module {
  cursor.expect('module')
  const name = cursor.name()
  const dataTypes = new Map<string, DataType>()
  const values = new Map<string, ValueDefinition>()
  const templates = new Map<string, Template>()
  const interfaces = new Map<string, Interface>()
  const exceptions = new Map<string, ExceptionDefinition>()
  const add = <T extends { id: { entity: string } }>(to: Map<string, T>, definition: T) => {
    to.set(definition.id.entity, definition)
  }
  cursor.expect('{')
  while (!cursor.accept('}')) {
    if (cursor.accept('record')) add(dataTypes, readRecord(cursor, name))
    else if (cursor.accept('variant')) add(dataTypes, readVariant(cursor, name))
    else if (cursor.accept('enum')) add(dataTypes, readEnum(cursor, name))
    else if (cursor.accept('val')) add(values, readValue(cursor, name))
    else if (cursor.accept('template')) add(templates, readTemplate(cursor, name))
    else if (cursor.accept('exception')) add(exceptions, readException(cursor, name))
    else if (cursor.accept('interface')) {
      const definition = readInterface(cursor, name)
      add(interfaces, definition)
      add(dataTypes, { id: definition.id, params: [], serializable: false, kind: 'interface' })
    } else throw cursor.problem('a definition')
    cursor.expect(';')
  }
  return { name, dataTypes, synonyms: new Map(), values, templates, interfaces, exceptions }
}

function readDataHead(cursor: Cursor, module: string) {
  const serializable = cursor.accept('@')
  if (serializable) cursor.expect('serializable')
  const id = cursor.own(module, cursor.name())
  const params = readTypeParams(cursor)
  cursor.expect('=')
  return { id, params, serializable }
}

function readRecord(cursor: Cursor, module: string): DataType {
  const head = readDataHead(cursor, module)
  cursor.expect('{')
  return { ...head, kind: 'record', fields: cursor.list('}', () => readField(cursor)) }
}

function readField(cursor: Cursor): FieldType {
  const label = cursor.name()
  cursor.expect(':')
  return [label, readType(cursor)]
}

function readVariant(cursor: Cursor, module: string): DataType {
  const head = readDataHead(cursor, module)
  const constructors = [readField(cursor)]
  while (cursor.accept('|')) constructors.push(readField(cursor))
  return { ...head, kind: 'variant', constructors }
}

function readEnum(cursor: Cursor, module: string): DataType {
  const head = readDataHead(cursor, module)
  const constructors = [cursor.name()]
  while (cursor.accept('|')) constructors.push(cursor.name())
  return { ...head, kind: 'enum', constructors }
}

function readValue(cursor: Cursor, module: string): ValueDefinition {
  const id = cursor.own(module, readBinder(cursor))
  cursor.expect('=')
  return { id, body: readExpr(cursor) }
}

function readException(cursor: Cursor, module: string): ExceptionDefinition {
  const id = cursor.own(module, cursor.name())
  for (const word of ['=', '{', 'message']) cursor.expect(word)
  const message = readExpr(cursor)
  cursor.expect('}')
  return { id, message }
}

/** `(this : Name) = {` */
function readSubject(cursor: Cursor, module: string) {
  cursor.expect('(')
  const param = cursor.name()
  cursor.expect(':')
  const id = cursor.own(module, cursor.name())
  for (const word of [')', '=', '{']) cursor.expect(word)
  return { id, param }
}

function readTemplate(cursor: Cursor, module: string): Template {
  const subject = readSubject(cursor, module)
  const parts: Record<string, Expr> = {}
  const choices = new Map<string, Choice>()
  const instances: InterfaceInstance[] = []
  let key: Key | undefined
  while (!cursor.accept('}')) {
    if (cursor.accept('choice')) addChoice(choices, cursor)
    else if (cursor.accept('implements')) instances.push(readInstance(cursor))
    else if (cursor.accept('key')) key = readKey(cursor)
    else parts[cursor.name()] = readExpr(cursor)
    cursor.expect(';')
  }
  const { precondition = always, signatories, observers } = parts
  if (!signatories || !observers) throw cursor.problem(`signatories and observers of ${subject.id.entity}`)
  return { ...subject, precondition, signatories, observers, key, choices, implements: instances }
}

const always: Expr = { kind: 'bool', value: true }

function addChoice(choices: Map<string, Choice>, cursor: Cursor): void {
  const choice = readChoice(cursor)
  choices.set(choice.name, choice)
}

function readKey(cursor: Cursor): Key {
  cursor.expect('@')
  const type = readTypeAtom(cursor)
  const both = [readParenthesized(cursor), readParenthesized(cursor)] as const
  return { type, value: both[0], maintainers: both[1] }
}

function readParenthesized(cursor: Cursor): Expr {
  cursor.expect('(')
  const expr = readExpr(cursor)
  cursor.expect(')')
  return expr
}

function readChoice(cursor: Cursor): Choice {
  const consuming = !cursor.accept('@')
  if (!consuming) cursor.expect('nonConsuming')
  const name = cursor.name()
  cursor.expect('(')
  const self = cursor.name()
  for (const word of [')', '(']) cursor.expect(word)
  const argument = { name: cursor.name(), type: readTypeAfterColon(cursor) }
  cursor.expect(')')
  const result = readTypeAfterColon(cursor)
  for (const word of [',', 'controllers']) cursor.expect(word)
  const controllers = readExpr(cursor)
  for (const word of [',', 'observers']) cursor.expect(word)
  const observers = readExpr(cursor)
  cursor.expect('to')
  return { name, consuming, self, argument, result, controllers, observers, update: readExpr(cursor) }
}

function readTypeAfterColon(cursor: Cursor): Type {
  cursor.expect(':')
  return readType(cursor)
}

function readInstance(cursor: Cursor): InterfaceInstance {
  const { id } = cursor.qualified()
  const methods = new Map<string, Expr>()
  let view: Expr | undefined
  cursor.expect('{')
  while (!cursor.accept('}')) {
    const name = cursor.accept('method') ? cursor.name() : undefined
    if (name === undefined) cursor.expect('view')
    cursor.expect('=')
    const value = readExpr(cursor)
    if (name === undefined) view = value
    else methods.set(name, value)
    cursor.expect(';')
  }
  if (!view) throw cursor.problem(`a view of ${id.entity}`)
  return { interface: id, view, methods }
}

function readInterface(cursor: Cursor, module: string): Interface {
  const subject = readSubject(cursor, module)
  const choices = new Map<string, Choice>()
  let view: Type | undefined
  while (!cursor.accept('}')) {
    if (cursor.accept('choice')) addChoice(choices, cursor)
    else if (cursor.accept('method')) readBinder(cursor)
    else {
      cursor.expect('viewtype')
      view = readType(cursor)
    }
    cursor.expect(';')
  }
  if (!view) throw cursor.problem(`a view type of ${subject.id.entity}`)
  return { ...subject, view, choices }
}
