import type { Alternative, ResolvedExpectation } from '../../record/types/resolved-row.js'
import { checkText } from './check-text.js'

/** What is expected, in words: `accepted: status 200, body /updateId: type "string"`. Variables stand as the suite has them. */
export const expectedText = ({ anyOf }: Pick<ResolvedExpectation, 'anyOf'>): string =>
  anyOf.map(alternative).join(', or ')

function alternative({ name, outcome, checks }: Alternative): string {
  const head = [name, outcome].filter((part) => part !== undefined).join(', ')
  const looks = checks.map(checkText).join(', ')
  return [head, looks].filter((part) => part !== '').join(': ')
}
