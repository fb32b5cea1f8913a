/** The library for `require`. Its functions load the program, which is an ES module. */
'use strict'

const load = () => import('./library.js')

/** The class of the program is another one, so the name decides. */
class ConformanceError extends Error {
  static [Symbol.hasInstance](value) {
    return Object(value).name === 'ConformanceError'
  }

  constructor(code, message, cause) {
    super(message, cause === undefined ? undefined : { cause })
    this.name = 'ConformanceError'
    this.code = code
  }
}

module.exports = {
  ConformanceError,
  runSuite: async (options) => (await load()).runSuite(options),
  startSimulator: async (options) => (await load()).startSimulator(options),
}
