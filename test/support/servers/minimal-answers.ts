/** A gateway whose answers of supporting operations have only the members of the smallest usable answers. */
import { createServer, request as send } from 'node:http'
import { buffer } from 'node:stream/consumers'
import type { Test } from 'tap'
import { supportOperations } from '../../../interface/operations.js'
import { supportShapes } from '../../../interface/support-shapes.js'
import { isJsonObject, type JsonValue, parseJson, printJson } from '../../../lib/json/json.js'
import { listen } from './raw-target.js'

/** Of an object, the members of `shape`; an empty object in a shape keeps every value. Items have any of its item shapes. */
function project(value: JsonValue, shape: JsonValue, isRoot = true): JsonValue {
  if (Array.isArray(value) && Array.isArray(shape)) {
    const item = merged(shape)
    return item === undefined ? value : value.map((one) => project(one, item, false))
  }
  if (!isJsonObject(value) || !isJsonObject(shape)) return value
  const members = Object.entries(shape)
  if (members.length === 0 && !isRoot) return value
  return Object.fromEntries(
    members.flatMap(([name, inner]) => {
      const found = value[name]
      return found === undefined ? [] : [[name, project(found, inner, false)]]
    }),
  )
}

/** Items of several kinds, such as events, have one member each. */
function merged(items: readonly JsonValue[]): JsonValue | undefined {
  const [first] = items
  return isJsonObject(first) ? Object.assign({}, ...items.filter(isJsonObject)) : first
}

const shapes = new Map(
  supportShapes().map(({ name, answer }) => {
    const { method, path } = supportOperations[name]
    return [new RegExp(`^${method} ${path.replace(/\{\w+\}/g, '[^/]+')}$`), answer] as const
  }),
)

const isOfOperation = (call: string): [RegExp, JsonValue | undefined] | undefined =>
  [...shapes].find(([pattern]) => pattern.test(call))

/** Until the test ends. `calls`: of supporting operations without a shape. */
export async function minimalAnswers(
  t: Pick<Test, 'teardown'>,
  target: string,
): Promise<{ url: string; unknown: Set<string> }> {
  const unknown = new Set<string>()
  const operations = new Map(Object.values(supportOperations).map(({ method, path }) => [`${method} ${path}`, path]))
  const url = await listen(
    t,
    createServer((incoming, outgoing) => {
      const { method = '', url: path = '', headers } = incoming
      const call = `${method} ${path.replace(/\?.*$/, '')}`
      const found = isOfOperation(call)
      if (!found && operations.has(call)) unknown.add(call)
      const forwarded = send(
        new URL(path, target),
        { method, headers: { ...headers, host: new URL(target).host } },
        (answer) => {
          const status = answer.statusCode ?? 0
          const shape = status < 300 ? found?.[1] : undefined
          if (shape === undefined) {
            outgoing.writeHead(status, answer.headers)
            answer.pipe(outgoing)
            return
          }
          void buffer(answer).then((bytes) => {
            const body = printJson(project(parseJson(bytes.toString()), shape))
            outgoing.writeHead(status, { 'content-type': 'application/json' }).end(body)
          })
        },
      )
      incoming.pipe(forwarded)
    }),
  )
  return { url, unknown }
}
