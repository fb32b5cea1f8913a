import { printJson } from '../../lib/json/json.js'
import { type Endpoint, methodAndPath } from '../http/endpoint.js'

/** `GET /docs/asyncapi`: the WebSocket streams, each with the messages of its HTTP operation. */
export function describeStreams(streams: readonly Endpoint[]): Endpoint {
  const channels = streams.map((stream): [string, string] => [stream.path, methodAndPath(stream)])
  const text = [
    'asyncapi: 2.6.0',
    'info: { title: JSON Ledger API WebSocket endpoints, version: 3.5.10 }',
    'channels:',
    ...channels.flatMap(([path, operation]) => [
      `  ${path}:`,
      `    publish: { message: { name: request, description: ${printJson(`The request body of ${operation}`)} } }`,
      `    subscribe: { message: { name: element, description: ${printJson(`An element of the answer of ${operation}`)} } }`,
      '    bindings: { ws: { method: GET } }',
    ]),
    '',
  ].join('\n')
  // Ignores tokens, as the description of the HTTP operations.
  return { method: 'get', path: '/docs/asyncapi', answer: async () => ({ status: 200, text }) }
}
