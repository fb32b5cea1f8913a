/** The texts in order and without repetition. Most are that already, or few. */
export function sortedSet(texts: string[]): string[] {
  for (let index = 1; index < texts.length; index += 1) {
    const [before, text] = [texts[index - 1] ?? '', texts[index] ?? '']
    if (before >= text) return [...new Set(texts)].sort()
  }
  return texts
}
