import { queryOptions, useQuery, useQueryClient } from '@tanstack/react-query';
import { useAnswer } from '../lib/answer.js';
import type {
  KnownStudent,
  ListedStudent,
  Student,
  StudentOrder,
  StudentPage,
} from '../../../backend/modules/students/students.api.js';
import { useCallback } from 'react';
import { read } from '../lib/calls.js';
import { cachedOffline } from '../lib/offline-cache.js';
import { usePaged } from '../lib/paged.js';
import { useDoneHere } from '../lib/pending.js';
import { searchable } from '../../../backend/platform/searchable.api.js';
import { reads } from '../lib/topics.js';
import { studentWithEdits } from './pending-student.js';

export const STUDENTS = reads('students', ['plans', 'credits', 'sessions', 'charges']);
const RECENT = reads('recent-students', ['sessions', 'students', 'credits']);

/** Filter by status. Among active students, `sumidos` come less than they did, and `acabando` have a plan that ends soon. */
export type Standing = 'ativos' | 'acabando' | 'sumidos' | 'arquivados';

export interface LookedFor {
  q: string;
  standing: Standing | 'todos';
  ordem?: StudentOrder;
  /** Only those with this tag. */
  etiqueta?: string | null;
}

/** The query parameters. */
function queryOf({ q, standing, ordem, etiqueta }: LookedFor) {
  const situacao = standing === 'arquivados' || standing === 'todos' ? standing : ('ativos' as const);
  const only = standing === 'sumidos' || standing === 'acabando' ? { [standing]: 'sim' as const } : {};
  return { q, situacao, ...only, ordem, etiqueta };
}

/** Reads all matching students. */
export async function readAll(lookedFor: LookedFor, signal?: AbortSignal): Promise<ListedStudent[]> {
  const students: ListedStudent[] = [];
  let cursor: string | null = null;
  do {
    const query = { ...queryOf(lookedFor), limit: 100, cursor };
    const page: StudentPage = await read('GET /students', { query, signal });
    students.push(...page.items);
    cursor = page.next;
  } while (cursor !== null);
  return students;
}

/** All active students for the offline cache, without contact data and descriptions. */
export const studentsCopy = queryOptions({
  queryKey: [STUDENTS, 'copy'],
  queryFn: ({ signal }) => readAll({ q: '', standing: 'ativos' }, signal),
  staleTime: 10 * 60_000,
  persister: cachedOffline<ListedStudent[]>(),
});

/** The server's orders; students are already sorted by name. */
const sorts: Record<StudentOrder, (one: ListedStudent, other: ListedStudent) => number> = {
  nome: () => 0,
  saldo: (one, other) => one.creditos - other.creditos,
  ultima: (one, other) => (one.ultima ?? '').localeCompare(other.ultima ?? ''),
  divida: (one, other) => other.divida - one.divida,
};

/** The students in pages; offline from the cache. */
export function useStudents({ q, standing, ordem = 'nome', etiqueta = null }: LookedFor) {
  const writes = useDoneHere();
  const shown = useCallback((student: ListedStudent) => studentWithEdits(student, writes), [writes]);
  const list = usePaged<ListedStudent, StudentPage>(
    [STUDENTS, 'list', { q, standing, ordem, etiqueta }],
    (cursor, signal) =>
      read('GET /students', { query: { ...queryOf({ q, standing, ordem, etiqueta }), cursor }, signal }),
    shown,
  );
  const { fetchStatus, isPlaceholderData, isPending, error, hasNextPage, isFetchingNextPage } = list;
  // The offline cache has no tags.
  const isCut =
    (standing === 'ativos' || standing === 'todos') &&
    etiqueta === null &&
    fetchStatus === 'paused' &&
    (isPlaceholderData || isPending);
  const { data: copy } = useQuery({ ...studentsCopy, enabled: isCut });
  const found = {
    data: list.data as { pages: readonly StudentPage[] } | undefined,
    fetchStatus,
    isPlaceholderData,
    isPending,
    error,
    hasNextPage,
    isFetchingNextPage,
    refetch: list.refetch,
    fetchNextPage: list.fetchNextPage,
  };
  if (!isCut || !copy) return found;
  const items = copy
    .map(shown)
    .filter(({ nome }) => searchable(nome).includes(searchable(q)))
    .toSorted(sorts[ordem]);
  const pages = [{ items, next: null, total: items.length }];
  return { ...found, data: { pages }, isPlaceholderData: false, isPending: false, hasNextPage: false };
}

/** Students with a recent or coming session. */
export const useRecentStudents = () =>
  useQuery({
    queryKey: [RECENT],
    queryFn: ({ signal }) => read('GET /sessions/recent-students', { signal }),
    select: ({ items }) => items,
  });

export const studentQuery = (id: string) =>
  queryOptions({
    queryKey: [STUDENTS, 'one', id],
    queryFn: ({ signal }) => read('GET /students/:id', { of: [id], signal }),
  });

/** What was known at a moment: nothing that is recorded later changes it. */
const PAST = reads('past-students', []);

export const useStudentAt = (id: string, at: string) =>
  useAnswer([PAST, id, at], 'GET /students/:id', { of: [id], query: { at } });

export function useStudent(id: string) {
  const writes = useDoneHere();
  return useQuery({
    ...studentQuery(id),
    select: useCallback((student: KnownStudent) => studentWithEdits(student, writes), [writes]),
  });
}

/** Names of students, as far as they are loaded or in the offline cache. */
export function useStudentName() {
  const client = useQueryClient();
  return (id: string): string | null => {
    const copy = client.getQueryData<Student[]>(studentsCopy.queryKey);
    const student =
      client.getQueryData<Student>([STUDENTS, 'one', id]) ?? copy?.find((each) => each.id === id);
    return student?.nome ?? null;
  };
}
