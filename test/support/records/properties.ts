/**
 * fast-check with one seed for every process: a property that holds today holds tomorrow, and a failure repeats itself.
 * `PROPERTY_SEED=2 node dist/test/lib/json.test.js` draws other values.
 */
import fc from 'fast-check'

export const seed = Number(process.env['PROPERTY_SEED'] ?? 20_261_121)

fc.configureGlobal({ seed })

export { default } from 'fast-check'
