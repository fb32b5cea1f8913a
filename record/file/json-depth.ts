/** Whether JSON nests deeper. It does not parse, because parsed brackets need fifty times the memory of their text. */
export function isDeeper(json: string, depth: number): boolean {
  let level = 0
  for (let index = 0; index < json.length; index += 1) {
    switch (json.charCodeAt(index)) {
      case quote:
        index = endOfString(json, index)
        break
      case bracket:
      case brace:
        level += 1
        if (level > depth) return true
        break
      case endOfBracket:
      case endOfBrace:
        level -= 1
    }
  }
  return false
}

const [quote, backslash] = [0x22, 0x5c]
const [bracket, endOfBracket] = [0x5b, 0x5d]
const [brace, endOfBrace] = [0x7b, 0x7d]

/** The index of the closing quote. */
function endOfString(json: string, start: number): number {
  for (let end = json.indexOf('"', start + 1); end >= 0; end = json.indexOf('"', end + 1)) {
    let first = end
    while (json.charCodeAt(first - 1) === backslash) first -= 1
    if ((end - first) % 2 === 0) return end
  }
  return json.length
}
