import type { DamlIdentifier } from '../../interface/daml-value.js'
import type { Expr } from '../language/expressions.js'
import type { LanguageVersion } from '../language/package.js'
import { partsOfType, type Type } from '../language/types.js'
import { malformed } from './archive-error.js'
import type { Message } from './wire.js'

export class Tables {
  readonly packageId: string
  readonly language: LanguageVersion
  /** Packages that were referenced so far. */
  readonly dependencies = new Set<string>()
  readonly #strings: readonly string[]
  readonly #dottedNames: readonly string[]
  readonly #typeNesting = new Nesting()
  readonly #types: Type[] = []
  readonly #exprs: Expr[] = []
  readonly #imports: readonly string[]
  readonly #identifiers = new Map<string, DamlIdentifier>()

  constructor(packageId: string, language: LanguageVersion, root: Message) {
    this.packageId = packageId
    this.language = language
    this.#strings = root.texts(2)
    this.#dottedNames = root.messages(3).map((name) =>
      name
        .int32s(1)
        .map((segment) => this.string(segment))
        .join('.'),
    )
    this.#imports = root.has(9) ? root.message(9).texts(1) : []
  }

  addType(type: Type): void {
    this.#typeNesting.demand(type)
    this.#types.push(type)
  }

  addExpr(expr: Expr): void {
    this.#exprs.push(expr)
  }

  string(index: number): string {
    return this.#strings[index] ?? missing('string', index)
  }

  dottedName(index: number): string {
    return this.#dottedNames[index] ?? missing('dotted name', index)
  }

  type(index: number): Type {
    return this.#types[index] ?? missing('type', index)
  }

  expr(index: number): Expr {
    return this.#exprs[index] ?? missing('expression', index)
  }

  /** Module in field 1, name in field 2. */
  identifier(message: Message): DamlIdentifier {
    const module = message.message(1)
    const packageId = this.#package(module.message(1))
    return this.named(packageId, this.dottedName(module.int32(2)), this.dottedName(message.int32(2)))
  }

  own(module: string, entity: string): DamlIdentifier {
    return this.named(this.packageId, module, entity)
  }

  /** One object for each name. */
  named(packageId: string, module: string, entity: string): DamlIdentifier {
    const key = `${packageId}:${module}:${entity}`
    const known = this.#identifiers.get(key)
    if (known) return known
    const made = { packageId, module, entity }
    this.#identifiers.set(key, made)
    return made
  }

  #package(reference: Message): string {
    const imported = reference.which(importedBy)
    if (imported === undefined) throw malformed('a reference names no package')
    if (imported === 1) return this.packageId
    const id = imported === 3 ? this.string(reference.int32(3)) : this.#imports[reference.int32(4)]
    if (id === undefined) throw malformed(`imported package ${reference.int32(4)} is not in the table`)
    if (id !== this.packageId) this.dependencies.add(id)
    return id
  }
}

const importedBy: ReadonlySet<number> = new Set([1, 3, 4])

function missing(kind: string, index: number): never {
  throw malformed(`${kind} ${index} is not in the table`)
}

/** Far above compiled packages; bounds recursion. */
const deepest = 300

class Nesting {
  readonly #depths = new WeakMap<Type, number>()

  /** Throws `ArchiveError`. */
  demand(type: Type): void {
    if (this.#depth(type) > deepest) throw malformed(`types are nested more than ${deepest} deep`)
  }

  #depth(type: Type): number {
    const known = this.#depths.get(type)
    if (known !== undefined) return known
    let below = 0
    for (const part of partsOfType(type)) below = Math.max(below, this.#depth(part))
    this.#depths.set(type, below + 1)
    return below + 1
  }
}
