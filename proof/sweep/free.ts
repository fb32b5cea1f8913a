/** Values that neither the text nor a fact defines, with the sentence that leaves them open. */

interface Free {
  operation?: RegExp
  kind?: RegExp
  path: RegExp
  change?: RegExp
  because: string
}

interface Place {
  operation: string
  kind: string
  path: string
  change: string
}

const free: readonly Free[] = []

export const reasonOf = ({ operation, kind, path, change }: Place): string | undefined =>
  free.find(
    (one) =>
      (one.operation?.test(operation) ?? true) &&
      (one.kind?.test(kind) ?? true) &&
      one.path.test(path) &&
      (one.change?.test(change) ?? true),
  )?.because
