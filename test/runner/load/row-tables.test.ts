// biome-ignore-all lint/suspicious/noTemplateCurlyInString: variables of suites have this form
import t from 'tap'
import { loadSuite } from '../../../runner/load/load-suite.js'
import type { Row } from '../../../runner/suite/suite.js'
import { findingsOf, folderWith, lines } from '../../support/suites/suite-folder.js'

const file = 'cases/contract-by-id/tables.yaml'

const withRows = (rows: string): string => `operation: contract-by-id
cases:
  - id: CBI-TABLES
    title: Tables
    rules: [GEN-POST]
    request: look-up
    outcome: unknown-contract
    edit: { /a: 1 }
    rows:
${rows}`

async function rowsOf(folder: string): Promise<Row[]> {
  const suite = await loadSuite(folder)
  return suite.cases.find(({ id }) => id === 'CBI-TABLES')?.rows ?? []
}

const summarize = ({ id, rules, impact, needs, steps, location }: Row): unknown => {
  const [step] = steps
  return {
    id,
    rules,
    impact,
    needs,
    line: location.line,
    edit: step?.edit ?? {},
    remove: step?.remove ?? [],
    outcome: step?.outcome?.what,
  }
}

t.test('a table is replaced by a row for each member and value, in file order', async (t) => {
  const rows = `      - { id: before }
      - impact: write
        needs: [authorization]
        edit: { /b: 2 }
        for-each:
          members:
            name: { at: /name }
            age: { at: /age/years, rules: [GEN-NO-EFFECT], without: [number], impact: read, needs: [contract-keys] }
          values: { number: 7, 'null': null, object: { c: [d] } }
      - { id: behind }
`
  const common = { rules: ['GEN-POST'], remove: [], outcome: 'unknown-contract' }
  const writing = { ...common, impact: 'write', needs: ['authorization'], line: 16 }
  const ofAge = { ...common, rules: ['GEN-NO-EFFECT'], impact: 'read', needs: ['contract-keys'], line: 17 }
  t.strictSame((await rowsOf(await folderWith(t, [file, undefined, withRows(rows)]))).map(summarize), [
    { ...common, id: 'before', impact: 'read', needs: [], line: 10, edit: { '/a': 1 } },
    { ...writing, id: 'name-number', edit: { '/a': 1, '/b': 2, '/name': 7 } },
    { ...writing, id: 'name-null', edit: { '/a': 1, '/b': 2, '/name': null } },
    { ...writing, id: 'name-object', edit: { '/a': 1, '/b': 2, '/name': { c: ['d'] } } },
    { ...ofAge, id: 'age-null', edit: { '/a': 1, '/b': 2, '/age/years': null } },
    { ...ofAge, id: 'age-object', edit: { '/a': 1, '/b': 2, '/age/years': { c: ['d'] } } },
    { ...common, id: 'behind', impact: 'read', needs: [], line: 19, edit: { '/a': 1 } },
  ])
})

t.test('a table can add a row without the member, and members can set the outcome', async (t) => {
  const rows = `      - id: with
        remove: [/x]
        for-each: { members: { name: { at: /name }, age: { at: /age, outcome: accepted } }, values: { number: 7 }, missing: true }
`
  const found = (await rowsOf(await folderWith(t, [file, undefined, withRows(rows)]))).map(summarize)
  const refused = 'unknown-contract'
  t.match(found, [
    { id: 'with-name-number', edit: { '/name': 7 }, remove: ['/x'], outcome: refused },
    { id: 'with-name-missing', edit: { '/a': 1 }, remove: ['/x', '/name'], outcome: refused },
    { id: 'with-age-number', edit: { '/age': 7 }, remove: ['/x'], outcome: 'accepted' },
    { id: 'with-age-missing', remove: ['/x', '/age'], outcome: 'accepted' },
  ])
  t.equal(found.length, 4)
})

const mistakes: [what: string, rows: string, expected: string[]][] = [
  [
    'a table without rows',
    '      - { for-each: { members: { name: { at: /name } } } }\n',
    [`${file}:10:11: this table has no rows | add "values" or "missing: true"`],
  ],
  [
    'an unknown value',
    '      - { for-each: { members: { name: { at: /name, without: [nubmer] } }, values: { number: 7, text: x } } }\n',
    [`${file}:10:63: the table has no value "nubmer" | did you mean "number"? allowed: number, text`],
  ],
  [
    'duplicate rows',
    `      - { id: name-number }
      - { for-each: { members: { name: { at: /name } }, values: { number: 7 } } }
`,
    [`${file}:11:34: the row "name-number" is already defined | the first one is at ${file}:10:9`],
  ],
  [
    'a variable that nothing defines',
    "      - { for-each: { members: { name: { at: /name } }, values: { a: '${nowhere}' } } }\n",
    [`${file}:10:70: the variable \${nowhere} is not defined here | capture it in an earlier step, or name a fixture`],
  ],
  [
    'an invalid pointer',
    '      - { for-each: { members: { name: { at: name } }, values: { a: 1 } } }\n',
    [
      `${file}:10:46: "at" cannot be "name" | a pointer is empty (the whole body) or begins with a slash, such as /actAs/0, and contains no variables`,
    ],
  ],
  ['a row with neither id nor table', '      - { edit: { /a: 1 } }\n', [`${file}:10:9: missing key "id"`]],
]

for (const [what, rows, expected] of mistakes) {
  t.test(`a suite is rejected for ${what}`, async (t) => {
    const folder = await folderWith(t, [file, undefined, withRows(rows)])
    t.strictSame(lines(folder, await findingsOf(folder)), expected)
  })
}
