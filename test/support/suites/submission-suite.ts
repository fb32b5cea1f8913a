// biome-ignore-all lint/suspicious/noTemplateCurlyInString: variables of suites are written like that
import { appendFile, mkdir, readFile, writeFile } from 'node:fs/promises'
import { dirname, join } from 'node:path'
import { writeLookupSuite } from './lookup-suite.js'

const rule = (id: string, ordinal: number): string =>
  `  - { id: ${id}, statement: The statement of ${id}., strength: must, section: Submissions, passages: [paragraph ${ordinal}] }\n`

const files: Readonly<Record<string, string>> = {
  'actors.yaml': `actors:
  reader: { rights: [CanActAs alice] }
  alice: { rights: [CanActAs alice] }
`,
  'cases/submit-and-wait/submit.yaml': `operation: submit-and-wait
cases:
  - id: SUB-ACCEPTED
    title: A submission with a command is accepted
    rules: [SAW-PURPOSE]
    request: create
    outcome: accepted
    rows:
      - { id: only }
  - id: SUB-REFUSED
    title: Submissions without commands are refused
    rules: [SUB-COMMANDS]
    request: submit
    outcome: no-commands
    rows:
      - { id: empty, edit: { /commands: [] } }
      - { id: 'null', edit: { /commands: null } }
  - id: SUB-TOKEN
    title: Submissions without a token are refused
    needs: [authorization]
    rules: [SUB-TOKEN]
    request: submit
    outcome: no-commands
    rows:
      - { id: without, edit: { /commands: [] } }
      - { id: again, edit: { /commands: {} } }
`,
}

export async function writeSubmissionSuite(folder: string): Promise<string> {
  await writeLookupSuite(folder)
  for (const [name, text] of Object.entries(files)) {
    await mkdir(dirname(join(folder, name)), { recursive: true })
    await writeFile(join(folder, name), text)
  }
  const ids = ['SUB-COMMANDS', 'SUB-TOKEN', 'GEN-NO-EFFECT', 'SAW-PURPOSE']
  await appendFile(join(folder, 'rules', 'general.yaml'), ids.map((id, index) => rule(id, index + 1)).join(''))
  const passages = ids.map((_, index) => `paragraph ${index + 1}`).join(', ')
  await appendFile(join(folder, 'outline.yaml'), `  - { section: Submissions, passages: [${passages}] }\n`)
  await appendFile(join(folder, 'situations.yaml'), '  no-commands: There are no commands.\n')
  const requests = join(folder, 'requests.yaml')
  const submit = `  submit:
    operation: submit-and-wait
    as: alice
    body: { commands: [], commandId: 'command-\${row}', actAs: ['\${alice}'], userId: '\${user}' }
`
  await writeFile(requests, `${(await readFile(requests, 'utf8')).trimEnd()}\n${submit}`)
  return folder
}
