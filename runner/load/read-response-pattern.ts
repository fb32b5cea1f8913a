import type { ResponsePattern } from '../suite/suite.js'
import {
  dataOf,
  entriesOf,
  given,
  itemsOf,
  type Located,
  member,
  optionalNumber,
  optionalText,
  textOf,
} from '../yaml/located.js'

/** What an answer looks like, from a map with the members of a look (and perhaps others). */
export function readResponsePattern(node: Located): ResponsePattern {
  const context = member(node, 'context')
  const resources = member(node, 'resources')
  const retry = member(node, 'retry')
  return given({
    status: readStatus(member(node, 'status')),
    mediaType: optionalText(node, 'media-type'),
    code: optionalText(node, 'code'),
    category: optionalNumber(node, 'category'),
    grpc: optionalNumber(node, 'grpc'),
    context: context && Object.fromEntries(entriesOf(context).map(({ name, value }) => [name, textOrAny(value)])),
    resources: resources && itemsOf(resources).map(textOf),
    retry: retry && textOrAny(retry),
    mentions: optionalText(node, 'mentions'),
    // The schema allows nothing else.
    namesHash: member(node, 'names-hash') && (true as const),
  })
}

/** `400`, `4xx` or a list of them, as a list of texts. */
export function readStatus(node: Located | undefined): string[] | undefined {
  if (!node) return undefined
  const status = dataOf(node)
  return Array.isArray(status) ? status.map(String) : [String(status)]
}

const textOrAny = (node: Located): string | null => (node.content === null ? null : textOf(node))
