import { queryOptions, useQuery } from '@tanstack/react-query';
import type { PublicPage } from '../../../../backend/modules/public-link/public-page.api.js';
import { useAnswer } from '../../lib/answer.js';
import { read } from '../../lib/calls.js';
import { useSendTo } from '../../lib/command.js';
import { http } from '../../lib/http.js';
import { reads } from '../../lib/topics.js';

const LINK = reads('public-link', ['locations', 'students', 'sessions', 'availability', 'settings']);
const WAITLIST = reads('waitlist', ['students', 'locations', 'public-link']);
const VISITS = reads('visits', ['sessions', 'students', 'public-link', 'charges']);

export const usePublicLink = () => useAnswer([LINK, 'settings'], 'GET /public-link');

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

export const visitsQuery = queryOptions({
  queryKey: [VISITS, 'coming'],
  queryFn: ({ signal }) => read('GET /visits', { signal }),
});
export const useVisits = () => useQuery(visitsQuery);

export const useStrangers = () => useAnswer([VISITS, 'strangers'], 'GET /visits/strangers');

export const useBlock = () => useSendTo('PUT /students/:id/visitor-block');

export const useWaitlist = () => useAnswer([WAITLIST, 'live'], 'GET /waitlist');
