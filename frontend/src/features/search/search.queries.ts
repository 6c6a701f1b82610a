import { keepPreviousData, useQuery } from '@tanstack/react-query';
import type { SearchResults } from '../../../../backend/modules/search/search.api.js';
import { http } from '../../lib/http.js';
import { reads } from '../../lib/topics.js';

const SEARCH = reads('search', ['students', 'sessions', 'tasks']);

/** The server requires at least two letters. */
const SHORTEST = 2;

export function useSearch(q: string) {
  return useQuery({
    queryKey: [SEARCH, q],
    queryFn: ({ signal }) => http.get<SearchResults>('/search', { q }, signal),
    enabled: q.length >= SHORTEST,
    placeholderData: keepPreviousData,
  });
}
