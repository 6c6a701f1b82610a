const { register } = require('node:module');
const { fileURLToPath, pathToFileURL } = require('node:url');
const { transformFileSync } = require('@swc/core');
const { default: Runtime } = require('jest-runtime');

register('./node-hooks.mjs', pathToFileURL(__filename));

/** Values of these classes pass between tests and Jest, which checks their classes. */
const shared = [
  'Array',
  'BigInt',
  'Boolean',
  'Date',
  'Function',
  'Number',
  'Object',
  'String',
  'Symbol',
  'Uint8Array',
  'AggregateError',
  'Error',
  'RangeError',
  'SyntaxError',
  'TypeError',
];

/**
 * Source maps, by the addresses of modules. Each is made when Jest first prints a stack with it, because most runs print none, and
 * kept, because Jest asks for those of all lines of each stack, and Playwright makes a stack at each of its calls.
 */
class SourceMaps extends Map {
  get(address) {
    if (!this.has(address) && /^file:.+\.ts(\?file=|$)/.test(address)) {
      const { map } = transformFileSync(fileURLToPath(address), { sourceMaps: true });
      this.set(address, `data:application/json;base64,${Buffer.from(map).toString('base64')}`);
    }
    return super.get(address);
  }
}

/**
 * What Jest notes the running test in, in place of an AsyncLocalStorage: with one, Node 20 runs hooks for each promise of the
 * process, also for those of the application. It knows one test at a time, because tests of a file run one after the other.
 */
class OneAtATime {
  #store;

  getStore() {
    return this.#store;
  }

  async run(store, work) {
    const before = this.#store;
    this.#store = store;
    try {
      return await work();
    } finally {
      this.#store = before;
    }
  }
}

const CHILD_MESSAGE_END = 2;

// Ends with what the worker's files shared: an application and a browser, which would keep it alive.
process.on('message', ([kind]) => {
  if (kind === CHILD_MESSAGE_END) process.exit();
});

let files = 0;

/**
 * Has Node itself load test files and what they import. Jest would load the thousand modules of the backend again for each test
 * file, which costs more than most files' tests; Node loads them once per worker. The modules under `test/` are new for each file.
 */
module.exports = class NodeRuntime extends Runtime {
  #query;
  #sourceMaps = new SourceMaps();

  constructor(config, environment, ...rest) {
    super(config, environment, ...rest);
    files += 1;
    const from = config.displayName.name === 'unit' ? 'sources' : 'built';
    this.#query = `file=${files}&${from}`;
    for (const name of shared) environment.global[name] = globalThis[name];
    const { coreModule } = this;
    const load = coreModule.require.bind(coreModule);
    coreModule.require = (name) =>
      name === 'node:async_hooks' ? { ...load(name), AsyncLocalStorage: OneAtATime } : load(name);
  }

  getSourceMaps() {
    return this.#sourceMaps;
  }

  unstable_importModule(file) {
    globalThis.jestGlobals = this.requireModuleOrMock(file, '@jest/globals');
    return import(`${pathToFileURL(file).href}?${this.#query}`);
  }
};
