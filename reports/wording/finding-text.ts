import type { Reason } from '../../record/types/reason.js'
import { reasonText } from './reason-words.js'

interface Finding {
  what: string
  because?: Reason
  advice?: string
}

export const findingWhat = ({ what, because }: Finding): string =>
  because === undefined ? what : `${what}: ${reasonText(because)}`

export const findingText = (finding: Finding): string =>
  finding.advice === undefined ? findingWhat(finding) : `${findingWhat(finding).replace(/\.$/, '')}. ${finding.advice}`
