/** The bundle of `index.ts`. */
export * from './index.js'
