/** The same ASCII text in one piece of memory: one that was put together goes on as the tree of its pieces. */
export const inOnePiece = (text: string): string => Buffer.from(text, 'latin1').toString('latin1')
