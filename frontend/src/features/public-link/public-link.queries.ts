import { queryOptions, useQuery } from '@tanstack/react-query';
import type { VisitConfirmation } from '../../../../backend/modules/public-link/public-link.api.js';
import type { PublicPage } from '../../../../backend/modules/public-link/public-page.api.js';
import type { SentChange } from '../../../../backend/modules/public-link/waitlist.api.js';
import { read, write } from '../../lib/calls.js';
import { useCommand, useSend } from '../../lib/command.js';
import { http } from '../../lib/http.js';
import { reads } from '../../lib/topics.js';

const LINK = reads('public-link', ['locations', 'students', 'sessions', 'availability']);
const WAITLIST = reads('waitlist', ['students', 'locations', 'public-link']);
const VISITS = reads('visits', ['sessions', 'students', 'public-link']);

export const usePublicLink = () =>
  useQuery({
    queryKey: [LINK, 'settings'],
    queryFn: ({ signal }) => read('GET /public-link', { signal }),
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
    queryFn: ({ signal }) => read('GET /locations', { query: { limit: 100 }, signal }),
  });

export const useSaveLink = () => useSend('PUT /public-link');

export const useChangeSlug = () => useSend('PUT /public-link/slug');

export const visitsQuery = queryOptions({
  queryKey: [VISITS, 'coming'],
  queryFn: ({ signal }) => read('GET /visits', { signal }),
});
export const useVisits = () => useQuery(visitsQuery);

export const useStrangers = () =>
  useQuery({
    queryKey: [VISITS, 'strangers'],
    queryFn: ({ signal }) => read('GET /visits/strangers', { signal }),
  });

export const useForgetStrangers = () => useSend('POST /visits/strangers/forget');

export const useConfirmVisit = () =>
  useCommand({
    send: ({ id, ...body }: { id: string } & VisitConfirmation, key) =>
      write('POST /visits/:id/confirm', key, { of: [id], body }),
  });

export const useDeclineVisit = () =>
  useCommand({
    send: ({ id, mensagem }: { id: string; mensagem: string | null }, key) =>
      write('POST /visits/:id/decline', key, { of: [id], body: { mensagem } }),
  });

export const useReopenVisit = () =>
  useCommand({
    send: (sessionId: string, key) => write('POST /sessions/:id/reopen', key, { of: [sessionId], body: {} }),
  });

export const useBlock = () =>
  useCommand({
    send: ({ id, bloqueado }: { id: string; bloqueado: boolean }, key) =>
      write('PUT /students/:id/visitor-block', key, { of: [id], body: { bloqueado } }),
  });

export const useWaitlist = () =>
  useQuery({
    queryKey: [WAITLIST, 'live'],
    queryFn: ({ signal }) => read('GET /waitlist', { signal }),
  });

export const useMarkOffer = () =>
  useCommand({
    send: ({ id, ...body }: { id: string } & SentChange, key) =>
      write('PUT /waitlist/:id/sent', key, { of: [id], body }),
  });

export const useSkipWaiting = () =>
  useCommand({
    send: ({ id, pulado }: { id: string; pulado: boolean }, key) =>
      write('PUT /waitlist/:id/skip', key, { of: [id], body: { pulado } }),
  });
