/** As messages of the reference 3.5.10: `name::1220abababab...`. */
export const shortened = (text: string): string => text.replace(/(::[0-9a-f]{12})[0-9a-f]+/g, '$1...')
