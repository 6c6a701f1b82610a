const shared = {
  roots: ['<rootDir>/backend', '<rootDir>/frontend', '<rootDir>/infra', '<rootDir>/test'],
  testEnvironment: 'node',
  transform: { '\\.tsx?$': '@swc/jest' },
  extensionsToTreatAsEsm: ['.ts', '.tsx'],
  moduleFileExtensions: ['js', 'mjs', 'cjs', 'ts', 'tsx', 'json', 'node'],
  moduleNameMapper: { '^(\\.{1,2}/.*)\\.js$': '$1' },
};

const withDatabase = {
  ...shared,
  globalSetup: '<rootDir>/test/support/global-setup.mjs',
  globalTeardown: '<rootDir>/test/support/global-teardown.mjs',
};

export default {
  projects: [
    { ...shared, displayName: 'unit', testMatch: ['<rootDir>/{backend,frontend,infra}/**/*.spec.{ts,tsx}'] },
    { ...withDatabase, displayName: 'integration', testMatch: ['<rootDir>/test/**/*.int.spec.ts'] },
    // Whole processes, killed and frozen, and a real browser.
    { ...withDatabase, displayName: 'system', testMatch: ['<rootDir>/test/**/*.{e2e,fault}.spec.ts'] },
    // Measures: its suites run one after the other (see infra/start/tests.mjs).
    { ...withDatabase, displayName: 'alone', testMatch: ['<rootDir>/test/**/*.alone.spec.ts'] },
    // Only `npm run test:containers` runs these.
    { ...shared, displayName: 'containers', testMatch: ['<rootDir>/test/**/*.container.spec.ts'] },
  ],
  testTimeout: 60_000,
};
