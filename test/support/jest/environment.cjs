const { TestEnvironment } = require('jest-environment-node');

/** What jest-circus keeps on the global object for one test file, see its build of `types`. */
const OF_ONE_FILE =
  /^(JEST_STATE_SYMBOL|EVENT_HANDLERS|TEST_TIMEOUT_SYMBOL|RETRY_TIMES|RETRY_IMMEDIATELY|WAIT_BEFORE_RETRY|LOG_ERRORS_BEFORE_RETRY)$/;

class SharedEnvironment extends TestEnvironment {
  exit = this.global.process.exit;

  async teardown() {
    this.fakeTimers.dispose();
    this.fakeTimersModern.dispose();
    // Jest wraps it for each file.
    this.global.process.exit = this.exit;
    for (const key of Object.getOwnPropertySymbols(this.global)) {
      if (OF_ONE_FILE.test(key.description)) delete this.global[key];
    }
  }
}

let shared;

/**
 * Node's environment, one for all test files of a worker: the product's modules belong to one global object, and
 * `runtime.cjs` hands them from file to file. Jest calls this with `new` for each file.
 */
module.exports = function environmentOfWorker(config, context) {
  shared ??= new SharedEnvironment(config, context);
  return shared;
};
