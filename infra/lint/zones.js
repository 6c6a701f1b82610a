/** A file has every category whose pattern it matches: where it lives, and what its suffix says. */
const files = [
  { category: 'root', pattern: 'backend/*' },
  { category: 'platform', pattern: 'backend/platform/**/*' },
  { category: 'module', pattern: 'backend/modules/*/**/*', capture: ['module'] },
  { category: 'api', pattern: 'backend/**/*.api.ts' },
  { category: 'messages', pattern: 'backend/modules/*/*.{commands,queries}.ts' },
  { category: 'decider', pattern: 'backend/modules/*/+([^.]).ts' },
  { category: 'spec', pattern: 'backend/**/*.spec.ts' },

  { category: 'lib', pattern: 'frontend/src/lib/**/*' },
  { category: 'presentation', pattern: 'frontend/src/lib/{dates,form,masks,money,problem}.ts' },
  { category: 'ui', pattern: 'frontend/src/ui/**/*' },
  { category: 'feature', pattern: 'frontend/src/features/*/**/*', capture: ['feature'] },
  { category: 'app', pattern: 'frontend/src/app/**/*' },

  { category: 'tooling', pattern: '{*.{js,mjs,ts},frontend/*.ts,frontend/worker/*.ts,{infra,test}/**/*}' },
];

const every = (...categories) => ({ file: { categories: { allOf: categories } } });
const library = (...sources) => ({ module: { origin: ['external', 'core'], source: sources } });
const sameModule = { file: { categories: 'module', captured: { module: '{{from.file.captured.module}}' } } };
const sameFeature = {
  file: { categories: 'feature', captured: { feature: '{{from.file.captured.feature}}' } },
};

/** What `from` may import, and nothing else of ours. Later policies win over earlier ones. */
const may = (from, message, ...to) => [
  { from, message, disallow: { to: { module: { origin: 'local' } } } },
  { from, allow: { to } },
];

/** Which libraries (or modules of Node) `from` may import, and no other. */
const mayUse = (from, message, ...sources) => [
  { from, message, disallow: { to: library('**') } },
  { from, allow: { to: library(...sources) } },
];

const backend = [
  { allow: { to: library('**') } },
  ...may(every('platform'), 'The platform knows no module.', every('platform')),
  ...may(
    every('module'),
    'A module reaches another one only through its messages (*.commands.ts, *.queries.ts), its events (the file without suffix) and its *.api.ts.',
    every('platform'),
    sameModule,
    ...['messages', 'decider', 'api'].map((category) => every('module', category)),
  ),
  ...may(
    every('root'),
    'main.ts and app.module.ts import the platform and the table of contents of each module.',
    every('root'),
    every('platform'),
    { file: { path: 'backend/modules/*/*.module.ts' } },
  ),
  ...may(
    every('module', 'decider'),
    "A decider is pure: it imports its own module's files without suffix and *.api.ts, the shape of an aggregate, the problem class, the words for amounts and times, and types.",
    { file: { categories: 'decider', captured: { module: '{{from.file.captured.module}}' } } },
    { file: { categories: 'api', captured: { module: '{{from.file.captured.module}}' } } },
    { file: { path: 'backend/platform/event-store/aggregate.ts' } },
    { file: { path: 'backend/platform/http/problem.ts' } },
    { file: { path: 'backend/platform/portuguese.ts' } },
  ),
  ...mayUse(
    every('module', 'decider'),
    'A decider is pure: of libraries it calls only date-fns.',
    'date-fns',
    '@date-fns/tz',
  ),
  {
    from: every('module', 'decider'),
    dependency: { kind: 'type' },
    allow: { to: [every('platform'), every('decider'), every('api'), library('**')] },
  },
  ...may(
    every('api'),
    '*.api.ts is shared with the browser: it imports zod and other *.api.ts.',
    every('api'),
  ),
  ...mayUse(every('api'), '*.api.ts is shared with the browser: it imports zod and other *.api.ts.', 'zod'),
  { from: every('spec'), allow: { to: every('tooling') } },
];

const frontend = [
  { allow: { to: library('**') } },
  ...may(every('lib'), 'lib stands below ui, features and app.', every('lib'), every('api')),
  ...may(
    every('ui'),
    'ui knows no HTTP and no business word: of lib it imports dates, form, masks, money and problem.',
    every('ui'),
    every('presentation'),
  ),
  {
    from: every('ui'),
    message: 'ui knows no HTTP.',
    disallow: { to: library('@supabase/auth-js', '@tanstack/react-query', 'socket.io-client') },
  },
  ...may(
    every('feature'),
    'A feature imports lib, ui and *.api.ts, and never another feature.',
    sameFeature,
    every('lib'),
    every('ui'),
    every('api'),
  ),
  ...may(
    every('app'),
    'The frontend imports of the backend only *.api.ts.',
    ...['app', 'feature', 'ui', 'lib', 'api'].map((category) => every(category)),
  ),
];

const dependencies = (policies) => ({
  'boundaries/dependencies': [
    'error',
    {
      default: 'disallow',
      checkAllOrigins: true,
      checkUnknownLocals: true,
      checkInternals: true,
      policies,
    },
  ],
});

/** What the rules about imports know of the tree. */
export const zoneSettings = {
  'boundaries/files': files,
  'boundaries/dependency-nodes': ['import', 'export', 'dynamic-import'],
  'boundaries/legacy-templates': false,
  'import/resolver': { typescript: {} },
};

/** The import zones of the house, and who may touch the clock, chance, the environment and the network. */
export const zones = [
  { files: ['**/*.{js,mjs,ts,tsx}'], rules: { 'boundaries/no-unknown-files': 'error' } },
  { files: ['backend/**/*.ts'], rules: dependencies(backend) },
  { files: ['frontend/src/**/*.{ts,tsx}'], rules: dependencies(frontend) },
  {
    files: ['backend/**/*.ts'],
    excludeFiles: ['backend/platform/config/**', 'backend/**/*.spec.ts'],
    rules: {
      'no-restricted-properties': [
        'error',
        {
          object: 'process',
          property: 'env',
          message: 'Only backend/platform/config reads the environment.',
        },
      ],
      'no-restricted-imports': [
        'error',
        {
          paths: ['process', 'node:process'].map((name) => ({
            name,
            importNames: ['env', 'default'],
            message: 'Only backend/platform/config reads the environment.',
          })),
        },
      ],
    },
  },
  {
    files: ['backend/modules/*/*.ts'],
    excludeFiles: ['backend/modules/*/*.*.ts'],
    rules: {
      'rende/no-clock': 'error',
      'no-restricted-globals': [
        'error',
        ...['crypto', 'fetch', 'performance', 'process', 'setImmediate', 'setInterval', 'setTimeout'].map(
          (name) => ({ name, message: 'A decider is pure: no I/O, no clock, no chance.' }),
        ),
      ],
    },
  },
  {
    files: ['frontend/src/{app,features,ui}/**/*.{ts,tsx}'],
    rules: {
      'no-restricted-globals': [
        'error',
        ...['fetch', 'XMLHttpRequest', 'WebSocket', 'EventSource'].map((name) => ({
          name,
          message: 'Only frontend/src/lib speaks to the server.',
        })),
      ],
    },
  },
];
