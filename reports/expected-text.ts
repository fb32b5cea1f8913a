import type { Alternative, Check, Matcher, ResolvedExpectation } from '../record/resolved-row.js'

/** What is expected, in words: `accepted: status 200, body /updateId: type "string"`. Variables stand as the suite has them. */
export const expectedText = ({ anyOf }: Pick<ResolvedExpectation, 'anyOf'>): string =>
  anyOf.map(alternative).join(', or ')

function alternative({ name, outcome, checks }: Alternative): string {
  const head = [name, outcome].filter((part) => part !== undefined).join(', ')
  const looks = checks.map(inWords).join(', ')
  return [head, looks].filter((part) => part !== '').join(': ')
}

function inWords(check: Check): string {
  switch (check.on) {
    case 'status':
      return `status ${check.oneOf.join(' or ')}`
    case 'media-type':
      return `media type ${check.equals}`
    case 'header':
      return `header ${check.name}: ${matcher(check.matcher)}`
    case 'body':
      return `body ${check.pointer === '' ? '(whole)' : check.pointer}: ${matcher(check.matcher)}`
    case 'text':
      return `body mentions ${JSON.stringify(check.mentions)}`
    case 'hash':
      return 'body names the hash that had to be signed'
    case 'resources':
      return `body names resources of the kinds ${check.kinds.join(', ')}`
    case 'shape':
      return `body has the described form of a successful ${check.operation}`
    case 'winners':
      return `${check.count} of the requests accepted`
  }
}

const matcher = (found: Matcher): string =>
  Object.entries(found)
    .map(([name, value]) => `${name} ${JSON.stringify(value)}`)
    .join(' and ')
