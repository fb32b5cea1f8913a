/** Types of the bundle that tools/build/build-program.mjs writes. */
export * from './program.js'
