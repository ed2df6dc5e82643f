// The modules of the product are loaded once in a worker, see test/support/jest/runtime.cjs.
const shared = {
  testEnvironment: '<rootDir>/test/support/jest/environment.cjs',
  runtime: '<rootDir>/test/support/jest/runtime.cjs',
};

export default {
  ...(process.env.ISOLATED === '1' ? { testEnvironment: 'node' } : shared),
  roots: ['<rootDir>/test'],
  testMatch: ['**/*.test.ts'],
  extensionsToTreatAsEsm: ['.ts'],
  moduleNameMapper: { '^(\\.{1,2}/.*)\\.js$': '$1' },
  transform: {
    '^.+\\.ts$': [
      '@swc/jest',
      // Beside the code and not in it: every test file compiles hundreds of modules again.
      { sourceMaps: true, jsc: { target: 'es2022', parser: { syntax: 'typescript' } }, module: { type: 'es6' } },
    ],
  },
  testTimeout: 60_000,
  // Two more than the cores that the tests are planned for: some of them wait.
  maxWorkers: 4,
  // Modules of finished suites stay in memory: a worker that holds many of them spends its time collecting.
  workerIdleMemoryLimit: '800MB',
};
