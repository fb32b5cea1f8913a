/** Sorted and without repetition; fast if `texts` already is. */
export function sortedSet(texts: string[]): string[] {
  for (let index = 1; index < texts.length; index += 1) {
    const [before, text] = [texts[index - 1] ?? '', texts[index] ?? '']
    if (before >= text) return [...new Set(texts)].sort()
  }
  return texts
}
