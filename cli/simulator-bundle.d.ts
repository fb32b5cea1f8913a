/** Types of the bundle that tools/build/build-program.mjs writes. */
export * from './target/serve-simulator.js'
