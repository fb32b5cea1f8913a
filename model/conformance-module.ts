import { moduleOf } from './build.js'

export const conformanceModelId = 'bbddb1ced2de9046fbeaeafff9d251fae822ab3b58d9931f93f71c4b9c950b3b'

/** The one module of conformance-model. */
export const conformance = moduleOf(conformanceModelId, 'Conformance')
