import { useQuery } from '@tanstack/react-query';
import { useState } from 'react';
import type { ImportLine } from '../../../../backend/modules/student-imports/student-imports.api.js';
import type { StudentPage } from '../../../../backend/modules/students/students.api.js';
import { read, write } from '../../lib/calls.js';
import { useCommand, useSend } from '../../lib/command.js';
import { codeOf } from '../../lib/problem.js';
import { reads } from '../../lib/topics.js';
import { importIdOf, portionsOf } from './lines.js';

const IMPORTS = reads('student-imports', []);

/** The latest imports. */
export const usePastImports = () =>
  useQuery({
    queryKey: [IMPORTS, 'list'],
    queryFn: ({ signal }) => read('GET /student-imports', { query: { limit: 20 }, signal }),
  });

async function readPhones(signal: AbortSignal): Promise<Map<string, string>> {
  const phones = new Map<string, string>();
  for (const situacao of ['ativos', 'arquivados'] as const) {
    let cursor: string | null = null;
    do {
      const page: StudentPage = await read('GET /students', {
        query: { situacao, limit: 100, cursor },
        signal,
      });
      for (const { nome, telefone, whatsapp } of page.items)
        for (const phone of [telefone, whatsapp]) if (phone) phones.set(phone, nome);
      cursor = page.next;
    } while (cursor !== null);
  }
  return phones;
}

/** The names of all students by phone, read once for a file. */
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

  const sendAll = async (import_id: string, lines: readonly ImportLine[]): Promise<boolean> => {
    let count = 0;
    for (const linhas of portionsOf(lines)) {
      try {
        await mutateAsync({ import_id, linhas });
      } catch (error) {
        if (count === 0 && codeOf(error) === 'student_imports.undone') return false;
        throw error;
      }
      count += linhas.length;
      setSent(count);
    }
    return true;
  };

  /** Returns the import's id. */
  const run = async (lines: readonly ImportLine[]): Promise<string> => {
    setSent(0);
    try {
      for (let attempt = 0; ; attempt += 1) {
        const id = importIdOf(lines, attempt);
        if ((await sendAll(id, lines)) || attempt === ATTEMPTS) return id;
      }
    } finally {
      setSent(null);
    }
  };
  return { run, sent };
}

/** Undoes an import, step by step. Returns how many students stay because they are in use. */
export function useUndoImport() {
  const [busy, setBusy] = useState(false);
  const { mutateAsync } = useCommand({
    send: (id: string, key) => write('POST /student-imports/:id/undo', key, { of: [id] }),
  });
  const undo = async (id: string): Promise<number> => {
    setBusy(true);
    try {
      let kept = 0;
      for (;;) {
        const { mantidos, restam } = await mutateAsync(id);
        kept += mantidos;
        if (restam === 0) return kept;
      }
    } finally {
      setBusy(false);
    }
  };
  return { undo, busy };
}
