import type { Plugin } from 'vite';

/** File names of chunks that import each other in a cycle, in its order; undefined if there is no cycle. */
export function cycleOf(imports: ReadonlyMap<string, readonly string[]>): string[] | undefined {
  const seen = new Set<string>();
  const path: string[] = [];
  const follow = (name: string): string[] | undefined => {
    if (path.includes(name)) return path.slice(path.indexOf(name));
    if (seen.has(name)) return undefined;
    seen.add(name);
    path.push(name);
    for (const next of imports.get(name) ?? []) {
      const cycle = follow(next);
      if (cycle) return cycle;
    }
    path.pop();
    return undefined;
  };
  for (const name of imports.keys()) {
    const cycle = follow(name);
    if (cycle) return cycle;
  }
  return undefined;
}

/**
 * Fails the build if chunks import each other in a cycle: a module may then run before its imports are initialised, and
 * the page stays blank.
 */
export function noChunkCycles(): Plugin {
  return {
    name: 'rende:no-chunk-cycles',
    apply: 'build',
    generateBundle(_options, bundle) {
      const chunks = Object.values(bundle).filter((output) => output.type === 'chunk');
      const cycle = cycleOf(new Map(chunks.map(({ fileName, imports }) => [fileName, imports])));
      if (cycle) this.error(`chunks import each other: ${cycle.join(' → ')}`);
    },
  };
}
