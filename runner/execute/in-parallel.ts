/**
 * Works through a list in order, with at most `limit` items in flight (at least one). After an error, and once it `isOver`,
 * nothing new is begun; once everything in flight has ended, the first error is thrown.
 */
export async function inParallel<T>(
  items: readonly T[],
  limit: number,
  work: (item: T, index: number) => Promise<void>,
  isOver: () => boolean = () => false,
): Promise<void> {
  const waiting = items.entries()
  const errors: unknown[] = []
  const worker = async (): Promise<void> => {
    for (const [index, item] of waiting) {
      if (isOver()) return
      try {
        await work(item, index)
      } catch (error) {
        errors.push(error)
      }
      if (errors.length > 0) return
    }
  }
  await Promise.all(Array.from({ length: Math.max(1, Math.min(limit, items.length)) }, worker))
  if (errors.length > 0) throw errors[0]
}
