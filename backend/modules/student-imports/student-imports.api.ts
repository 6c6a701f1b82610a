import * as z from 'zod/mini';
import { get, post } from '../../platform/http/calls.api.js';
import {
  calendarDate,
  id,
  instant,
  page,
  pageQuery,
  type ErrorTable,
} from '../../platform/http/common.api.js';
import { price } from '../audit/price.api.js';
import { broughtTerms } from '../plans/monthly-terms.api.js';
import { listedInFile, studentTags } from '../students/students.api.js';

/** Maximum of lines in a file. */
export const MAX_LINES = 5000;
/** Limits of one request: lines, and size of its body, which is more than twice that of 50 typical students. */
export const LINES_AT_ONCE = 50;
export const IMPORT_BYTES = 64 * 1024;
export const IMPORT_VALUES = 2_000;
/** Students that one step of the undoing handles. */
export const UNDONE_AT_ONCE = 200;
const MAX_LOTS = 20;

/** Credits from before the import; `expira_em` is the last day on which they are valid, null: never expire. */
export const openingCredits = z.strictObject({
  quantidade: z.int().check(z.minimum(1), z.maximum(1000, 'Use no máximo 1000 créditos')),
  expira_em: z.nullable(calendarDate),
});
export type OpeningCredits = z.infer<typeof openingCredits>;

/** One student of a file. */
export const importLine = z.strictObject({
  /** Number of the line in the file; each line of an import is imported once. */
  linha: z.int().check(z.minimum(1), z.maximum(MAX_LINES)),
  aluno: listedInFile,
  inativo: z._default(z.boolean(), false),
  etiquetas: z.optional(studentTags.shape.etiquetas),
  saldo: z._default(z.array(openingCredits).check(z.maxLength(MAX_LOTS)), []),
  /** The agreement for a monthly plan. */
  mensalidade: z.optional(broughtTerms),
});
export type ImportLine = z.infer<typeof importLine>;

/** The client generates `import_id`: lines that are sent again with it are imported once. */
export const importLines = z.strictObject({
  import_id: id,
  linhas: z.array(importLine).check(
    z.minLength(1),
    z.maxLength(LINES_AT_ONCE),
    z.refine((lines) => new Set(lines.map(({ linha }) => linha)).size === lines.length, {
      error: 'Há linhas repetidas',
    }),
  ),
});
export type ImportLines = z.infer<typeof importLines>;

/** `repetidos`: lines that were already imported. `student_ids`: those of all lines, in their order. */
export const imported = z.object({ id, importados: z.int(), repetidos: z.int(), student_ids: z.array(id) });
export type Imported = z.infer<typeof imported>;

/** One step of undoing an import; `restam`: students that are left for further steps. */
export const undoneImport = z.object({ id, removidos: z.int(), mantidos: z.int(), restam: z.int() });
export type UndoneImport = z.infer<typeof undoneImport>;

export const studentImport = z.object({
  id,
  em: instant,
  alunos: z.int(),
  /** Removed by the undoing; `mantidos` stayed, because they were in use. */
  removidos: z.int(),
  mantidos: z.int(),
});
export type StudentImport = z.infer<typeof studentImport>;

export const studentImportList = z.strictObject(pageQuery);
export type StudentImportList = z.infer<typeof studentImportList>;
/** The latest first. */
export const studentImportPage = page(studentImport);
export type StudentImportPage = z.infer<typeof studentImportPage>;

export const studentImportErrors = {
  'student_imports.not_found': { status: 404, title: 'Importação não encontrada' },
  'student_imports.undone': { status: 409, title: 'Esta importação foi desfeita' },
} as const satisfies ErrorTable;

export const studentImportsApi = {
  list: get('/student-imports', {
    summary: 'Lista as importações de alunos',
    tags: ['students'],
    query: studentImportList,
    answer: studentImportPage,
  }),
  undo: post('/student-imports/:id/undo', {
    summary: 'Desfaz uma importação de alunos, um passo por vez',
    tags: ['students'],
    answer: undoneImport,
  }),
  undoPrice: get('/student-imports/:id/undo/preview', {
    summary: 'Mostra o que desfazer uma importação muda',
    tags: ['students'],
    answer: price,
  }),
  import: post('/student-imports', {
    summary: 'Importa linhas de um arquivo de alunos',
    tags: ['students'],
    body: importLines,
    answer: imported,
    status: 201,
    bodyLimit: IMPORT_BYTES,
    maxValues: IMPORT_VALUES,
  }),
};
