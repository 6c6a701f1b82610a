import { useQuery } from '@tanstack/react-query';
import { read } from '../../lib/calls.js';
import { useSend } from '../../lib/command.js';
import { reads } from '../../lib/topics.js';

const SHARING = reads('advisor-sharing', []);

export const useSharing = () =>
  useQuery({
    queryKey: [SHARING],
    queryFn: ({ signal }) => read('GET /settings/advisor', { signal }),
  });

export const useSetSharing = () => useSend('PUT /settings/advisor');
