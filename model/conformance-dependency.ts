import { moduleOf, numeric, text } from './build.js'
import type { DamlPackage } from './description.js'

const packageId = '3b6eee8a5f4fd2d05437b98e1a7b8d82d27d88815b2bc47fec8e0fd5f09df509'

export const money = moduleOf(packageId, 'ConformanceDependency').record('Money', {
  currency: text,
  amount: numeric(10),
})

/** A type for others, no template. */
export const conformanceDependency: DamlPackage = {
  id: packageId,
  name: 'conformance-dependency',
  version: '1.0.0',
  language: '2.1',
  dependencies: [],
  templates: [],
  interfaces: [],
}
