import { useQuery } from '@tanstack/react-query';
import type { SharingChange, ShownSharing } from '../../../../backend/modules/advisor/sharing.api.js';
import { useCommand } from '../../lib/command.js';
import { http } from '../../lib/http.js';
import { reads } from '../../lib/topics.js';

const SHARING = reads('advisor-sharing', []);

export const useSharing = () =>
  useQuery({
    queryKey: [SHARING],
    queryFn: ({ signal }) => http.get<ShownSharing>('/settings/advisor', undefined, signal),
  });

export const useSetSharing = () =>
  useCommand({
    send: (body: SharingChange, key) => http.put<{ id: string }>('/settings/advisor', key, body),
    topics: [SHARING],
  });
