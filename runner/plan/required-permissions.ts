/** Rejected requests count too: a faulty participant may accept them. */
import { operationNamed } from '../../interface/operations.js'
import { type Permission, permissionNames } from '../../record/types/effects.js'
import type { ResolvedRow, ResolvedStep } from '../../record/types/resolved-row.js'
import type { ResolvedFixture } from '../suite/resolved-suite.js'
import { isDryRun } from '../target/permissions.js'
import type { Capabilities } from '../target/target.js'
import { needsAtTarget } from './given-fixtures.js'

/** Without `read`. */
export function requiredPermissions(
  row: ResolvedRow,
  known: ReadonlyMap<string, ResolvedFixture>,
  parties: ReadonlySet<string> = new Set(),
  capabilities: Capabilities,
): Permission[] {
  const { steps, impact, fixtures } = row
  const needed = fixtures.flatMap((name) => known.get(name) ?? [])
  const createsParty = needed.some(({ name, party }) => party && !parties.has(name))
  const required = new Set([
    ...[...steps, ...needed.flatMap((fixture) => fixture.steps)].flatMap(requestedChange),
    ...(createsParty ? ['write'] : []),
    ...needsAtTarget(row, known).flatMap((need) => permissionIn(capabilities[need]) ?? []),
    impact,
  ])
  return permissionNames.filter((name) => name !== 'read' && required.has(name))
}

const permissionIn = (capability: Capabilities[string] | undefined): Permission | undefined =>
  typeof capability === 'object' && 'permission' in capability ? capability.permission : undefined

function requestedChange(step: ResolvedStep): Permission[] {
  const { commits, changes } = operationNamed(step.operation) ?? {}
  if (commits) return ['write']
  return changes === undefined || isDryRun(step.request) ? [] : [changes]
}
