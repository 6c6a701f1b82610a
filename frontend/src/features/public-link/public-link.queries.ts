import { queryOptions, useQuery } from '@tanstack/react-query';
import type { LocationPage } from '../../../../backend/modules/locations/locations.api.js';
import type {
  LinkChange,
  PublicLink,
  SlugChange,
  StrangerList,
  StrangersForgotten,
  VisitList,
} from '../../../../backend/modules/public-link/public-link.api.js';
import type { PublicPage } from '../../../../backend/modules/public-link/public-page.api.js';
import type { SentChange, Waitlist } from '../../../../backend/modules/public-link/waitlist.api.js';
import { useCommand } from '../../lib/command.js';
import { http } from '../../lib/http.js';
import { reads } from '../../lib/topics.js';

const LINK = reads('public-link', ['locations', 'students', 'sessions', 'availability']);
const WAITLIST = reads('waitlist', ['students', 'locations', 'public-link']);
const VISITS = reads('visits', ['sessions', 'students', 'public-link']);

export const usePublicLink = () =>
  useQuery({
    queryKey: [LINK, 'settings'],
    queryFn: ({ signal }) => http.get<PublicLink>('/public-link', undefined, signal),
  });

/** Large enough for print. */
const QR_PIXELS = 1024;

/** As a data URL. */
export const useQr = (url: string) =>
  useQuery({
    queryKey: ['qr', url],
    queryFn: async () => (await import('qrcode')).toDataURL(url, { width: QR_PIXELS, margin: 4 }),
    staleTime: Infinity,
  });

/** What visitors see with the saved settings. */
export const usePreview = (slug: string, isOn: boolean) =>
  useQuery({
    queryKey: [LINK, 'preview', slug],
    queryFn: ({ signal }) => http.get<PublicPage>(`/public/pages/${slug}`, undefined, signal),
    enabled: isOn,
  });

export const usePlaces = () =>
  useQuery({
    queryKey: [LINK, 'places'],
    queryFn: ({ signal }) => http.get<LocationPage>('/locations', { limit: 100 }, signal),
  });

const topics = ['public-link'];

export const useSaveLink = () =>
  useCommand({ send: (body: LinkChange, key) => http.put('/public-link', key, body), topics });

export const useChangeSlug = () =>
  useCommand({
    send: (body: SlugChange, key) => http.put<{ slug: string }>('/public-link/slug', key, body),
    topics,
  });

export const visitsQuery = queryOptions({
  queryKey: [VISITS, 'coming'],
  queryFn: ({ signal }) => http.get<VisitList>('/visits', undefined, signal),
});
export const useVisits = () => useQuery(visitsQuery);

export const useStrangers = () =>
  useQuery({
    queryKey: [VISITS, 'strangers'],
    queryFn: ({ signal }) => http.get<StrangerList>('/visits/strangers', undefined, signal),
  });

const changed = ['visits', 'sessions'];

export const useForgetStrangers = () =>
  useCommand({
    send: (student_ids: string[], key) =>
      http.post<StrangersForgotten>('/visits/strangers/forget', key, { student_ids }),
    topics: [...changed, 'students'],
  });

export const useConfirmVisit = () =>
  useCommand({ send: (id: string, key) => http.post(`/visits/${id}/confirm`, key), topics: changed });

export const useDeclineVisit = () =>
  useCommand({
    send: ({ id, mensagem }: { id: string; mensagem: string | null }, key) =>
      http.post(`/visits/${id}/decline`, key, { mensagem }),
    topics: changed,
  });

export const useReopenVisit = () =>
  useCommand({
    send: (sessionId: string, key) => http.post(`/sessions/${sessionId}/reopen`, key, {}),
    topics: changed,
  });

export const useBlock = () =>
  useCommand({
    send: ({ id, bloqueado }: { id: string; bloqueado: boolean }, key) =>
      http.put(`/students/${id}/visitor-block`, key, { bloqueado }),
    topics: ['visits', 'public-link'],
  });

export const useWaitlist = () =>
  useQuery({
    queryKey: [WAITLIST, 'live'],
    queryFn: ({ signal }) => http.get<Waitlist>('/waitlist', undefined, signal),
  });

export const useMarkOffer = () =>
  useCommand({
    send: ({ id, ...body }: { id: string } & SentChange, key) => http.put(`/waitlist/${id}/sent`, key, body),
    topics: ['waitlist'],
  });

export const useSkipWaiting = () =>
  useCommand({
    send: ({ id, pulado }: { id: string; pulado: boolean }, key) =>
      http.put(`/waitlist/${id}/skip`, key, { pulado }),
    topics: ['waitlist'],
  });
