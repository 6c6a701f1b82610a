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
  // 'alone' measures, kills or drives a browser: its suites run one after the other (see infra/start/test.mjs).
  projects: [
    { ...shared, displayName: 'unit', testMatch: ['<rootDir>/{backend,frontend,infra}/**/*.spec.{ts,tsx}'] },
    { ...withDatabase, displayName: 'integration', testMatch: ['<rootDir>/test/**/*.int.spec.ts'] },
    { ...withDatabase, displayName: 'alone', testMatch: ['<rootDir>/test/**/*.{e2e,fault}.spec.ts'] },
    // Only `npm run test:containers` runs these.
    { ...shared, displayName: 'containers', testMatch: ['<rootDir>/test/**/*.container.spec.ts'] },
  ],
  testTimeout: 60_000,
};
