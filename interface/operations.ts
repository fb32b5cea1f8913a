/** `path`: below the base URL; `{name}` is percent-encoded. */
interface OperationRow {
  readonly method: 'GET' | 'POST' | 'PATCH' | 'DELETE'
  readonly path: string
  readonly commits?: true
  /** Parties and users (`write`), vetting (`topology`), packages (`upload`). */
  readonly changes?: 'write' | 'topology' | 'upload'
}

export interface Operation<Name extends string = string> extends OperationRow {
  readonly name: Name
}

type Table<Names extends string> = { readonly [Name in Names]: Operation<Name> }

function table<Names extends string>(rows: Record<Names, OperationRow>): Table<Names> {
  const named = Object.entries<OperationRow>(rows).map(([name, row]) => [name, { name, ...row }])
  return Object.fromEntries(named) as Table<Names> // the same keys, each with its own name
}

export const operations = table({
  'contract-by-id': { method: 'POST', path: '/v2/contracts/contract-by-id' },
  'submit-and-wait': { method: 'POST', path: '/v2/commands/submit-and-wait', commits: true },
  'execute-and-wait-for-transaction': {
    method: 'POST',
    path: '/v2/interactive-submission/executeAndWaitForTransaction',
    commits: true,
  },
  execute: { method: 'POST', path: '/v2/interactive-submission/execute', commits: true },
  'update-package-vetting': { method: 'POST', path: '/v2/package-vetting/update', changes: 'topology' },
})

export type OperationName = keyof typeof operations

export const isOperationName = (name: string): name is OperationName => Object.hasOwn(operations, name)

export const operationNames = Object.keys(operations) as OperationName[] // all of them are keys of the table

/** Operations that provision and read a target. */
export const supportOperations = table({
  version: { method: 'GET', path: '/v2/version' },
  livez: { method: 'GET', path: '/livez' },
  readyz: { method: 'GET', path: '/readyz' },
  'connected-synchronizers': { method: 'GET', path: '/v2/state/connected-synchronizers' },
  'participant-id': { method: 'GET', path: '/v2/parties/participant-id' },
  'ledger-end': { method: 'GET', path: '/v2/state/ledger-end' },
  'allocate-party': { method: 'POST', path: '/v2/parties', changes: 'write' },
  'get-party': { method: 'GET', path: '/v2/parties/{party}' },
  'create-user': { method: 'POST', path: '/v2/users', changes: 'write' },
  'get-user': { method: 'GET', path: '/v2/users/{user}' },
  'update-user': { method: 'PATCH', path: '/v2/users/{user}', changes: 'write' },
  'delete-user': { method: 'DELETE', path: '/v2/users/{user}', changes: 'write' },
  'list-user-rights': { method: 'GET', path: '/v2/users/{user}/rights' },
  'grant-rights': { method: 'POST', path: '/v2/users/{user}/rights', changes: 'write' },
  'revoke-rights': { method: 'PATCH', path: '/v2/users/{user}/rights', changes: 'write' },
  'update-by-id': { method: 'POST', path: '/v2/updates/update-by-id' },
  'update-by-offset': { method: 'POST', path: '/v2/updates/update-by-offset' },
  updates: { method: 'POST', path: '/v2/updates' },
  completions: { method: 'POST', path: '/v2/commands/completions' },
  'active-contracts': { method: 'POST', path: '/v2/state/active-contracts' },
  'events-by-contract-id': { method: 'POST', path: '/v2/events/events-by-contract-id' },
  'generate-external-topology': { method: 'POST', path: '/v2/parties/external/generate-topology' },
  'allocate-external-party': { method: 'POST', path: '/v2/parties/external/allocate', changes: 'write' },
  prepare: { method: 'POST', path: '/v2/interactive-submission/prepare' },
  'execute-and-wait': { method: 'POST', path: '/v2/interactive-submission/executeAndWait', commits: true },
  'upload-dar': { method: 'POST', path: '/v2/dars', changes: 'upload' },
  'list-vetted-packages': { method: 'POST', path: '/v2/package-vetting/list' },
  packages: { method: 'GET', path: '/v2/packages' },
})

export type SupportName = keyof typeof supportOperations

export const supportNames = Object.keys(supportOperations) as SupportName[] // all of them are keys of the table

const named: ReadonlyMap<string, Operation> = new Map(Object.entries({ ...operations, ...supportOperations }))

export const operationNamed = (name: string): Operation | undefined => named.get(name)
