import { createHash } from 'node:crypto';
import { readFileSync, realpathSync } from 'node:fs';
import { join } from 'node:path';
import react from '@vitejs/plugin-react';
import { defineConfig, type Plugin } from 'vite';
import { WRITTEN_PAGES } from '../backend/platform/http/token-pages.api.js';
import { budgets } from './budgets.js';
import { compressed } from './compressed.js';
import { preloads } from './preloads.js';
import { noChunkCycles } from './chunk-cycles.js';
import { serviceWorker } from './service-worker.js';

const { version } = JSON.parse(readFileSync(new URL('../package.json', import.meta.url), 'utf8')) as {
  version: string;
};

/** Writes `csp.json` beside index.html: the hashes of its inline scripts, which the server puts into `script-src`. */
function cspHashes(): Plugin {
  return {
    name: 'rende:csp-hashes',
    apply: 'build',
    enforce: 'post',
    generateBundle(_options, bundle) {
      const html = bundle['index.html'];
      if (html?.type !== 'asset') this.error('index.html is not part of the bundle');
      const inline = /<script(?![^>]*\ssrc=)[^>]*>([\s\S]*?)<\/script>/g;
      const script = [...String(html.source).matchAll(inline)].map(
        ([, text = '']) => `sha256-${createHash('sha256').update(text).digest('base64')}`,
      );
      this.emitFile({ type: 'asset', fileName: 'csp.json', source: JSON.stringify({ script }) });
    },
  };
}

/**
 * sonner writes its style sheet into the page when it is imported, which the content security policy refuses.
 * The same sheet ships as a file (`ui/toaster.tsx` imports it), so the call goes. And a toast is swiped away from 20 px on
 * (spec 1, section 9), which sonner has no setting for. And it does not move the focus: it would give it back to where it came
 * from when Tab leaves the toasts, which begins a circle, or when they go, wherever the focus is by then (`ui/focus-keeper.ts`).
 */
function sonnerAsAgreed(): Plugin {
  return {
    name: 'rende:sonner',
    transform: {
      filter: { id: /node_modules\/sonner\/dist\/index\.mjs/ },
      handler(code) {
        const call = /^__insertCSS\(.*\);$/m;
        if (!call.test(code)) this.error('sonner no longer injects its styles the way this plugin removes');
        const threshold = /const SWIPE_THRESHOLD = \d+;/;
        if (!threshold.test(code)) this.error('sonner no longer has its threshold where this plugin sets it');
        const origin = 'lastFocusedElementRef.current = event.relatedTarget;';
        if (!code.includes(origin))
          this.error('sonner no longer notes where the focus came from as this plugin removes');
        return {
          code: code.replace(call, '').replace(threshold, 'const SWIPE_THRESHOLD = 20;').replace(origin, ''),
          map: null,
        };
      },
    },
  };
}

/** Hints only use WebSockets (`lib/live.ts`), so the code of socket.io's other transports is left out. */
function webSocketsAlone(): Plugin {
  return {
    name: 'rende:websockets-alone',
    transform: {
      filter: { id: /node_modules\/engine\.io-client\/build\/esm\/transports\/(?:index|polling-xhr)\.js/ },
      handler(code, id) {
        // Its listener for the end of a page is for its own requests.
        if (id.endsWith('xhr.js')) return { code, map: null, moduleSideEffects: false };
        const others = /^import \{ (?:XHR|WT) \}.*$|^ *(?:webtransport: WT|polling: XHR),$/gm;
        if (code.match(others)?.length !== 4)
          this.error('engine.io no longer lists its transports the way this plugin removes');
        return { code: code.replace(others, ''), map: null };
      },
    },
  };
}

/**
 * react-router leaves in the build what nobody imports: components, because they are given a name after they are made, and what
 * only its own server, loaders and components of the server use.
 */
