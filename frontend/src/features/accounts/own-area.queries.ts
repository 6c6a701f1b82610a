import { useQuery } from '@tanstack/react-query';
import type { OwnArea } from '../../../../backend/modules/accounts/area-links.api.js';
import { http } from '../../lib/http.js';
import { reads } from '../../lib/topics.js';

const OWN_AREA = reads('own-area', []);

/** Whose area the page's link shows. */
export const useOwnArea = (token: string) =>
  useQuery({
    queryKey: [OWN_AREA, token],
    queryFn: ({ signal }) => http.get<OwnArea>('/student/area', undefined, signal),
  });
