import { mkdirSync, writeFileSync } from 'node:fs'
import { dirname, join } from 'node:path'
import type { Pair } from './pairs.js'

const files: Record<string, string> = {
  'suite.yaml': 'version: 1.0.0\n',
  'outline.yaml': `text: { title: Lookups, version: '1', digest: ${'ab'.repeat(32)} }
outline:
  - { section: Lookups, passages: [paragraph 1] }
`,
  'rules/lookups.yaml': `rules:
  - { id: LOOKUP, statement: Returns the contract., strength: must, section: Lookups, passages: [paragraph 1] }
`,
  'situations.yaml': `situations:
  unknown-contract: The contract does not exist.
`,
  'profiles/interface.yaml': `profile: interface
title: The text
confidence: text
source: the text
basis: text
accepted: { status: 2xx }
refused: { status: 4xx }
situations:
  unknown-contract: { refused: { status: 404 }, source: the text }
`,
  'requests.yaml': `requests:
  lookup:
    operation: contract-by-id
    as: reader
    body: { contractId: '', queryingParties: [] }
`,
  'actors.yaml': `actors:
  reader: { rights: [] }
`,
}

/** A suite file has at most 4 MiB. */
const rowsOfCase = 1000

export function writeOwnSuite(folder: string, pairs: readonly Pair[]): void {
  const texts = { ...files }
  for (let first = 0; first < pairs.length; first += rowsOfCase) {
    const id = `LOOKUP-${first / rowsOfCase + 1}`
    texts[`cases/contract-by-id/${id.toLowerCase()}.yaml`] = caseOf(id, pairs.slice(first, first + rowsOfCase))
  }
  for (const [name, text] of Object.entries(texts)) {
    mkdirSync(dirname(join(folder, name)), { recursive: true })
    writeFileSync(join(folder, name), text)
  }
}

function caseOf(id: string, pairs: readonly Pair[]): string {
  const rows = pairs.map(({ name, body, status, member }) => {
    const edit = `{ /contractId: '${body.contractId}', /queryingParties: ['${body.queryingParties.join("', '")}'] }`
    const expect = `{ body: { /${member.path.join('/')}: { equals: '${member.value}' } } }`
    return `      - { id: ${name}, edit: ${edit}, outcome: ${status === 200 ? 'accepted' : 'unknown-contract'}, expect: ${expect} }`
  })
  return `operation: contract-by-id
cases:
  - id: ${id}
    title: Returns the contract
    rules: [LOOKUP]
    request: lookup
    rows:
${rows.join('\n')}
`
}
