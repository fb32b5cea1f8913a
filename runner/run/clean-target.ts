import { redactError } from '../../lib/redaction/redaction.js'
import { permissionNames } from '../../record/types/effects.js'
import type { LeftJournal } from '../changes/journal.js'
import { type Restored, restoreLeftoverState } from '../changes/leftover-state.js'
import type { RunOptions } from '../preflight/run-options.js'
import { type StartedSession, startSession } from '../preflight/start-session.js'
import { findDefaultUser } from '../provision/assign-users.js'
import { discover } from '../provision/discover.js'
import { checkModel, vetAsRequired } from '../provision/model-packages.js'
import type { Capability } from '../target/target.js'

/** Throws `TargetError`. */
export async function cleanTarget(options: RunOptions, journals: readonly LeftJournal[]): Promise<Restored> {
  const started = startSession(options, () => undefined)
  const clean = (sentences: readonly string[]): string[] => sentences.map((one) => started.redaction.clean(one))
  try {
    const { repaired, left } = await cleanWith(started, options, journals)
    return { repaired: clean(repaired), left: clean(left) }
  } catch (error) {
    throw redactError(error, started.redaction)
  }
}

async function cleanWith(
  { restoreAs, setParticipantId }: StartedSession,
  options: RunOptions,
  journals: readonly LeftJournal[],
): Promise<Restored> {
  const call = restoreAs(findDefaultUser(options.target))
  const discovery = await discover(call, options.access?.unreachable ?? new Set(), setParticipantId, options.access)
  const participant = { ...discovery, url: options.target.url }
  const { repaired, left } = await restoreLeftoverState(journals, participant, call, new Set(permissionNames))
  const readModel = () => checkModel(options.model ?? [], 'never', discovery, call)
  const { capability, wronglyVetted } = await readModel()
  if (!isHindered(capability)) return { repaired, left }
  await vetAsRequired(wronglyVetted, discovery, call)
  const after = await readModel()
  if (isHindered(after.capability)) {
    const titles = after.wronglyVetted.map(({ title }) => title).join(', ')
    return {
      repaired,
      left: [...left, `The vetting of packages of the conformance model is not corrected: ${titles}.`],
    }
  }
  const titles = wronglyVetted.map(({ title }) => title).join(', ')
  const sentence = `Corrected the vetting of packages of the conformance model: ${titles}.`
  return { repaired: [...repaired, sentence], left }
}

const isHindered = (capability: Capability): boolean => typeof capability === 'object' && 'hindered' in capability
