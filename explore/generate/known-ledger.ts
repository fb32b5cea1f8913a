import { isJsonObject, type JsonValue, parseJson, printJson } from '../../lib/json/json.js'
import type { Data } from '../../record/types/resolved-row.js'
import { valueAt } from '../../runner/template/pointer.js'
import type { Template } from './templates.js'

export interface KnownContract {
  /** Variable of its id. `NAME.blob` and `NAME.template` serve disclosure. */
  name: string
  template: Template
  /** Parties and contracts are variables. */
  fields: Readonly<Record<string, Data>>
  stakeholders: readonly string[]
  isActive: boolean
  hasBlob: boolean
}

export class KnownLedger {
  readonly contracts: KnownContract[] = []
  readonly #templates: ReadonlyMap<string, Template>
  /** Variables by id of the reference. */
  readonly #names = new Map<string, string>()

  constructor(templates: readonly Template[], variables: ReadonlyMap<string, JsonValue>) {
    this.#templates = new Map(templates.map((template) => [template.entity, template]))
    for (const [name, value] of variables)
      if (typeof value === 'string' && !name.startsWith('user.')) this.#names.set(value, name)
  }

  observe(answer: JsonValue | undefined, pointer: string): Record<string, string> {
    const events = valueAt(answer, pointer)
    const captures: Record<string, string> = {}
    for (const [index, event] of (Array.isArray(events) ? events : []).entries()) {
      const created = valueAt(event, '/CreatedEvent')
      if (created !== undefined) Object.assign(captures, this.#created(created, `${pointer}/${index}/CreatedEvent`))
      const archived = valueAt(event, '/ArchivedEvent') ?? consumedBy(valueAt(event, '/ExercisedEvent'))
      this.#archived(valueAt(archived, '/contractId'))
    }
    return captures
  }

  #created(event: JsonValue, pointer: string): Record<string, string> {
    const id = valueAt(event, '/contractId')
    const templateId = valueAt(event, '/templateId')
    const template = this.#templates.get(String(templateId).replace(/^[^:]*:/, ''))
    if (typeof id !== 'string' || this.#names.has(id) || !template) return {}
    const name = `c${this.contracts.length + 1}`
    this.#names.set(id, name)
    const blob = valueAt(event, '/createdEventBlob')
    const hasBlob = typeof blob === 'string' && blob !== ''
    const fields = this.#named(valueAt(event, '/createArgument') ?? null)
    const parties = [valueAt(event, '/signatories'), valueAt(event, '/observers')].flat()
    this.contracts.push({
      name,
      template,
      hasBlob,
      isActive: true,
      fields: isJsonObject(fields) ? (fields as Record<string, Data>) : {}, // Daml numbers are JSON strings
      stakeholders: parties.flatMap((party) => (typeof party === 'string' ? (this.#names.get(party) ?? []) : [])),
    })
    return {
      [name]: `${pointer}/contractId`,
      ...(hasBlob && {
        [`${name}.blob`]: `${pointer}/createdEventBlob`,
        [`${name}.template`]: `${pointer}/templateId`,
      }),
    }
  }

  #archived(id: JsonValue | undefined): void {
    const name = typeof id === 'string' ? this.#names.get(id) : undefined
    for (const contract of this.contracts) if (contract.name === name) contract.isActive = false
  }

  #named(value: JsonValue): JsonValue {
    const text = printJson(value).replace(/"((?:[^"\\]|\\.)*)"/g, (whole, inner: string) => {
      const name = this.#names.get(inner)
      return name === undefined ? whole : `"\${${name}}"`
    })
    return parseJson(text)
  }
}

const consumedBy = (exercised: JsonValue | undefined): JsonValue | undefined =>
  valueAt(exercised, '/consuming') === true ? exercised : undefined
