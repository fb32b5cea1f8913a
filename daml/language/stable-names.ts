import type { DamlIdentifier } from '../../interface/daml-value.js'

/** The same package id for all compilers. */
export const tuple2: DamlIdentifier = {
  packageId: '5aee9b21b8e9a4c4975b5f4c4198e6e6e8469df49e2010820e792f393db870f4',
  module: 'DA.Types',
  entity: 'Tuple2',
}
