import { operationNamed } from '../../interface/operations.js'
import { cachedBy } from '../../lib/made-once.js'
import { UsageError } from '../../lib/usage-error.js'
import type { BodyTemplate, Data, LateEdit, RequestTemplate, SourceLine } from '../../record/types/resolved-row.js'
import type { BaseRequest, Step } from '../suite/suite.js'
import { PointerError } from '../template/pointer.js'
import { applyEdit, isGeneratedAt } from '../template/variables.js'

export class ResolveError extends UsageError {
  override readonly name = 'ResolveError'
  readonly source: SourceLine
  readonly problem: string

  constructor({ file, line }: SourceLine, step: string, problem: string) {
    const message = `the request of the step "${step}" cannot be built: ${problem}`
    super(`${file}:${line}: ${message}`)
    this.source = { file, line }
    this.problem = message
  }
}

/** The same for all profiles. Throws `ResolveError`. */
export const requestTemplate = (step: Step, base: BaseRequest): RequestTemplate => templatesOf(base)(step)

const templatesOf = cachedBy((base: BaseRequest) => cachedBy((step: Step) => makeTemplate(step, base)))

function makeTemplate(step: Step, base: BaseRequest): RequestTemplate {
  const operation = operationNamed(base.operation)
  if (!operation) throw new Error(`the loader accepted the unknown operation ${base.operation}`)
  const body = bodyTemplate(step, base)
  const { send } = step
  const own = send?.path
  return {
    method: send?.method ?? operation.method,
    path: own ?? operation.path,
    ...(own === undefined && base.query && { query: base.query }),
    headers: headersOf(step, body),
    ...(body && { body }),
    ...(send?.wire && { wire: send.wire }),
  }
}

function headersOf({ send }: Step, body: BodyTemplate | undefined): Record<string, string> {
  const headers = new Map<string, string | null>([['accept', 'application/json']])
  if (body) headers.set('content-type', 'application/json')
  for (const [name, value] of Object.entries(send?.headers ?? {})) headers.set(name.toLowerCase(), value)
  return Object.fromEntries([...headers].flatMap(([name, value]) => (value === null ? [] : [[name, value]])))
}

function bodyTemplate(step: Step, base: BaseRequest): BodyTemplate | undefined {
  const { text, base64, written } = step.send ?? {}
  const spelling = written && { written }
  if (text !== undefined) return text === '' ? undefined : { text, ...spelling }
  if (base64 !== undefined) return base64 === '' ? undefined : { base64 }
  if (base.body === undefined) return undefined
  try {
    return { ...editedBody(base.body, editsOf(step)), ...spelling }
  } catch (error) {
    if (error instanceof PointerError) throw new ResolveError(step.location, step.name, error.message)
    throw error
  }
}

export const editsOf = ({ edit = {}, remove = [] }: Step): LateEdit[] => [
  ...Object.entries(edit).map(([at, set]) => ({ at, set })),
  ...remove.map((at) => ({ at, remove: true as const })),
]

/** Edits from the first one inside a variable are applied after filling. */
function editedBody(body: Data, edits: readonly LateEdit[]): BodyTemplate {
  const late = edits.findIndex(({ at }, index) => isGeneratedAt(edited(body, edits.slice(0, index)), at))
  if (late === -1) return { json: edited(body, edits) }
  return { json: edited(body, edits.slice(0, late)), edits: edits.slice(late) }
}

const edited = (body: Data, edits: readonly LateEdit[]): Data => edits.reduce(applyEdit, body)
