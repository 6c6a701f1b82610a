import { expect, it } from '@jest/globals';
import { screen, waitFor } from '@testing-library/react';
import { formatMoney } from '../../lib/money.js';
import { open } from '../../../spec/screen.js';
import { FigureSheet } from './figure-sheet.js';

const none = () => undefined;
const bia = '7b0a3a52-9d0b-4a39-8a3a-0d2c1f1f6a12';
const month = (mes: string, recebido: number, receitas: number) => ({
  mes,
  recebido,
  receitas,
  despesas: 0,
  lucro: recebido,
  previsto: 0,
  ainda_entra: 0,
  vencido: 0,
  sem_cobranca: 0,
  meta: 1_000_000,
  ticket_medio: 0,
  aderencia: 0,
  reserva_sugerida: recebido / 5,
  meta_reserva: 0,
  dias_restantes: 0,
  entrega: null,
  alocacoes: { imposto: 0, reserva: 0, operacional: 0, retirada: 0 },
  variacao: { lucro: null, ticket_medio: null, aderencia: null },
});
const summary = month('2026-11', 30_000, 2);
const answers = {
  [`GET /students/${bia}`]: { nome: 'Bia Lima' },
  'GET /finance/lines': { items: [], next: null, total: 90_000 },
  'GET /finance/months/2026-10': month('2026-10', 60_000, 4),
  'GET /finance/months/2026-11': summary,
};

const sheet = (address: string, shown = summary) => {
  const search = new URLSearchParams(address);
  open(
    <FigureSheet
      search={search}
      summary={shown}
      moment={null}
      onExplain={none}
      onForecast={none}
      onClose={none}
    />,
    {
      answers,
    },
  );
};

it.each([
  ['', 'em novembro:'],
  ['&de=2025-12-01&ate=2026-11-30', 'de dezembro de 2025 a novembro de 2026:'],
  ['&de=2026-11-20&ate=2026-11-26&meio=pix', 'de 20/11/2026 a 26/11/2026, só Pix:'],
  [`&aluno=${bia}`, 'em novembro, só Bia Lima:'],
])('the lines of a figure with "%s" say what they are of', async (part, words) => {
  sheet(`figura=recebido${part}`);
  const of = await screen.findByText(/^De onde vem este número/);
  await waitFor(() => expect(of.textContent).toBe(`De onde vem este número, ${words}`));
  expect((await screen.findByText('Soma das linhas')).nextElementSibling?.textContent).toBe(
    formatMoney(90_000),
  );
});

it('a figure that is computed over several months says how', async () => {
  sheet('figura=ticket_medio&de=2026-10-01&ate=2026-11-30');
  expect((await screen.findByText('Dividido por 6 receitas')).nextElementSibling?.textContent).toBe(
    formatMoney(15_000),
  );
});

it('the share of the goal says what the month still asks for', async () => {
  sheet('figura=aderencia', { ...summary, dias_restantes: 2 });
  await screen.findByText(/Faltam R\$\s9\.700,00 em 2 dias: R\$\s4\.850,00 por dia\./);
});

it('a figure that the address names wrong is not opened', () => {
  sheet('figura=recebido&aluno=ninguem');
  expect(screen.queryByText(/^De onde vem/)).toBeNull();
});
