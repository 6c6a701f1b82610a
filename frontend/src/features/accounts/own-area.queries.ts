import { useQuery } from '@tanstack/react-query';
import type { OwnArea } from '../../../../backend/modules/accounts/area-links.api.js';
import { http } from '../../lib/http.js';
import { reads } from '../../lib/topics.js';

export const OWN_AREA = reads('own-area', []);
const LOOK_AGAIN_MS = 30_000;

/** The names and log position of the area of a link. Polled while the page is visible, since hints need an account. */
export const useOwnArea = (token: string) =>
  useQuery({
    queryKey: [OWN_AREA, token],
    queryFn: ({ signal }) => http.get<OwnArea>('/student/area', undefined, signal),
    refetchInterval: LOOK_AGAIN_MS,
  });