function routerAsUsed(): Plugin {
  const unused = {
    function: ['PrefetchPageLinks', 'usePrefetchBehavior', 'useNavigateStable'],
    class: ['AwaitErrorBoundary', 'RenderErrorBoundary', 'RemixErrorBoundary'],
  };
  const cuts: [RegExp, string][] = [
    [/^var ENABLE_DEV_WARNINGS = true;$/m, 'var ENABLE_DEV_WARNINGS = false;'],
    [/^\w+\.displayName = .*;$/gm, ''],
    [/^\w+\.contextType = .*;$/gm, ''],
    [/^( *)let dataRouterState = dataRouterOpts\?\.state;$/m, '$1const dataRouterState = null;'],
    [/^(var \w+ = )(?=React\d*\.(?:createContext|forwardRef)\()/gm, '$1/* @__PURE__ */ '],
    ...unused.function.map((name): [RegExp, string] => [
      RegExp(`^function ${name}\\([\\s\\S]*?^\\}$`, 'm'),
      // A link takes apart what the second one returns.
      `function ${name}() { return []; }`,
    ]),
    ...unused.class.map((name): [RegExp, string] => [
      RegExp(`^var ${name} = class extends [\\s\\S]*?^\\};$`, 'm'),
      `var ${name} = class {};`,
    ]),
  ];
  return {
    name: 'rende:router',
    apply: 'build',
    transform: {
      filter: { id: /node_modules\/react-router\/dist\/development\/chunk-\w+\.mjs/ },
      handler(code) {
        // It has another chunk, which only servers use.
        if (!code.includes('function PrefetchPageLinks(')) return null;
        for (const [what, instead] of cuts) {
          if (!what.test(code)) this.error(`react-router no longer has what this plugin cuts: ${what}`);
          code = code.replace(what, instead);
        }
        return { code, map: null };
      },
    },
  };
}

/**
 * Browsers read and write what a passkey signs themselves, and no wallet signs in: the auth client's code for both is replaced by
 * empty exports.
 */
function withoutCeremonies(): Plugin {
  return {
    name: 'rende:auth-client',
    transform: {
      filter: { id: /node_modules\/@supabase\/auth-js\/dist\/module\/lib\/(webauthn|web3\/ethereum)\.js/ },
      handler(code) {
        const names = [...code.matchAll(/^export (?:async )?(?:function|const|class) (\w+)/gm)];
        if (names.length < 4) this.error('auth-js no longer exports what this plugin leaves out');
        return { code: names.map(([, name]) => `export class ${name} {}`).join('\n'), map: null };
      },
    },
  };
}

/**
 * The screens use the types of calls alone (`lib/calls.ts`). Without their values, the schemas that only calls name are left out
 * too.
 */
function callsAsTypes(): Plugin {
  return {
    name: 'rende:calls',
    apply: 'build',
    enforce: 'pre',
    transform: {
      filter: { id: /\/backend\/.*\.api\.ts$/ },
      handler: (code) => ({
        code: code.replace(/^export const \w+(?:Api|Calls) = \{(?:.*\};$|[\s\S]*?^\};$)/gm, ''),
        map: null,
      }),
    },
  };
}

interface Chunking {
  getModuleInfo: (id: string) => { importers: readonly string[] } | null;
}

/** The modules of first pages, by the ends of their paths, including those that the entry fetches early. */
const firstPages = {
  auth: ['/accounts/auth-page.tsx', '/lib/offline-cache.ts'],
  home: ['/app/trainer-area.tsx', '/app/trainer-pages.ts', '/app/pages/dashboard.tsx'],
  student: ['/app/student-area.tsx', '/app/pages/student-home.tsx'],
  link: ['/app/pages/area-by-link.tsx', '/app/pages/home-by-link.tsx'],
  /** Sends changes that waited for a network and shows refused ones. The student's area loads it where there are some. */
  waiting: ['/app/pending-sender.tsx', '/app/shell/held-writes.tsx'],
};
/** The gallery imports every component, so it is ignored. */
const catalogue = /@mantine\/\w+\/esm\/index\.mjs$/;

/** The first pages that import a module statically, directly or through others. */
function firstPagesOf(id: string, chunking: Chunking): string[] {
  const importers = new Set([id]);
  for (const each of importers) {
    const own = chunking.getModuleInfo(each)?.importers ?? [];
    for (const importer of own) if (!catalogue.test(importer)) importers.add(importer);
  }
  return Object.entries(firstPages)
    .filter(([, roots]) => [...importers].some((each) => roots.some((root) => each.endsWith(root))))
    .map(([page]) => page);
}

/** What forms and what floats over a page are made of, and what else the student's first page does without. */
const controls =
  /node_modules\/@mantine\/core\/esm\/(components\/(ActionIcon|Input|InputBase|TextInput|CloseButton|Portal|Overlay|FocusTrap|Progress|Text)|core\/utils\/(close-on-escape|create-event-handler|create-safe-context|create-scoped-keydown-handler|find-element-[a-z-]+|get-base-value|get-context-item-index|get-safe-id|get-single-element-child))\/|\/((searchable|plain-letters|phone-format|money-words)\.api|ui\/open-whatsapp)\.ts$/;

/** After those of them that are small. */
const hooks = /node_modules\/@mantine\/hooks\//;

/** Small modules that many pages use, each too small for a request of its own. */
const small =
  /node_modules\/(clsx|zustand|@mantine\/(hooks\/esm\/(use-network|use-isomorphic-effect|use-media-query|use-window-event|use-did-update|use-reduced-motion)|core\/esm\/(core|components\/(VisuallyHidden|Transition|Button|ActionIcon|UnstyledButton|Title|Loader|Skeleton))))\//;

/**
 * Of the modules that the gallery names, only the sign-in uses these. Its chunk would wait for theirs, which waits for
 * it.
 */
const tabs = /@mantine\/core\/esm\/components\/Tabs\//;

/** What reads lists and several things at once, which the student's first page does not. */
const lists =
  /node_modules\/@tanstack\/(query-core\/build\/modern\/(queries|infiniteQuery)Observer|react-query\/build\/modern\/(useQueries|useInfiniteQuery))\.js$|\/(lib\/(paged|answer)\.ts|ui\/infinite-list\.tsx)$/;

