import { mkdirSync, writeFileSync } from 'node:fs'
import { dirname, join } from 'node:path'
import type { Pair } from './pairs.js'

const files: Readonly<Record<string, string>> = {
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

export function writeOwnSuite(folder: string, pairs: readonly Pair[]): void {
  const rows = pairs.map(({ name, body, status, member }) => {
    const edit = `{ /contractId: '${body.contractId}', /queryingParties: ['${body.queryingParties.join("', '")}'] }`
    const expect = `{ body: { /${member.path.join('/')}: { equals: '${member.value}' } } }`
    return `      - { id: ${name}, edit: ${edit}, outcome: ${status === 200 ? 'accepted' : 'unknown-contract'}, expect: ${expect} }`
  })
  const cases = `operation: contract-by-id
cases:
  - id: LOOKUP
    title: Returns the contract
    rules: [LOOKUP]
    request: lookup
    rows:
${rows.join('\n')}
`
  for (const [name, text] of Object.entries({ ...files, 'cases/contract-by-id/lookup.yaml': cases })) {
    mkdirSync(dirname(join(folder, name)), { recursive: true })
    writeFileSync(join(folder, name), text)
  }
}
