/**
 * Members of a shared line, each in the order in which the reader needs it: a value refers to earlier kinds only. A
 * value with the member `like` has the members of that shared value, too.
 */
export const sharedKinds = [
  'texts',
  'sources',
  'alternatives',
  'demands',
  'expectations',
  'lists',
  'templates',
  'requests',
  'actions',
  'steps',
  'otherwise',
  'cases',
  'fields',
  'headers',
  'calls',
  'findings',
  'judgements',
] as const

export type SharedKind = (typeof sharedKinds)[number]
export type ValueKind = Exclude<SharedKind, 'texts'>

/** Values by id, written before the first line that refers to them. */
export interface SharedLine extends Partial<Record<SharedKind, Record<string, unknown>>> {
  type: 'shared'
}
