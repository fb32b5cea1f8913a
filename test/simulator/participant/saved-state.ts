import type { ParticipantState } from '../../../simulator/participant/participant-state.js'
import { type SavedCompletion, type SavedParts, stateFrom } from '../../../simulator/participant/saved-parts.js'
import type { StateDocument } from '../../../simulator/participant/state-document.js'
import { decodeValue } from '../../../simulator/participant/state-values.js'

/** As the simulator wrote it. */
export const stateIn = ({ state, completions }: StateDocument): ParticipantState =>
  stateFrom(decodeValue(state) as SavedParts, completions.map(decodeValue) as SavedCompletion[])
