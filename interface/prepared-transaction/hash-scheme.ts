export type HashingScheme = 'V2' | 'V3'

export const schemeNamed = (name: unknown): HashingScheme | undefined =>
  (['V2', 'V3'] as const).find((scheme) => scheme === name)

export interface SchemeRules {
  name: HashingScheme
  /** Part of the final hash. */
  number: number
  /** Precedes each node and the metadata. */
  encodingVersion: Buffer
  lfVersions: readonly string[]
  /** For nodes that this scheme does not cover. */
  newer: string
  coversKeys: boolean
  coversMaxRecordTime: boolean
}

export const hashingSchemes: Readonly<Record<HashingScheme, SchemeRules>> = {
  V2: {
    name: 'V2',
    number: 2,
    encodingVersion: Buffer.from([1]),
    lfVersions: ['2.1'],
    newer: 'V3',
    coversKeys: false,
    coversMaxRecordTime: false,
  },
  V3: {
    name: 'V3',
    number: 3,
    encodingVersion: Buffer.alloc(0),
    lfVersions: ['2.1', '2'],
    newer: 'V4',
    coversKeys: true,
    coversMaxRecordTime: true,
  },
}
