import { afterEach, expect, it, jest } from '@jest/globals';
import { onlineManager } from '@tanstack/react-query';
import { act, screen, waitFor } from '@testing-library/react';
import type { OwnArea } from '../../../../backend/modules/accounts/area-links.api.js';
import { open } from '../../../spec/screen.js';
import { queryClient } from '../../lib/query-client.js';
import AreaByLink from './area-by-link.js';

const area: OwnArea = {
  primeiro_nome: 'Ana',
  personal: 'Marina Alves',
  timezone: 'America/Sao_Paulo',
  posicao: 1,
};
const page = { at: '/minha-area/token', path: '/minha-area/:token' };

const cut = () => {
  jest.spyOn(navigator, 'onLine', 'get').mockReturnValue(false);
  onlineManager.setOnline(false);
};

afterEach(() => {
  jest.restoreAllMocks();
  onlineManager.setOnline(true);
  queryClient.clear();
});

it('a student’s area that a link opens without a network says so instead of loading', async () => {
  cut();
  const failing = () => {
    throw new TypeError('Failed to fetch');
  };
  open(<AreaByLink />, { ...page, answers: { 'GET /student/area': failing } });
  await screen.findByText('Sem internet');
});

it('a student’s area that a link has opened says without a network since when it is so', async () => {
  open(<AreaByLink />, { ...page, answers: { 'GET /student/area': area } });
  // The place of the bar, which is loaded after the page.
  await waitFor(() => expect(screen.getByRole('status').hasAttribute('aria-busy')).toBe(false));
  cut();
  act(() => void window.dispatchEvent(new Event('offline')));
  await screen.findByText(/^Sem internet\. Você vê os dados de hoje, /);
});
