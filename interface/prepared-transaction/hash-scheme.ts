/** The hashing schemes; whatever they differ in stands here. Values, seeds, trees and times are hashed alike by both. */
export type HashingScheme = 'V2' | 'V3'

export interface SchemeRules {
  name: HashingScheme
  /** Goes into the final hash, so that one scheme's hash is never another's. */
  number: number
  /** What comes before every node and before the metadata. */
  encodingVersion: Buffer
  /** LF versions of the nodes that the scheme covers. */
  lfVersions: readonly string[]
  /** The same in words, with what to do about other nodes. */
  covers: string
  /** Whether contract keys, access by key and queries by key are covered. */
  coversKeys: boolean
  coversMaxRecordTime: boolean
}

export const hashingSchemes: Readonly<Record<HashingScheme, SchemeRules>> = {
  V2: {
    name: 'V2',
    number: 2,
    encodingVersion: Buffer.from([1]),
    lfVersions: ['2.1'],
    covers: 'nodes of LF version 2.1, without contract keys: hash with scheme V3',
    coversKeys: false,
    coversMaxRecordTime: false,
  },
  V3: {
    name: 'V3',
    number: 3,
    encodingVersion: Buffer.alloc(0),
    lfVersions: ['2.1', '2'],
    covers: 'nodes of LF version 2.1 and 2: no scheme known here covers more',
    coversKeys: true,
    coversMaxRecordTime: true,
  },
}
