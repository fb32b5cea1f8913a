/** What a run makes its requests of must be of a size with which it can go on: an id of megabytes would be in every request. */
import { isJsonObject, type JsonValue } from '../../interface/json.js'
import { TargetError } from '../target/target.js'

/** Characters of the longest text: twice the longest value that rows make contracts with, and so find in what the ledger tells. */
const longestText = 2 * 1024 * 1024

/** Throws `TargetError` where the answer has a longer text. */
export function expectUsable(called: string, answer: JsonValue, length: number): void {
  if (length <= longestText) return
  const open: JsonValue[] = [answer]
  for (let value = open.pop(); value !== undefined; value = open.pop()) {
    if (Array.isArray(value)) for (const item of value) open.push(item)
    else if (isJsonObject(value)) for (const [name, member] of Object.entries(value)) open.push(name, member)
    else if (typeof value === 'string' && value.length > longestText)
      throw new TargetError(
        `${called} was answered with a text of ${value.length} characters, and no id or value of that length can be gone on with`,
      )
  }
}
