import { useQuery } from '@tanstack/react-query';
import type {
  NewPixProvider,
  PixProviderShown,
} from '../../../../backend/modules/charges/pix-provider.api.js';
import { useCommand } from '../../lib/command.js';
import { http } from '../../lib/http.js';
import { reads } from '../../lib/topics.js';

const PROVIDER = reads('pix-provider', ['settings', 'charges']);
const topics = [PROVIDER, 'settings', 'charges'];
const path = '/settings/pix/provider';

export const usePixProvider = () =>
  useQuery({
    queryKey: [PROVIDER],
    queryFn: ({ signal }) => http.get<PixProviderShown>(path, undefined, signal),
  });

export const useConnectProvider = () =>
  useCommand({ send: (body: NewPixProvider, key) => http.put(path, key, body), topics });

export const useDisconnectProvider = () =>
  useCommand({ send: (_: void, key) => http.delete(path, key), topics });

export const useReconnectProvider = () =>
  useCommand({ send: (_: void, key) => http.post(`${path}/restore`, key), topics });

export const useTestProvider = () =>
  useCommand({ send: (_: void, key) => http.post(`${path}/test`, key), topics });
