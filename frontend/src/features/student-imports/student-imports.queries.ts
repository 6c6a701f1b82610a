import { useQuery } from '@tanstack/react-query';
import { useState } from 'react';
import type { ImportLine } from '../../../../backend/modules/student-imports/student-imports.api.js';
import type { StudentPage } from '../../../../backend/modules/students/students.api.js';
import { useAnswer } from '../../lib/answer.js';
import { read } from '../../lib/calls.js';
import { useSend, useSendTo } from '../../lib/command.js';
import { codeOf } from '../../lib/problem.js';
import { reads } from '../../lib/topics.js';
import { importIdOf, type KnownPhone, portionsOf } from './lines.js';

const IMPORTS = reads('student-imports', []);

/** The latest imports. */
export const usePastImports = () =>
  useAnswer([IMPORTS, 'list'], 'GET /student-imports', { query: { limit: 20 } });

async function readPhones(signal: AbortSignal): Promise<Map<string, KnownPhone>> {
  const phones = new Map<string, KnownPhone>();
  for (const situacao of ['ativos', 'arquivados'] as const) {
    let cursor: string | null = null;
    do {
      const page: StudentPage = await read('GET /students', {
        query: { situacao, limit: 100, cursor },
        signal,
      });
      for (const { id, nome, arquivado, telefone, whatsapp } of page.items)
        for (const phone of [telefone, whatsapp]) if (phone) phones.set(phone, { id, nome, arquivado });
      cursor = page.next;
    } while (cursor !== null);
  }
  return phones;
}

/** All students by phone, read once for a file. */
export const useKnownPhones = () =>
  useQuery({
    queryKey: ['known-phones'],
    queryFn: ({ signal }) => readPhones(signal),
    gcTime: 0,
    refetchOnWindowFocus: false,
  });

/** How often one file may be imported and undone. */
const ATTEMPTS = 50;

/** Imports lines, portion by portion; lines that were sent before are not imported twice. */
export function useImport() {
  const [sent, setSent] = useState<number | null>(null);
  const { mutateAsync } = useSend('POST /student-imports');

  const sendAll = async (import_id: string, lines: readonly ImportLine[]): Promise<string[] | null> => {
    const students: string[] = [];
    for (const linhas of portionsOf(lines)) {
      try {
        students.push(...(await mutateAsync({ import_id, linhas })).student_ids);
      } catch (error) {
        if (students.length === 0 && codeOf(error) === 'student_imports.undone') return null;
        throw error;
      }
      setSent(students.length);
    }
    return students;
  };

  /** Returns the import's id, and the ids of the students by line. */
  const run = async (lines: readonly ImportLine[]) => {
    setSent(0);
    try {
      for (let attempt = 0; ; attempt += 1) {
        const id = importIdOf(lines, attempt);
        const students = await sendAll(id, lines);
        if (students === null && attempt < ATTEMPTS) continue;
        return { id, students: new Map(lines.map(({ linha }, n) => [linha, students?.[n]])) };
      }
    } finally {
      setSent(null);
    }
  };
  return { run, sent };
}

/** Undoes an import, step by step. Returns how many students stay because they are in use. */
export function useUndoImport() {
  const { mutateAsync } = useSendTo('POST /student-imports/:id/undo');
  return async (id: string): Promise<number> => {
    let kept = 0;
    for (;;) {
      const { mantidos, restam } = await mutateAsync(id);
      kept += mantidos;
      if (restam === 0) return kept;
    }
  };
}
