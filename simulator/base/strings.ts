/** Sorted and without repetition; fast if `texts` already is. */
export function sortedSet(texts: string[]): string[] {
  for (let index = 1; index < texts.length; index += 1) {
    const [before, text] = [texts[index - 1] ?? '', texts[index] ?? '']
    if (before >= text) return [...new Set(texts)].sort()
  }
  return texts
}

/** As messages of the reference 3.5.10: `name::1220abababab...`. */
export const shortened = (text: string): string => text.replace(/(::[0-9a-f]{12})[0-9a-f]+/g, '$1...')

/** A package id as in messages of the reference 3.5.10. */
export const shortId = (id: string): string => (id.length > 12 ? `${id.slice(0, 12)}...` : id)

/** Flattens an ASCII string: V8 keeps a concatenated string as a tree of its parts. */
export const inOnePiece = (text: string): string => Buffer.from(text, 'latin1').toString('latin1')