/** What looks after a newer version and drafts: the entry loads it once a page is shown. */
const kept = /\/lib\/(new-version|drafts|browser-drafts)\.ts$/;

/** So does the student's area with the way out. */
const leaving = /\/(accounts\/sign-out|lib\/pushed-here)\.ts$/;

/**
 * The chunk of a module: of one first page, of those behind the sign-in (`member`), also of those behind a student's link
 * (`inside`), or of all pages (`common`).
 */
function firstPage(id: string, chunking: Chunking): string | null {
  if (controls.test(id)) return 'controls';
  if (small.test(id)) return 'common';
  if (hooks.test(id)) return 'controls';
  if (tabs.test(id)) return 'auth';
  if (lists.test(id)) return 'lists';
  if (kept.test(id)) return 'kept';
  if (leaving.test(id)) return 'leaving';
  const pages = firstPagesOf(id, chunking);
  const on = (page: string) => pages.includes(page);
  const isStudents = on('student') || on('link');
  if (on('waiting') && !isStudents && !on('auth')) return 'waiting';
  if (on('auth')) return on('home') || isStudents ? 'common' : 'auth';
  // Other pages use some of the student's modules too.
  if (!on('home')) return !on('student') || !on('link') ? null : id.includes('/own-') ? 'own' : 'lent';
  if (on('link')) return 'inside';
  return on('student') ? 'member' : 'home';
}

/** The pages that the server writes. */
const WRITTEN = `^/(${WRITTEN_PAGES.join('|')})(/|$)`;

export default defineConfig({
  root: import.meta.dirname,
  plugins: [
    react(),
    callsAsTypes(),
    sonnerAsAgreed(),
    webSocketsAlone(),
    routerAsUsed(),
    withoutCeremonies(),
    preloads(),
    cspHashes(),
    serviceWorker(),
    compressed(),
    noChunkCycles(),
    budgets(),
  ],
  define: { __APP_VERSION__: JSON.stringify(version) },
  build: {
    outDir: '../dist/frontend',
    emptyOutDir: true,
    target: 'es2022',
    assetsInlineLimit: 0,
    modulePreload: { polyfill: false },
    rolldownOptions: {
      output: {
        // The modules that the entry needs are one file, the other modules of a first page one or two, and those that
        // nearly every page needs another: fewer round trips on a phone's network. A first page needs neither forms nor
        // anything that floats over a page.
        codeSplitting: {
          groups: [
            { name: 'base', tags: ['$initial'], priority: 4 },
            { name: 'floating', test: /node_modules\/@floating-ui\//, priority: 3 },
            { name: 'fields', test: /node_modules\/(klona|@mantine\/form)\//, priority: 3 },
            // Libraries of the contract editor, which change less often than it.
            {
              name: 'prosemirror',
              test: /node_modules\/(prosemirror-|orderedmap|rope-sequence|w3c-keyname)/,
              priority: 3,
            },
            {
              name: 'forms',
              test: /node_modules\/zod\/|lib\/(form|messages)\.ts$|(platform\/http\/\w+|\/phone(-fields)?|\/cpf|\/accounts|\/passwords|\/general-terms)\.api\.ts$/,
              priority: 3,
              includeDependenciesRecursively: false,
            },
            // Each schema is created when its file runs: the sign-in needs none of these.
            {
              name: 'schemas',
              test: /(?<!\/first-name|\/plural|\/whatsapp|\/personal-names|\/money-words|\/plain-letters|\/searchable|\/phone-format|\/phone-abroad)\.api\.ts$/,
              priority: 3,
              includeDependenciesRecursively: false,
            },
            {
              debugName: 'first pages',
              name: firstPage,
              priority: 2,
              includeDependenciesRecursively: false,
            },
            // Small pages of the same parts.
            {
              name: 'records',
              test: /\/(lib\/records|ui\/records-page|parts\/locations-field|features\/(plans|services)\/\S+)\.tsx?$/,
              priority: 2,
              includeDependenciesRecursively: false,
            },
            { name: 'common', minShareCount: 35, priority: 1 },
          ],
        },
      },
    },
  },
  server: {
    // An editor empties a file before it writes it. Of two changes within 50 ms the watcher reports the first alone: without this,
    // what is read between them, an empty file, is served until the next change.
    watch: { awaitWriteFinish: { stabilityThreshold: 50, pollInterval: 10 } },
    // Packages may be in another folder, behind a link.
    fs: { allow: ['..', realpathSync(join(import.meta.dirname, '../node_modules'))] },
    proxy: Object.fromEntries(
      ['/api', '/auth/v1', '/socket.io', '/dev/mail', '^/booking\\.', WRITTEN].map((path) => [
        path,
        { target: process.env.RENDE_API ?? 'http://localhost:3000', ws: true },
      ]),
    ),
  },
});
