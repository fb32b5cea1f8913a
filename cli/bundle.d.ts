/** Types of the bundle that tools/build/build-program.mjs writes. */
export * from './main.js'
