import type { Plugin } from 'vite';

/** File names of chunks that import each other in a ring, in its order; undefined if there is no ring. */
export function ringOf(imports: ReadonlyMap<string, readonly string[]>): string[] | undefined {
  const seen = new Set<string>();
  const way: string[] = [];
  const follow = (name: string): string[] | undefined => {
    if (way.includes(name)) return way.slice(way.indexOf(name));
    if (seen.has(name)) return undefined;
    seen.add(name);
    way.push(name);
    for (const next of imports.get(name) ?? []) {
      const ring = follow(next);
      if (ring) return ring;
    }
    way.pop();
    return undefined;
  };
  for (const name of imports.keys()) {
    const ring = follow(name);
    if (ring) return ring;
  }
  return undefined;
}

/**
 * Fails the build if chunks import each other in a ring: a module may then run before its imports are initialised, and
 * the page stays blank.
 */
export function noRings(): Plugin {
  return {
    name: 'rende:no-rings',
    apply: 'build',
    generateBundle(_options, bundle) {
      const chunks = Object.values(bundle).filter((output) => output.type === 'chunk');
      const ring = ringOf(new Map(chunks.map(({ fileName, imports }) => [fileName, imports])));
      if (ring) this.error(`chunks import each other: ${ring.join(' → ')}`);
    },
  };
}
