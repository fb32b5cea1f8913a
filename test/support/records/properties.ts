/**
 * fast-check with a fixed seed, so that failures repeat. `PROPERTY_SEED=2 node dist/test/lib/json.test.js` generates other
 * values.
 */
import fc from 'fast-check'

export const seed = Number(process.env['PROPERTY_SEED'] ?? 20_261_121)

fc.configureGlobal({ seed })

export { default } from 'fast-check'
