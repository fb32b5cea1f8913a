/** A text with the fingerprints of its ids cut, as messages of the reference participant 3.5.10 show them: `name::1220abababab...`. */
export const shortened = (text: string): string => text.replace(/(::[0-9a-f]{12})[0-9a-f]+/g, '$1...')
