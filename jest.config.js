import { bundled } from './frontend/spec/packages.mjs';

const extensions = ['js', 'ts', 'tsx', 'mjs', 'cjs', 'json', 'node'];

const tsx = {
  swcrc: false,
  jsc: {
    target: 'es2023',
    parser: { syntax: 'typescript', tsx: true },
    transform: { react: { runtime: 'automatic' } },
  },
  module: { type: 'es6' },
  sourceMaps: true,
};

/**
 * A kind of suite: its name and where its files lie. Tests under `test/` use the backend as it is built, those beside
 * their sources use the sources.
 */
function project(name, testMatch, { globalSetup, isNative = true } = {}) {
  return {
    displayName: name,
    testMatch: testMatch.map((pattern) => `<rootDir>/${pattern}`),
    roots: ['<rootDir>/backend', '<rootDir>/frontend', '<rootDir>/infra', '<rootDir>/test'],
    testEnvironment: 'node',
    // An application that files share would meet what Jest has deleted of the file that started it.
    testEnvironmentOptions: { globalsCleanup: 'off' },
    ...(isNative && { runtime: '<rootDir>/test/support/node-runtime.cjs' }),
    extensionsToTreatAsEsm: ['.ts', '.tsx'],
    moduleFileExtensions: extensions,
    transform: { '\\.tsx?$': '@swc/jest' },
    moduleNameMapper: {
      // Sources are imported by the names that they are compiled to.
      '^(\\.{1,2}/.+)\\.js$': ['$1.js', '$1.ts', '$1.tsx'],
    },
    setupFilesAfterEnv: ['<rootDir>/test/support/set-up.ts'],
    ...(globalSetup && {
      globalSetup: `<rootDir>/test/support/${globalSetup}`,
      globalTeardown: '<rootDir>/test/support/global-teardown.mjs',
    }),
  };
}

export default {
  projects: [
    project('unit', ['{backend,frontend,infra}/**/*.spec.ts']),
    project('integration', ['test/**/*.int.spec.ts'], { globalSetup: 'with-database.mjs' }),
    // Components of the screens, and the script of visitors' pages, in a simulated page: what they do, not how they look.
    {
      ...project('components', ['frontend/{src,booking}/**/*.spec.tsx'], { isNative: false }),
      globalSetup: '<rootDir>/frontend/spec/packages.mjs',
      testEnvironment: '<rootDir>/frontend/spec/simulated-page.mjs',
      transform: { '\\.tsx$': ['@swc/jest', tsx], '\\.ts$': '@swc/jest' },
      moduleNameMapper: {
        ...bundled,
        '\\.css$': '<rootDir>/frontend/spec/no-styles.js',
        '^react/jsx-runtime$': '<rootDir>/node_modules/react/cjs/react-jsx-runtime.production.js',
        '^qrcode$': '<rootDir>/frontend/spec/no-qr-code.js',
        '^(\\.{1,2}/.+)\\.js$': ['$1.js', '$1.ts', '$1.tsx'],
      },
      setupFilesAfterEnv: ['<rootDir>/test/support/set-up.ts', '<rootDir>/frontend/spec/page.ts'],
    },
    // Whole processes, killed and frozen, and a real browser.
    project('system', ['test/**/*.{e2e,fault}.spec.ts'], { globalSetup: 'with-pages.mjs' }),
    // Run one after the other, when nothing else runs (see infra/start/test.mjs).
    project('alone', ['test/**/*.alone.spec.ts'], { globalSetup: 'with-database.mjs' }),
    // Only `npm run bench:pages` runs these.
    project('speed', ['test/**/*.speed.spec.ts'], { globalSetup: 'with-pages.mjs' }),
    // Only `npm run test:containers` runs these.
    project('containers', ['test/**/*.container.spec.ts']),
  ],
  testSequencer: '<rootDir>/test/support/long-files-first.mjs',
  // Tests that start and kill processes take minutes on a busy machine.
  testTimeout: 600_000,
  watchman: false,
  // A worker that has grown beyond this is replaced before its next file.
  workerIdleMemoryLimit: '1GB',
};
