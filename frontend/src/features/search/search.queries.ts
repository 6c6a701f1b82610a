import { keepPreviousData, useQuery } from '@tanstack/react-query';
import { read } from '../../lib/calls.js';
import { reads } from '../../lib/topics.js';

const SEARCH = reads('search', ['students', 'sessions', 'tasks']);

/** The server requires at least two letters. */
const SHORTEST = 2;

export function useSearch(q: string) {
  return useQuery({
    queryKey: [SEARCH, q],
    queryFn: ({ signal }) => read('GET /search', { query: { q }, signal }),
    enabled: q.length >= SHORTEST,
    placeholderData: keepPreviousData,
  });
}
