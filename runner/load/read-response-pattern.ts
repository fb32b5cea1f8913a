/** Reads the expected properties of responses. */
import type { ResponsePattern } from '../suite/suite.js'
import {
  dataOf,
  entriesOf,
  itemsOf,
  type Located,
  member,
  omitUndefined,
  optionalNumber,
  optionalText,
  textOf,
} from '../yaml/located.js'

/** Ignores other members of the map. */
export function readResponsePattern(node: Located): ResponsePattern {
  const context = member(node, 'context')
  const resources = member(node, 'resources')
  const retry = member(node, 'retry')
  return omitUndefined({
    status: readStatus(member(node, 'status')),
    mediaType: optionalText(node, 'media-type'),
    code: optionalText(node, 'code'),
    category: optionalNumber(node, 'category'),
    grpc: optionalNumber(node, 'grpc'),
    context: context && Object.fromEntries(entriesOf(context).map(({ name, value }) => [name, textOrAny(value)])),
    resources: resources && itemsOf(resources).map(textOf),
    retry: retry && textOrAny(retry),
    mentions: optionalText(node, 'mentions'),
    namesHash: member(node, 'names-hash') && (true as const), // by schema
  })
}

/** `400`, `4xx` or a list of them. */
export function readStatus(node: Located | undefined): string[] | undefined {
  if (!node) return undefined
  const status = dataOf(node)
  return Array.isArray(status) ? status.map(String) : [String(status)]
}

const textOrAny = (node: Located): string | null => (node.content === null ? null : textOf(node))
