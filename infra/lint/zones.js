import path from 'node:path';

/** @typedef {{ zone: string, part?: string, kind?: string, name: string }} Place */

const zonePatterns = [
  ['root', /^backend\/[^/]+$/],
  ['platform', /^backend\/platform\/./],
  ['module', /^backend\/modules\/([^/]+)\/./],
  ['lib', /^frontend\/src\/lib\/./],
  ['ui', /^frontend\/src\/ui\/./],
  ['part', /^frontend\/src\/parts\/./],
  ['feature', /^frontend\/src\/features\/([^/]+)\/./],
  ['app', /^frontend\/src\/app\/./],
  ['tooling', /^([^/]+|frontend\/[^/]+|frontend\/(public|worker|booking|spec)\/[^/]+|(infra|test)\/.+)$/],
];

/** The modules, from the lowest up: a module imports only modules that stand before it. Drawn in docs/architecture.md. */
export const layers = [
  ['availability', 'calendar-links', 'general-terms', 'holidays', 'plans', 'seals', 'services', 'tasks'],
  ['students', 'payers', 'student-notes', 'told-contacts', 'accounts', 'audit', 'settings', 'letters'],
  ['other-calendar', 'locations', 'policies', 'sessions', 'away', 'credits', 'finance'],
  ['charges', 'bank-lines', 'owed-sessions', 'enrolment', 'student-imports'],
  ['agenda', 'student-pauses', 'vacations', 'series', 'calendar-feed', 'search', 'what-if'],
  ['receipts', 'contracts', 'privacy'],
  ['public-link', 'expiry-warnings', 'classes', 'nudges', 'reminders', 'student-area', 'whatsapp', 'merging'],
  ['advisor', 'dossier', 'notices'],
];

/**
 * The place of a file, by its path from the root without its extension: its zone, the module or feature in it, and the kind
 * that its suffix gives. Undefined for a file in an unknown place.
 *
 * @returns {Place | undefined}
 */
export function placeOf(name) {
  for (const [zone, pattern] of zonePatterns) {
    const [found, part] = pattern.exec(name) ?? [];
    if (found) return { zone, part, kind: kindOf(name, zone), name };
  }
}

/** Only files at the top of a module may be imported by others; *.api.ts and specs have the same kind in any folder. */
function kindOf(name, zone) {
  const suffix = path.posix.basename(name).split('.').slice(1).at(-1);
  if (zone !== 'module' || suffix === 'api' || suffix === 'spec') return suffix;
  return name.split('/').length === 4 ? (suffix ?? 'decider') : undefined;
}

const DECIDER =
  "A decider is pure: it imports its own module's files without suffix and *.api.ts, the shape of an aggregate, the problem class, months and local times of a zone, plain and searchable letters, the words for amounts, counts and times, codes as they are typed, and types.";
const PURE_LIBRARIES = ['date-fns', '@date-fns/tz'];
const OF_PLATFORM_FOR_DECIDERS = [
  'event-store/aggregate',
  'http/problem',
  'local-time',
  'months',
  'plain-letters.api',
  'plural.api',
  'portuguese',
  'searchable.api',
  'typed-code',
].map((file) => `backend/platform/${file}`);
const API = '*.api.ts is shared with the browser: it imports zod, libphonenumber-js and other *.api.ts.';
const PRESENTATION = [
  'backend/platform/plural.api',
  ...['chunks', 'dates', 'form', 'masks', 'money', 'phone-mask', 'phones-abroad', 'problem'].map(
    (file) => `frontend/src/lib/${file}`,
  ),
];
const SPEAKS_HTTP = ['@supabase/auth-js', '@tanstack/react-query', 'socket.io-client'];

const isIn = (place, ...zones) => zones.includes(place.zone);
const isApi = ({ zone, kind }) => kind === 'api' && (zone === 'module' || zone === 'platform');
const isSamePart = (from, to) => from.zone === to.zone && from.part === to.part;

const order = layers.flat();
const standsBefore = (to, from) =>
  order.includes(to.part) && order.indexOf(to.part) < order.indexOf(from.part);
const UPWARD =
  'A module imports only modules that stand before it in `layers` (infra/lint/zones.js); a new one gets its place there.';
const isUpward = (from, to) =>
  isIn(from, 'module') && isIn(to, 'module') && !isSamePart(from, to) && !standsBefore(to, from);

/** What specs of pages have in common. */
const isSpecsOwn = (to, from) => from.kind === 'spec' && to.name.startsWith('frontend/spec/');

