/** Deeper levels are not indented further, or a few thousand brackets would become megabytes of blanks. */
const deepest = 20

/** Longer texts are left alone: reports show no more than their beginning. */
const longest = 200_000

const token = /"(?:[^"\\]|\\.)*"|[[\]{},:]|[^\s[\]{},:"]+/gs

function isJson(text: string): boolean {
  try {
    JSON.parse(text)
    return true
  } catch {
    return false
  }
}

/**
 * JSON text laid out over lines, each token as it was sent: long integers, repeated members and their order stay what
 * they are, which parsing and printing would not keep. Other text, and text of
 * more than 200,000 characters, comes back unchanged.
 */
export function prettyJson(text: string): string {
  if (text.length > longest || !isJson(text)) return text
  const pieces: string[] = []
  let depth = 0
  let previous = ''
  const newLine = () => `\n${'  '.repeat(Math.min(depth, deepest))}`
  for (const [piece] of text.matchAll(token)) {
    const opened = previous === '{' || previous === '['
    if (piece === '}' || piece === ']') {
      depth -= 1
      if (!opened) pieces.push(newLine())
    } else if (opened || previous === ',') {
      pieces.push(newLine())
    }
    if (piece === '{' || piece === '[') depth += 1
    pieces.push(piece === ':' ? ': ' : piece)
    previous = piece
  }
  return pieces.join('')
}
