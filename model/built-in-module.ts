import { moduleOf } from './build.js'

export const builtInPackageId = 'de2cc2f90eb523414ff54e899951dadd8789a4c07e0f71f6d6c9eaf57d412a54'

/** A module of the built-in package, which takes the argument of `Archive` from the standard library. */
export const builtInModule = (module: string) =>
  moduleOf(builtInPackageId, module, {
    packageId: '9e70a8b3510d617f8a136213f33d6a903a10ca0eeec76bb06ba55d1ed9680f69',
    module: 'DA.Internal.Template',
    entity: 'Archive',
  })
