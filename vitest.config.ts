import path from 'node:path';
import { defineConfig, type TestProjectInlineConfiguration } from 'vitest/config';
import { BaseSequencer, type TestSpecification } from 'vitest/node';

const ROOT = import.meta.dirname;
/** Below the ports that the system hands out by itself: a connection of somebody else never takes one of ours. */
const FIRST_PORT = 20_000;
const PORTS = 2_400;
let ports = FIRST_PORT - PORTS;

/** A kind of suite: its name, where its files lie, and ports of its own, as two kinds may run at once. */
function project(name: string, include: string, withDatabase = true): TestProjectInlineConfiguration {
  return {
    extends: true,
    test: {
      name,
      include: [include],
      env: { RENDE_TEST_PORTS: String((ports += PORTS)) },
      globalSetup: withDatabase ? ['test/support/global-setup.mjs'] : [],
    },
  };
}

/** Kinds with long files begin: at the end, workers share short ones, and none waits for another's long one. */
class LongFilesFirst extends BaseSequencer {
  override async sort(files: TestSpecification[]): Promise<TestSpecification[]> {
    const length = ({ project }: TestSpecification) =>
      ['unit', 'integration', 'system'].indexOf(project.name);
    return (await super.sort(files)).toSorted((a, b) => length(b) - length(a));
  }
}

/** Tests use the modules as they are built: reading them from their sources costs every worker seconds. */
const asBuilt = {
  name: 'as-built',
  enforce: 'pre' as const,
  resolveId(source: string, importer = '') {
    const file = path.resolve(path.dirname(importer), source);
    const isOurs = importer.startsWith(`${ROOT}/test/`) && file.startsWith(`${ROOT}/backend/`);
    return isOurs ? file.replace(`${ROOT}/backend/`, `${ROOT}/dist/backend/`) : null;
  },
};

export default defineConfig({
  plugins: [asBuilt],
  test: {
    server: { deps: { external: [/\/dist\/backend\//] } },
    sequence: { sequencer: LongFilesFirst },
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
