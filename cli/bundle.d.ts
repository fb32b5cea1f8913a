/** Types of the bundle that scripts/build-program.mjs writes. */
export * from './program.js'
