/** What rows ask a target to change. It is asked for by what must be refused as well: what a faulty target makes of that is not known. */
import { operationNamed } from '../../interface/operations.js'
import { type Permission, permissionNames } from '../../record/types/effects.js'
import type { ResolvedRow, ResolvedStep } from '../../record/types/resolved-row.js'
import type { ResolvedFixture } from '../suite/resolved-suite.js'
import type { Capabilities } from '../target/capabilities.js'
import { isDryRun } from '../target/dry-run.js'

/** What it takes to send the row, without `read`, which every run may: by its steps, by what has to be made for it, and by its impact. */
export function requiredPermissions(
  { steps, impact, needs, fixtures }: ResolvedRow,
  known: ReadonlyMap<string, ResolvedFixture>,
  parties: ReadonlySet<string> = new Set(),
  capabilities: Capabilities,
): Permission[] {
  const needed = fixtures.flatMap((name) => known.get(name) ?? [])
  const isMade = needed.some(({ name, party }) => party && !parties.has(name))
  const asked = new Set([
    ...[...steps, ...needed.flatMap((fixture) => fixture.steps)].flatMap(requestedChange),
    ...(isMade ? ['write'] : []),
    ...needs.flatMap((need) => permissionIn(capabilities[need]) ?? []),
    impact,
  ])
  return permissionNames.filter((name) => name !== 'read' && asked.has(name))
}

const permissionIn = (capability: Capabilities[string] | undefined): Permission | undefined =>
  typeof capability === 'object' && 'permission' in capability ? capability.permission : undefined

function requestedChange(step: ResolvedStep): Permission[] {
  const { commits, changes } = operationNamed(step.operation) ?? {}
  if (commits) return ['write']
  return changes === undefined || isDryRun(step.request) ? [] : [changes]
}
