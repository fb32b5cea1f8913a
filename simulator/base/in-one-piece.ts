/** Flattens an ASCII string: V8 keeps a concatenated string as a tree of its parts. */
export const inOnePiece = (text: string): string => Buffer.from(text, 'latin1').toString('latin1')
