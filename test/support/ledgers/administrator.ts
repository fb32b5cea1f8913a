import type { Test } from 'tap'
import { isJsonObject, type JsonObject, type JsonValue } from '../../../lib/json/json.js'
import { connect } from '../servers/wire.js'
import { objectIn, textAt } from './simulator-environment.js'

export type Right = Record<string, { value: Record<string, string> }>

export const hosted = ['alice', 'bob', 'carol'] as const

const objectAt = (value: JsonValue | undefined): JsonObject => (isJsonObject(value) ? value : {})

/** `token`: the administrator's. */
export function administrator(t: Test, url: string, token?: string) {
  const wire = connect(url)
  t.teardown(() => wire.close())
  const headers: Record<string, string> = token === undefined ? {} : { authorization: `Bearer ${token}` }
  return {
    party: async (partyIdHint: string): Promise<string> => {
      const { partyDetails } = objectIn(await wire.post('/v2/parties', { partyIdHint }, headers))
      return textAt(partyDetails, 'party')
    },
    user: async (id: string, kinds: readonly Right[]): Promise<void> => {
      const rights = kinds.map((kind) => ({ kind }))
      objectIn(await wire.post('/v2/users', { user: { id }, rights }, headers))
    },
    synchronizer: async (): Promise<string> => {
      const path = '/v2/state/connected-synchronizers'
      const { connectedSynchronizers } = objectIn(await wire.send({ method: 'GET', path, headers }))
      return textAt([connectedSynchronizers ?? []].flat()[0], 'synchronizerId')
    },
    state: async (id: string): Promise<{ isDeactivated: unknown; rights: string[] }> => {
      const { user } = objectIn(await wire.send({ method: 'GET', path: `/v2/users/${id}`, headers }))
      const { rights } = objectIn(await wire.send({ method: 'GET', path: `/v2/users/${id}/rights`, headers }))
      const isDeactivated = objectAt(user)['isDeactivated']
      return {
        isDeactivated,
        rights: [rights ?? []].flat().map((right) => Object.keys(objectAt(objectAt(right)['kind']))[0] ?? ''),
      }
    },
  }
}
