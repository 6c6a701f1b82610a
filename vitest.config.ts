import { defineConfig, type TestProjectInlineConfiguration } from 'vitest/config';

/** A kind of suite: its name, and where its files lie. */
function project(name: string, include: string, withDatabase = true): TestProjectInlineConfiguration {
  return {
    extends: true,
    test: {
      name,
      include: [include],
      globalSetup: withDatabase ? ['test/support/global-setup.mjs'] : [],
    },
  };
}

export default defineConfig({
  test: {
    projects: [
      project('unit', '{backend,frontend,infra}/**/*.spec.{ts,tsx}', false),
      project('integration', 'test/**/*.int.spec.ts'),
      // Whole processes, killed and frozen, and a real browser.
      project('system', 'test/**/*.{e2e,fault}.spec.ts'),
      // Measures: its suites run one after the other (see infra/start/tests.mjs).
      project('alone', 'test/**/*.alone.spec.ts'),
      // Only `npm run test:containers` runs these.
      project('containers', 'test/**/*.container.spec.ts', false),
    ],
    setupFiles: ['test/support/set-up.ts'],
    pool: 'forks',
    // The files of a worker share what is loaded: reading the application once again for each took longer than its tests.
    isolate: false,
    testTimeout: 120_000,
    hookTimeout: 120_000,
  },
});
