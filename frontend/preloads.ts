import type { Plugin, Rollup } from 'vite';

/** What the entry will ask for as soon as it runs, by ends of module paths (see `src/app/main.tsx`). */
const roots = {
  auth: ['/accounts/auth-page.tsx'],
  area: ['/lib/auth-client.ts', '/app/trainer-area.tsx'],
  home: ['/app/pages/dashboard.tsx'],
};

/** Runs in the page, before anything else is there: begins to fetch what the first page consists of. */
const script = `(function (files) {
  var path = location.pathname;
  var known = false;
  try {
    known = localStorage.getItem('rende.auth') !== null;
  } catch (error) {
    known = false;
  }
  if (/^\\/(aluno|convite|dev)(\\/|$)/.test(path)) return;
  var wanted = path === '/auth' || !known ? files.auth : path === '/' ? files.area.concat(files.home) : files.area;
  wanted.forEach(function (file) {
    var link = document.createElement('link');
    link.crossOrigin = '';
    link.href = '/' + file;
    if (/css$/.test(file)) {
      link.rel = 'preload';
      link.as = 'style';
    } else link.rel = 'modulepreload';
    document.head.appendChild(link);
  });
})`;

/** The chunk's file and those that come with it, scripts and styles. */
function filesOf(chunk: Rollup.OutputChunk, chunks: readonly Rollup.OutputChunk[], seen = new Set<string>()) {
  if (seen.has(chunk.fileName)) return seen;
  seen.add(chunk.fileName);
  for (const style of chunk.viteMetadata?.importedCss ?? []) seen.add(style);
  for (const imported of chunks.filter(({ fileName }) => chunk.imports.includes(fileName)))
    filesOf(imported, chunks, seen);
  return seen;
}

/** Has the page fetch the parts of its first screen beside the entry, not after it has run: one way to the server less. */
export function preloads(): Plugin {
  return {
    name: 'rende:preloads',
    apply: 'build',
    transformIndexHtml: {
      order: 'post',
      handler(_html, { bundle = {} }) {
        const chunks = Object.values(bundle).filter((output) => output.type === 'chunk');
        const initial = new Set(
          chunks.filter(({ isEntry }) => isEntry).flatMap((entry) => [...filesOf(entry, chunks)]),
        );
        const holding = (module: string) => {
          const found = chunks.find(({ moduleIds }) => moduleIds.some((path) => path.endsWith(module)));
          if (!found)
            throw new Error(`no chunk holds ${module}: frontend/preloads.ts names the first pages' parts`);
          return found;
        };
        const files = Object.entries(roots).map(([name, modules]) => [
          name,
          [...new Set(modules.flatMap((module) => [...filesOf(holding(module), chunks)]))].filter(
            (file) => !initial.has(file),
          ),
        ]);
        const children = `${script}(${JSON.stringify(Object.fromEntries(files))});`;
        return [{ tag: 'script', children, injectTo: 'head' }];
      },
    },
  };
}
