const { pathToFileURL } = require('node:url');
const { default: Runtime } = require('jest-runtime');

/** Modules of the product and of its dependencies, by the key that jest gives them: a URL or a path. */
const esm = new Map();
const cjs = new Map();

/** The registry of one test file: its own modules, and those that it shares with the other files of the worker. */
class Registry extends Map {
  constructor(shared, isShared) {
    super();
    this.shared = shared;
    this.isShared = isShared;
  }

  get(key) {
    return this.isShared(key) ? this.shared.get(key) : super.get(key);
  }

  has(key) {
    return this.isShared(key) ? this.shared.has(key) : super.has(key);
  }

  set(key, module) {
    if (!this.isShared(key)) return super.set(key, module);
    this.shared.set(key, module);
    return this;
  }

  delete(key) {
    return this.isShared(key) ? this.shared.delete(key) : super.delete(key);
  }
}

/**
 * Loads the modules of `src`, `translators` and `node_modules` once in a worker in place of once in a test file: some
 * 580 modules stand behind a gateway, and reading, compiling and linking them again takes most of the time of a small
 * test file. What lies under `test` is loaded for each file. So a module of the product must not hold state that a
 * test changes and leaves behind; `ISOLATED=1 npm test` gives every file modules of its own.
 */
module.exports = class SharedRuntime extends Runtime {
  constructor(config, ...rest) {
    super(config, ...rest);
    const paths = ['src', 'translators', 'node_modules'].map((folder) => `${config.rootDir}/${folder}/`);
    const urls = paths.map((path) => pathToFileURL(path).href);
    this.registries.esModuleRegistry = new Registry(esm, (key) => urls.some((url) => key.startsWith(url)));
    this.registries.moduleRegistry = new Registry(cjs, (key) => paths.some((path) => key.startsWith(path)));
    // A shared module may import another one later, and does so through the runtime that loaded it.
    this.testState.teardown = () => this.testState.enterTestCode();
  }

  teardown() {
    for (const [key, module] of esm) if (module.status === 'errored') esm.delete(key);
    super.teardown();
  }
};
