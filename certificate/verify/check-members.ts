/** A certified record has only members that are derived, stated by the settings, or evidence. */
import {
  isClosedEvidence,
  isClosedExchange,
  isClosedFooter,
  isClosedHeader,
  isClosedOracles,
} from '../../record/file/closed-checks.js'
import type { LineCheck } from '../../record/file/record-checks.js'
import type { RunRecord } from '../../record/types/record.js'
import { altered, type BundleFinding } from '../finding.js'

export function checkMembers({ header, exchanges = [], rows, oracles, footer }: RunRecord): BundleFinding[] {
  const parts: [path: string, value: unknown, check: LineCheck<unknown>][] = [
    ['header', header, isClosedHeader],
    ...exchanges.map((one, index): (typeof parts)[number] => [`exchanges[${index}]`, one, isClosedExchange]),
    ...rows.flatMap(({ id, evidence }) =>
      evidence.map((one, index): (typeof parts)[number] => [`rows[${id}].evidence[${index}]`, one, isClosedEvidence]),
    ),
    ...(oracles ? [['oracles', oracles, isClosedOracles] satisfies (typeof parts)[number]] : []),
    ...(footer ? [['footer', footer, isClosedFooter] satisfies (typeof parts)[number]] : []),
  ]
  const wrong = parts.find(([, value, check]) => !check(value))
  if (!wrong) return []
  const [path, , { errors }] = wrong
  const [problem] = errors ?? []
  return [altered(`${path}${problem?.instancePath ?? ''} has members outside the schema: ${problem?.message ?? ''}`)]
}
