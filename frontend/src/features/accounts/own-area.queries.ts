import { useQuery } from '@tanstack/react-query';
import { read } from '../../lib/calls.js';
import { reads } from '../../lib/topics.js';

export const OWN_AREA = reads('own-area', []);
const LOOK_AGAIN_MS = 30_000;

/** The names and log position of the area of a link. Polled while the page is visible, since hints need an account. */
export const useOwnArea = (token: string) =>
  useQuery({
    queryKey: [OWN_AREA, token],
    queryFn: ({ signal }) => read('GET /student/area', { signal }),
    refetchInterval: LOOK_AGAIN_MS,
  });
