/** Members of a shared line, each in the order in which the reader needs it: a value refers to earlier kinds only. */
export const sharedKinds = [
  'texts',
  'alternatives',
  'expectations',
  'requests',
  'steps',
  'otherwise',
  'headers',
  'bodies',
  'judgements',
] as const

export type SharedKind = (typeof sharedKinds)[number]

/** Values by id, written before the first line that refers to them. */
export interface SharedLine extends Partial<Record<SharedKind, Record<string, unknown>>> {
  type: 'shared'
}
