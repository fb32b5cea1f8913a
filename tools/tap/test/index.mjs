/**
 * The class of tests that @tapjs/core instantiates. The published @tapjs/test generates it, with two compilers as dependencies
 * (docs/decisions/0144). @tapjs/core imports this module, so import `tap` first.
 */
import { plugin as after } from '@tapjs/after'
import { plugin as asserts } from '@tapjs/asserts'
import { plugin as before } from '@tapjs/before'
import { parseTestArgs, TestBase } from '@tapjs/core'
import { plugin as fixture } from '@tapjs/fixture'
import { plugin as intercept } from '@tapjs/intercept'

/** @type {((test: TestBase, options: any) => object)[]} each plugin has its own options */
const plugins = [after, asserts, before, fixture, intercept]

export class Test extends TestBase {
  /** @param {import('@tapjs/core').TestBaseOpts} options */
  constructor(options) {
    super(options)
    // It finds the test of an uncaught error by hooks in every promise, with 15 % of the processor time. `tap` does without.
    this.hookDomain.destroy()
    /** Plugins reach the members of other plugins through it. */
    this.t = this
    for (const plugin of plugins) addMembers(this, plugin(this, options))
  }

  /** @param {(typeof plugins)[number]} plugin */
  pluginLoaded(plugin) {
    return plugins.includes(plugin)
  }

  /** @param {...any} given name, options and function, each of them optional */
  test(...given) {
    return this.sub(Test, parseTestArgs(...given), this.test)
  }
}

/** Adds the members of a plugin to a test. They keep the plugin as `this`, because they use its private fields. */
function addMembers(/** @type {Test} */ test, /** @type {any} */ part) {
  for (const name of memberNames(part)) {
    // A bound function adds no frame to the place of a failed assertion.
    const isMethod = typeof part[name] === 'function'
    const member = isMethod ? { value: part[name].bind(part), writable: true } : accessorOf(part, name)
    Object.defineProperty(test, name, { configurable: true, ...member })
  }
}

const accessorOf = (/** @type {any} */ part, /** @type {string} */ name) => ({
  get: () => part[name],
  set: (/** @type {unknown} */ value) => {
    part[name] = value
  },
})

/** @returns {Set<string>} names of own and inherited members */
function memberNames(/** @type {object} */ part) {
  const names = Object.getOwnPropertyNames(part)
  for (let type = Object.getPrototypeOf(part); type !== Object.prototype; type = Object.getPrototypeOf(type))
    names.push(...Object.getOwnPropertyNames(type))
  return new Set(names.filter((name) => name !== 'constructor'))
}
