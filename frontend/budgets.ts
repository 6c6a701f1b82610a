import { promisify } from 'node:util';
import { gzip } from 'node:zlib';
import type { Plugin } from 'vite';

const gzipped = promisify(gzip);

interface Chunk {
  /** The URL by which the page requests it. */
  fileName: string;
  isEntry: boolean;
  /** Paths of the modules in it. */
  modules: readonly string[];
  /** File names of its imports. */
  imports: readonly string[];
  /** Its style sheets. */
  styles: readonly string[];
}

/** Bytes after gzip, by file name. */
type Sizes = ReadonlyMap<string, number>;

interface Budget {
  what: string;
  /** Maximum in kB after gzip (1 kB is 1000 bytes). */
  limit: number;
  kilobytes: number;
}

/** Modules that a first page imports to show its content, by the ends of their paths. Others follow when it is shown. */
const pages = {
  '/auth': { limit: 172, modules: ['/lib/auth-client.ts', '/accounts/auth-page.tsx'] },
  '/aluno': { limit: 140, modules: ['/app/student-area.tsx', '/app/pages/student-home.tsx'] },
  '/minha-area': { limit: 136, modules: ['/app/pages/area-by-link.tsx', '/app/pages/home-by-link.tsx'] },
  '/': { limit: 181, modules: ['/app/trainer-area.tsx', '/app/pages/dashboard.tsx'] },
};
/** Pages of students and of who has a link, none of which needs the dashboard. */
const OF_OTHERS = /\/(own-[\w-]+|letters|invite)-page\.tsx$/;
const ENTRY = 97;
const ENTRY_STYLES = 15;
const LATER = 120;
const FONTS = 50;

/** Each budget, with the size of what counts to it in this build. */
export function budgetsOf(chunks: readonly Chunk[], sizes: Sizes): Budget[] {
  const byName = new Map(chunks.map((chunk) => [chunk.fileName, chunk]));
  const withImports = (chunk: Chunk, seen = new Set<Chunk>()): Set<Chunk> => {
    if (seen.has(chunk)) return seen;
    seen.add(chunk);
    for (const name of chunk.imports) {
      const imported = byName.get(name);
      if (imported) withImports(imported, seen);
    }
    return seen;
  };
  const holding = (module: string): Chunk => {
    const found = chunks.find(({ modules }) => modules.some((path) => path.endsWith(module)));
    if (!found)
      throw new Error(`no chunk holds ${module}: frontend/budgets.ts names what the pages open with`);
    return found;
  };
  const total = (names: Iterable<string>) =>
    [...new Set(names)].reduce((sum, name) => sum + (sizes.get(name) ?? 0), 0) / 1000;
  const scripts = (roots: readonly Chunk[]) =>
    total(roots.flatMap((chunk) => [...withImports(chunk)].map(({ fileName }) => fileName)));

  const entry = chunks.find(({ isEntry }) => isEntry);
  if (!entry) throw new Error('the build has no entry');
  const initial = withImports(entry);
  const dashboard = holding('/app/pages/dashboard.tsx');
  return [
    { what: 'the entry', limit: ENTRY, kilobytes: scripts([entry]) },
    {
      what: "the entry's styles",
      limit: ENTRY_STYLES,
      kilobytes: total([...initial].flatMap(({ styles }) => styles)),
    },
    ...Object.entries(pages).map(([path, { limit, modules }]) => ({
      what: `opening ${path}`,
      limit,
      kilobytes: scripts([entry, ...modules.map(holding)]),
    })),
    {
      what: 'the font',
      limit: FONTS,
      kilobytes: total([...sizes.keys()].filter((name) => name.endsWith('.woff2'))),
    },
    ...chunks
      .filter(({ modules }) => modules.some((path) => OF_OTHERS.test(path)))
      .map((chunk) => ({
        what: `the dashboard for ${chunk.fileName}`,
        limit: 0,
        kilobytes: withImports(chunk).has(dashboard) ? total([dashboard.fileName]) : 0,
      })),
    ...chunks
      .filter((chunk) => !initial.has(chunk))
      .map(({ fileName }) => ({ what: fileName, limit: LATER, kilobytes: total([fileName]) })),
  ];
}

/** Fails the build, with one line, if a budget is exceeded. */
export function budgets(): Plugin {
  return {
    name: 'rende:budgets',
    apply: 'build',
    enforce: 'post',
    // Not before Vite has written into each chunk what its imports have to load.
    async writeBundle(_options, bundle) {
      const outputs = Object.values(bundle);
      const sizes = new Map<string, number>();
      for (const output of outputs) {
        const content = output.type === 'chunk' ? output.code : output.source;
        sizes.set(output.fileName, (await gzipped(content, { level: 9 })).length);
      }
      const chunks = outputs
        .filter((output) => output.type === 'chunk')
        .map(({ fileName, isEntry, moduleIds, imports, viteMetadata }) => ({
          fileName,
          isEntry,
          modules: moduleIds,
          imports,
          styles: [...(viteMetadata?.importedCss ?? [])],
        }));
      const exceeded = budgetsOf(chunks, sizes)
        .filter(({ kilobytes, limit }) => kilobytes > limit)
        .map(({ what, kilobytes, limit }) => `${what} takes ${kilobytes.toFixed(1)} of ${limit} kB gz`);
      if (exceeded.length > 0) this.error(`over budget: ${exceeded.join('; ')}`);
    },
  };
}
