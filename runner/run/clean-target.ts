import { redactError } from '../../lib/redaction/redaction.js'
import { permissionNames } from '../../record/types/effects.js'
import type { LeftJournal } from '../changes/journal.js'
import { restoreLeftoverState } from '../changes/leftover-state.js'
import type { Restored } from '../changes/vetting-state.js'
import type { RunOptions } from '../preflight/run-options.js'
import { startSession } from '../preflight/start-session.js'
import { findDefaultUser } from '../provision/assign-users.js'
import type { Caller } from '../provision/caller.js'
import { type Discovery, discover } from '../provision/discover.js'
import { checkModel, type ModelPackage, type ModelState, vetAsRequired } from '../provision/model-packages.js'
import type { Capability } from '../target/target.js'

/** Throws `TargetError`. */
export async function cleanTarget(options: RunOptions, journals: readonly LeftJournal[]): Promise<Restored> {
  const { restoreAs, setParticipantId, redaction } = startSession(options, () => undefined)
  const clean = (sentences: readonly string[]): string[] => sentences.map((one) => redaction.clean(one))
  try {
    const call = restoreAs(findDefaultUser(options.target))
    const { access } = options
    const discovery = await discover(call, access.unreachable, setParticipantId, access)
    const participant = { ...discovery, url: options.target.url }
    const journalled = await restoreLeftoverState(journals, participant, call, new Set(permissionNames))
    const vetting = await correctVetting(options.model ?? [], discovery, call)
    return {
      repaired: clean([...journalled.repaired, ...vetting.repaired]),
      left: clean([...journalled.left, ...vetting.left]),
    }
  } catch (error) {
    throw redactError(error, redaction)
  }
}

/** Of the packages of the conformance model. */
async function correctVetting(model: readonly ModelPackage[], discovery: Discovery, call: Caller): Promise<Restored> {
  const before = await checkModel(model, 'never', discovery, call)
  if (!isHindered(before.capability)) return { repaired: [], left: [] }
  await vetAsRequired(before.wronglyVetted, discovery, call)
  const after = await checkModel(model, 'never', discovery, call)
  const titlesOf = ({ wronglyVetted }: ModelState): string => wronglyVetted.map(({ title }) => title).join(', ')
  return isHindered(after.capability)
    ? {
        repaired: [],
        left: [`The vetting of packages of the conformance model is not corrected: ${titlesOf(after)}.`],
      }
    : {
        repaired: [`Corrected the vetting of packages of the conformance model: ${titlesOf(before)}.`],
        left: [],
      }
}

const isHindered = (capability: Capability): boolean => typeof capability === 'object' && 'hindered' in capability
