import { expect, it } from '@jest/globals';
import { screen } from '@testing-library/react';
import { open } from '../../../spec/screen.js';
import { type Moment, momentOf } from '../../lib/dates.js';
import { ForecastSheet } from './forecast.js';

const none = () => undefined;
const id = '7b0a3a52-9d0b-4a39-8a3a-0d2c1f1f6a12';
const line = { id, titulo: 'Mensal 8', aluno: 'Bia Lima', estorno: false, data: '2026-11-05' };
const pausa = {
  tipo: 'pausa',
  valor: -41_000,
  resto: { quantidade: 2, valor: -1_000 },
  linhas: [{ ...line, origem: 'mensalidade', valor: -40_000 }],
};
const novo = {
  tipo: 'novo_aluno',
  valor: 60_000,
  resto: { quantidade: 0, valor: 0 },
  linhas: [{ ...line, origem: 'cobranca', valor: 60_000 }],
};
const month = { mes: '2026-11', at: '2026-11-01T03:00:00.000Z' };
const sheet = (answer: object, moment: Moment | null = null) =>
  open(<ForecastSheet opened month="2026-11" moment={moment} onClose={none} />, {
    answers: { 'GET /finance/months/2026-11/forecast': { ...month, ...answer } },
  });

it('the month leads from what was predicted to what came, by reasons that open their lines', async () => {
  sheet({ previsto: 100_000, recebido: 119_000, passos: [pausa, novo] });
  await screen.findByText(/o previsto era R\$\s1\.000,00\. Entraram R\$\s1\.190,00: R\$\s190,00 a mais\./);
  const step = (await screen.findByText('Alunos em pausa')).closest('details')!;
  expect(step.textContent).toContain('410,00');
  expect(step.querySelector('a')?.getAttribute('href')).toBe(`/alunos/${id}`);
  expect(step.textContent).toContain('E mais 2 linhas');
  // From what was predicted down to 590 of 1190 reais, and from there up to the end.
  const bars = [...document.querySelectorAll<HTMLElement>('[data-kind]')].map(({ style }) =>
    [style.left, style.width].map(Number.parseFloat).map(Math.round),
  );
  expect(bars).toEqual([
    [0, 84],
    [50, 34],
    [50, 50],
    [0, 100],
  ]);
});

it('the month of a past moment starts from what was predicted then', async () => {
  const moment = momentOf('2026-11-15T08:30', 'America/Sao_Paulo')!;
  sheet({ previsto: 100_000, recebido: 60_000, passos: [pausa] }, moment);
  await screen.findByText(/^Em 15 de novembro de 2026, 8:30, o previsto era R\$\s1\.000,00\./);
});

it('a month with nothing in it says so', async () => {
  sheet({ previsto: 0, recebido: 0, passos: [] });
  await screen.findByText('Nada previsto nem recebido em novembro');
});
