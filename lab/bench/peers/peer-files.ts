/** Input files of the other tools. */
import type { Pair } from './pairs.js'

const json = (value: unknown): string => `${JSON.stringify(value, null, 1)}\n`

export const openApi = (url: string, pairs: readonly Pair[]): string =>
  json({
    openapi: '3.1.0',
    info: { title: 'Lookups', version: '1' },
    servers: [{ url }],
    paths: {
      [pairs[0]?.path ?? '/']: {
        post: {
          operationId: 'lookUp',
          requestBody: { content: { 'application/json': { schema: { type: 'object' } } } },
          responses: Object.fromEntries(
            ['200', '404'].map((status) => [
              status,
              { description: 'an answer', content: { 'application/json': { schema: { type: 'object' } } } },
            ]),
          ),
        },
      },
    },
  })

export const arazzo = (pairs: readonly Pair[]): string =>
  json({
    arazzo: '1.0.1',
    info: { title: 'Lookups', version: '1' },
    sourceDescriptions: [{ name: 'lookups', url: './openapi.json', type: 'openapi' }],
    workflows: [
      {
        workflowId: 'lookups',
        steps: pairs.map(({ name, body, status, member }) => ({
          stepId: name,
          operationId: 'lookUp',
          requestBody: { contentType: 'application/json', payload: body },
          successCriteria: [
            { condition: `$statusCode == ${status}` },
            { condition: `$response.body#/${member.path.join('/')} == '${member.value}'` },
          ],
        })),
      },
    ],
  })

export const postman = (url: string, pairs: readonly Pair[]): string =>
  json({
    info: { name: 'Lookups', schema: 'https://schema.getpostman.com/json/collection/v2.1.0/collection.json' },
    item: pairs.map(({ name, path, body, status, member }) => ({
      name,
      request: {
        method: 'POST',
        url: url + path,
        header: [{ key: 'content-type', value: 'application/json' }],
        body: { mode: 'raw', raw: JSON.stringify(body) },
      },
      event: [
        {
          listen: 'test',
          script: {
            type: 'text/javascript',
            exec: [
              `pm.test('status', () => pm.response.to.have.status(${status}))`,
              `pm.test('member', () => pm.expect(pm.response.json().${member.path.join('.')}).to.eql(${JSON.stringify(member.value)}))`,
            ],
          },
        },
      ],
    })),
  })