/** For each zone, which of our files it may import, and the message if a file imports others. */
const mayImport = {
  root: [
    (to, from) =>
      isIn(to, 'root', 'platform') ||
      (isIn(to, 'module') && to.kind === (from.kind === 'thread' ? 'pdf' : 'module')),
    'main.ts and app.module.ts import the platform and the table of contents of each module; pdf.thread.ts, what it draws.',
  ],
  platform: [(to) => isIn(to, 'platform'), 'The platform knows no module.'],
  module: [
    (to, from) =>
      isIn(to, 'platform') ||
      isSamePart(from, to) ||
      (isIn(to, 'module') && ['commands', 'queries', 'loads', 'decider', 'api'].includes(to.kind)),
    'A module reaches another one only through its messages (*.commands.ts, *.queries.ts), what its commands load (*.loads.ts), its events (the file without suffix) and its *.api.ts.',
  ],
  lib: [(to) => isIn(to, 'lib') || isApi(to), 'lib stands below ui, parts, features and app.'],
  ui: [
    (to) => isIn(to, 'ui') || PRESENTATION.includes(to.name),
    'ui knows no HTTP and no business word: of lib it imports chunks, dates, form, masks, money, phone-mask, phones-abroad and problem, and the words for counts.',
  ],
  part: [
    (to, from) => isIn(to, 'part', 'lib', 'ui') || isApi(to) || isSpecsOwn(to, from),
    'A part that several features show may ask the API, and imports lib, ui and *.api.ts, but no feature.',
  ],
  feature: [
    (to, from) => isSamePart(from, to) || isIn(to, 'part', 'lib', 'ui') || isApi(to) || isSpecsOwn(to, from),
    'A feature imports parts, lib, ui and *.api.ts, and never another feature.',
  ],
  app: [
    (to, from) => isIn(to, 'app', 'feature', 'part', 'ui', 'lib') || isApi(to) || isSpecsOwn(to, from),
    'The frontend imports of the backend only *.api.ts.',
  ],
};

/** Why `from` may not import this file of ours; null if it may. */
function refusedFile(from, to, isType) {
  if (to && isUpward(from, to)) return UPWARD;
  if (isApi(from)) return to && isApi(to) ? null : API;
  if (from.kind === 'decider') {
    const ofItsOwn = to && isSamePart(from, to) && (to.kind === 'decider' || isApi(to));
    const ofTypes = to && isType && (isIn(to, 'platform') || to.kind === 'decider' || isApi(to));
    return ofItsOwn || ofTypes || OF_PLATFORM_FOR_DECIDERS.includes(to?.name) ? null : DECIDER;
  }
  const isBackend = isIn(from, 'root', 'platform', 'module');
  if (isBackend && from.kind === 'spec' && to && isIn(to, 'tooling')) return null;
  const [may, message] = mayImport[from.zone];
  return to && may(to, from) ? null : message;
}

/** Why `from` may not import this library or module of Node; null if it may. */
function refusedLibrary(from, library, isType) {
  const isOneOf = (names) => names.some((name) => library === name || library.startsWith(`${name}/`));
  if (isApi(from)) return isOneOf(['zod', 'libphonenumber-js']) ? null : API;
  if (from.kind === 'decider' && !isType && !isOneOf(PURE_LIBRARIES))
    return 'A decider is pure: of libraries it calls only date-fns.';
  if (from.zone === 'ui' && isOneOf(SPEAKS_HTTP)) return 'ui knows no HTTP.';
  return null;
}

/** Why `file` may not import `source`, as written there; null if it may. Paths are from the root. */
export function refusedImport(file, source, isType) {
  const from = placeOf(withoutExtension(file));
  if (!from || isIn(from, 'tooling')) return null;
  if (!source.startsWith('.')) return refusedLibrary(from, source, isType);
  return refusedFile(
    from,
    placeOf(withoutExtension(path.posix.join(path.posix.dirname(file), source))),
    isType,
  );
}

export const withoutExtension = (file) => file.replace(/\.[cm]?[jt]sx?$/, '');

/** The import zones, and which files may use the clock, randomness, the environment and the network. */
export const zones = [
  { files: ['**/*.{js,mjs,ts,tsx}'], rules: { 'rende/known-place': 'error' } },
  { files: ['{backend,frontend/src}/**/*.{ts,tsx}'], rules: { 'rende/zones': 'error' } },
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
    files: ['frontend/src/{app,features,parts,ui}/**/*.{ts,tsx}'],
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
