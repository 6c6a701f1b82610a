import { execFile } from 'node:child_process';
import { mkdir, mkdtemp, realpath, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';

const root = process.cwd();

/** A file of an invented project, and the one rule that it breaks. */
export type Case = { file: string; text: string; breaks?: string };

/** Lints these files in a temporary project of their own. Returns which of the `counted` rules a file breaks. */
export async function lint(files: Case[], counted = /(?:)/): Promise<(file: string) => string[]> {
  const house = await realpath(await mkdtemp(join(tmpdir(), 'linted-')));
  try {
    const put = async (file: string, text: string) => {
      await mkdir(dirname(join(house, file)), { recursive: true });
      await writeFile(join(house, file), text);
    };
    await put('package.json', '{ "type": "module" }');
    const compilerOptions = { module: 'nodenext', types: [], strict: true, experimentalDecorators: true };
    await put('tsconfig.json', JSON.stringify({ compilerOptions }));
    await put(
      'oxlint.config.js',
      `export { default } from ${JSON.stringify(join(root, 'oxlint.config.js'))};`,
    );
    await mkdir(join(house, 'test'));
    for (const { file, text } of files) await put(file, text);

    const report = await new Promise<string>((resolve, reject) => {
      execFile(
        process.execPath,
        [
          join(root, 'node_modules/oxlint/bin/oxlint'),
          '--config',
          'oxlint.config.js',
          '--format',
          'json',
          '.',
        ],
        {
          cwd: house,
          env: { ...process.env, OXLINT_TSGOLINT_PATH: join(root, 'node_modules/.bin/tsgolint') },
          maxBuffer: 64 * 1024 * 1024,
        },
        (_error, stdout, stderr) => (stdout ? resolve(stdout) : reject(new Error(stderr))),
      );
    });
    const { diagnostics } = JSON.parse(report) as { diagnostics: Diagnostic[] };
    return (file) => [
      ...new Set(
        diagnostics
          .filter((found) => found.filename === file)
          .map(ruleOf)
          .filter((rule) => rule === UNREADABLE || counted.test(rule)),
      ),
    ];
  } finally {
    await rm(house, { recursive: true, force: true });
  }
}

type Diagnostic = { code?: string; filename: string; message: string };

/** Reported for a file that could not be linted, or whose comment disables a rule. */
export const UNREADABLE = 'unreadable';

/** `import(no-cycle)` is `import/no-cycle`, and `eslint(eqeqeq)` is `eqeqeq`. */
function ruleOf({ code }: Diagnostic): string {
  const [, plugin, rule] = /^(.+)\((.+)\)$/.exec(code ?? '') ?? [];
  if (!plugin || !rule) return UNREADABLE;
  if (plugin === 'react-hooks') return `react/${rule}`;
  return plugin === 'eslint' ? rule : `${plugin}/${rule}`;
}
