import { useQuery } from '@tanstack/react-query';
import { read } from '../../lib/calls.js';
import { useSend } from '../../lib/command.js';
import { reads } from '../../lib/topics.js';

const PROVIDER = reads('pix-provider', ['settings', 'charges']);

export const usePixProvider = () =>
  useQuery({
    queryKey: [PROVIDER],
    queryFn: ({ signal }) => read('GET /settings/pix/provider', { signal }),
  });

export const useConnectProvider = () => useSend('PUT /settings/pix/provider');

export const useDisconnectProvider = () => useSend('DELETE /settings/pix/provider');

export const useReconnectProvider = () => useSend('POST /settings/pix/provider/restore');

export const useTestProvider = () => useSend('POST /settings/pix/provider/test');
