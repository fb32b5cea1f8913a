/** Two texts, one of each side, with ids in them. */
import type { Correspondence } from './correspondence.js'

/** Ids that a participant makes up: digests, contracts, UUIDs, points in time; hashes in base64, as of keys. */
const ids =
  /1220[0-9a-f]{64}|0[01][0-9a-f]{64,}|[0-9a-f]{8}-(?:[0-9a-f]{4}-){3}[0-9a-f]{12}|\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d(?:\.\d+)?Z|\b[0-9a-f]{64}\b|[A-Za-z0-9+/]{43}=/g

const packageId = /^[0-9a-f]{64}$/
const time = /^\d{4}-\d\d-\d\dT/

/** Whether the texts are the same once ids are exchanged. `hashes`: hashes are ids as well, and do not name packages. */
export function compareTexts(model: string, target: string, table: Correspondence, hashes = false): boolean {
  const ours = model.match(ids)
  // Ids of one kind have similar lengths. A target can send megabytes, in which the search takes long.
  if (!ours || target.length > 4 * model.length + 1000) return model === target
  const theirs = target.match(ids)
  if (!theirs) return model === target
  if (ours.length !== theirs.length || model.replace(ids, '\0') !== target.replace(ids, '\0')) return false
  return ours.every((id, index) => alike(id, theirs[index] ?? '', table, hashes))
}

function alike(model: string, target: string, table: Correspondence, hashes: boolean): boolean {
  // What packages are called follows from what is in them.
  if (packageId.test(model) || packageId.test(target)) return model === target || (hashes && table.bind(model, target))
  if (time.test(model) && time.test(target)) return alikeTimes(model, target, table)
  return lengthClass(model) === lengthClass(target) && table.bind(model, target)
}

/** Points in time that somebody sent are the same on both sides; those that participants read off their clocks are of now. */
function alikeTimes(model: string, target: string, table: Correspondence): boolean {
  const [ours, theirs] = [spelt(model), spelt(target)]
  if (ours === theirs && !isOfNow(ours)) return true
  return isOfNow(ours) && isOfNow(theirs) && table.bind(ours, theirs)
}

/** Zeros at the end of a fraction say nothing. */
const spelt = (text: string): string =>
  text.replace(/(\.\d*?)0*Z$/, (_, fraction: string) => `${fraction}Z`.replace('.Z', 'Z'))

/** Participants work only while their clocks agree, to minutes; so does whoever looks at them. */
const hour = 3_600_000

const isOfNow = (text: string): boolean => Math.abs(Date.parse(text) - Date.now()) < hour

/** Contracts of one version have ids of one length, whatever suffix a ledger gives them. */
const lengthClass = (id: string): string => {
  if (/^1220[0-9a-f]{64}$/.test(id)) return 'digest'
  if (/^0[01][0-9a-f]{64,}$/.test(id)) return id.slice(0, 2)
  return id.includes('-') ? 'uuid' : 'base64'
}
