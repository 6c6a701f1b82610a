import { it, jest } from '@jest/globals';
import { MantineProvider } from '@mantine/core';
import { QueryClient, QueryClientProvider } from '@tanstack/react-query';
import { act, render, screen } from '@testing-library/react';
import type { LiveHandlers } from '../lib/live.js';

let heard: LiveHandlers['onHint'] = () => undefined;
jest.unstable_mockModule('../lib/live.js', () => ({
  listen: (_place: unknown, { onHint }: LiveHandlers) => {
    heard = onHint;
    return () => undefined;
  },
}));

it.each([
  ['personal', 'Agenda atualizada. Financeiro atualizado.'],
  ['aluno', 'Aulas atualizadas. Pagamentos atualizados.'],
] as const)('announces changes to screen readers in the words of the area: %s', async (role, words) => {
  const { default: LiveUpdates } = await import('./live-updates.js');
  render(
    <MantineProvider env="test">
      <QueryClientProvider client={new QueryClient()}>
        <LiveUpdates tenantId="tenant" studentId={null} role={role} />
      </QueryClientProvider>
    </MantineProvider>,
  );
  await screen.findByRole('status');
  act(() =>
    ['sessions', 'transactions'].forEach((topic) => heard({ tenantId: 'tenant', topic, position: 1 })),
  );
  await screen.findByText(words);
});
