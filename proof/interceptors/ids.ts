/** A party of another participant. */
export const otherParty = `stranger::1220${'ab'.repeat(32)}`

let count = 0
export const freshId = (word: string): string => {
  count += 1
  return `${word}-${process.pid}-${count}`
}
