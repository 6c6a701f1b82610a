import { readdirSync, readFileSync } from 'node:fs';
import { zones } from './infra/lint/zones.js';

const error = (...names) => Object.fromEntries(names.map((name) => [name, 'error']));

/** What `correctness` lacks of ESLint's own recommendation. */
const language = {
  ...error('no-case-declarations', 'no-empty', 'no-fallthrough', 'no-prototype-builtins', 'no-redeclare'),
  ...error('no-regex-spaces', 'no-unexpected-multiline', 'no-useless-assignment', 'preserve-caught-error'),
};

/** What it lacks of what typescript-eslint recommends with type information. */
const types = {
  ...error('no-array-constructor', 'no-var', 'prefer-const', 'prefer-rest-params', 'prefer-spread'),
  ...error(
    ...[
      'ban-ts-comment',
      'no-empty-object-type',
      'no-explicit-any',
      'no-misused-promises',
      'no-namespace',
      'no-require-imports',
      'no-unnecessary-type-assertion',
      'no-unnecessary-type-constraint',
      'no-unsafe-argument',
      'no-unsafe-assignment',
      'no-unsafe-call',
      'no-unsafe-enum-comparison',
      'no-unsafe-function-type',
      'no-unsafe-member-access',
      'no-unsafe-return',
      'only-throw-error',
      'prefer-promise-reject-errors',
      'require-await',
      'restrict-plus-operands',
    ].map((rule) => `typescript/${rule}`),
  ),
  'typescript/consistent-type-imports': ['error', { fixStyle: 'inline-type-imports' }],
  'typescript/no-import-type-side-effects': 'error',
  'typescript/switch-exhaustiveness-check': [
    'error',
    { considerDefaultExhaustiveForUnions: true, requireDefaultForNonUnion: false },
  ],
};

/** What eslint-plugin-react-hooks recommends. */
const hooks = error(
  ...[
    'error-boundaries',
    'exhaustive-deps',
    'globals',
    'immutability',
    'incompatible-library',
    'preserve-manual-memoization',
    'purity',
    'refs',
    'rules-of-hooks',
    'set-state-in-effect',
    'set-state-in-render',
    'static-components',
    'unsupported-syntax',
    'use-memo',
    'void-use-memo',
  ].map((rule) => `react/${rule}`),
);

/** In a file with decorators Nest reads at run time what is imported as the type of a parameter. */
const decorated = ['backend', 'test'].flatMap((folder) =>
  readdirSync(folder, { recursive: true })
    .map((file) => `${folder}/${file}`)
    .filter((file) => file.endsWith('.ts') && /^\s*@\w+\(/m.test(readFileSync(file, 'utf8'))),
);

export default {
  ignorePatterns: ['dist/', 'coverage/', '.rende/', '**/*.generated.ts'],
  options: { typeAware: true, typeCheck: true, denyWarnings: true, respectEslintDisableDirectives: false },
  plugins: ['eslint', 'typescript', 'import', 'unicorn'],
  jsPlugins: [{ name: 'rende', specifier: import.meta.resolve('./infra/lint/rules.js') }],
  env: { builtin: true },
  categories: { correctness: 'error' },
  rules: {
    ...language,
    'no-unused-vars': ['error', { argsIgnorePattern: '^_', ignoreRestSiblings: true }],
    'import/no-cycle': 'error',
    'import/no-self-import': 'error',
    'no-warning-comments': ['error', { terms: ['todo', 'fixme'] }],
    'unicorn/no-invalid-fetch-options': 'off',
    'unicorn/no-thenable': 'off',
    'unicorn/no-useless-spread': 'error',
    eqeqeq: ['error', 'always', { null: 'ignore' }],
    'rende/no-switching-off': 'error',
    'typescript/no-misused-spread': 'off',
    'typescript/no-useless-default-assignment': 'off',
    'typescript/require-array-sort-compare': 'off',
  },
  overrides: [
    { files: ['**/*.{ts,tsx}'], rules: types },
    // `calls.ts` reads the types of whole files.
    {
      files: [...decorated, 'frontend/src/lib/calls.ts'],
      rules: { 'typescript/consistent-type-imports': 'off' },
    },
    { files: ['**/*.{js,mjs}'], env: { node: true }, rules: { 'no-undef': 'error' } },
    { files: ['backend/{modules,platform}/**/*.ts'], rules: { 'no-console': 'error' } },
    { files: ['{backend,frontend}/**/*.{ts,tsx}'], rules: { 'rende/no-utc-day': 'error' } },
    {
      files: ['**/*.spec.{ts,tsx}'],
      rules: {
        // What matches anything, such as `expect.any(String)`, is of any type.
        'typescript/no-unsafe-assignment': 'off',
        'typescript/no-unsafe-return': 'off',
        'rende/no-utc-day': 'off',
        'no-restricted-properties': [
          'error',
          ...['describe', 'it', 'test'].map((object) => ({
            object,
            property: 'only',
            message: 'The others would not run.',
          })),
        ],
      },
    },
    {
      files: ['frontend/src/**/*.{ts,tsx}'],
      plugins: ['eslint', 'typescript', 'import', 'unicorn', 'react'],
      rules: hooks,
    },
    ...zones,
  ],
};
