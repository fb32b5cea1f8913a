/** The compiled checks agree with the schemas. */
import { readFileSync } from 'node:fs'
import t from 'tap'
import { fitName, successSchema } from '../../interface/described-schemas.js'
import { type OperationName, operations } from '../../interface/operations.js'
import compiled from '../../interface/response-fits.cjs'
import { schemaCompiler } from '../../interface/response-schema.js'

type Json = null | boolean | number | string | Json[] | { [name: string]: Json }

const recordings = new URL('../../../test/recordings/responses.json', import.meta.url)
const answers = JSON.parse(readFileSync(recordings, 'utf8')) as {
  operation: OperationName
  status: number
  body: Json
}[] // our own data
const replacements: readonly (Json | undefined)[] = [
  undefined,
  null,
  true,
  0.5,
  2 ** 63,
  2 ** 64,
  '',
  'text',
  [],
  {},
  [{}],
]

function* altered(body: Json): Generator<Json> {
  if (typeof body !== 'object' || body === null) return
  const parts = Array.isArray(body) ? [...body.entries()] : Object.entries(body)
  for (const [name, part] of parts) {
    const inner = [...altered(part)]
    for (const other of [...replacements, ...inner]) {
      const copy: Json[] | { [name: string]: Json } = Array.isArray(body) ? [...body] : { ...body }
      if (other === undefined) Reflect.deleteProperty(copy, name)
      else Reflect.set(copy, name, other)
      yield copy
    }
    if (!Array.isArray(body)) yield { ...body, [`${name}Too`]: part }
  }
}

for (const basis of ['text', 'facts'] as const)
  t.test(`by ${basis}`, async (t) => {
    const count = { fit: 0, unfit: 0 }
    for (const operation of Object.keys(operations) as OperationName[]) {
      const { schema, named } = successSchema(operation)
      const check = schemaCompiler(named, basis, false)(schema)
      const fits = compiled.fits[fitName(operation, basis)]
      if (!fits) throw new Error(`no compiled check for ${operation}`)
      const bodies = answers.filter((one) => one.operation === operation && one.status === 200).map(({ body }) => body)
      for (const body of [...replacements, ...bodies, ...bodies.flatMap((one) => [...altered(one)])]) {
        if (body === undefined) continue
        const isFit = check(body)
        count[isFit ? 'fit' : 'unfit'] += 1
        if (fits(body) !== isFit) throw new Error(`${operation}: ${JSON.stringify(body)}`)
      }
    }
    t.ok(count.fit > 100 && count.unfit > 100, JSON.stringify(count))
  })
