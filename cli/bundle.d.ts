/** The commands and all that they need, as `scripts/build-program.mjs` bundles them from this module. */
export * from './program.js'
