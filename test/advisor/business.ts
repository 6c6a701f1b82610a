import { agendaOf, on } from '../agenda/trainer.js';
import type { TestDatabase } from '../support/database.js';
import type { Trainer } from '../support/people.js';

/** Payments received in October, in cents. */
export const TAXES = 28_200;

/** A business that began in September: receitas, one of them reversed, expenses, charges, credits and sessions. */
export async function live({ api }: Trainer): Promise<{ ana: string; bia: string }> {
  const { plan, student, renew, book, complete } = agendaOf(api);
  const pacote = await plan({ nome: 'Pacote 8', valor: 64_000, creditos: 8 });
  const [ana, bia] = [await student('Ana Souza', pacote), await student('Beatriz Ramos', pacote)];
  for (const [at, month] of ['2026-09', '2026-10', '2026-11'].entries()) {
    for (let n = 0; n < 5; n += 1) {
      const entry = {
        descricao: 'Mensalidade',
        valor: 10_007 + n * 1_111 + at * 333,
        metodo_pagamento: 'pix',
      };
      const data = `${month}-0${n + 1}`;
      const { id } = (await api.post('/transactions', { tipo: 'receita', ...entry, data, student_id: ana }))
        .body;
      if (n === 4) await api.post(`/transactions/${id}/reverse`, { motivo: 'em dobro' });
      if (n === 3) await api.post('/transactions', { tipo: 'despesa', ...entry, data });
    }
  }
  await api.post('/transactions', {
    tipo: 'despesa',
    descricao: 'INSS',
    valor: TAXES,
    metodo_pagamento: 'pix',
    data: '2026-10-15',
    categoria: 'impostos',
  });
  const owed = { descricao: 'Pacote', valor: 25_000 };
  await api.post('/charges', { student_id: bia, ...owed, vencimento: '2026-11-10' });
  await api.post('/charges', { student_id: ana, ...owed, valor: 18_000, vencimento: '2026-11-28' });
  await renew(bia);
  const at = on(20);
  await complete(await book({ student_id: bia, inicio: at(7), fim: at(8) }));
  return { ana, bia };
}

interface Entry {
  type: string;
  data: { tipo: string; valor: number; data: string; alocacoes: { tipo: string; valor: number }[] };
}

/** Sums over the events of the log, without any read table. */
export async function sums(
  database: TestDatabase,
  { tenantId }: Trainer,
  month: string | ((data: string) => boolean),
) {
  const entries = await database.query<Entry>(
    `select type, data from events where tenant_id = $1 and type in ('TransactionRecorded', 'TransactionReversed')`,
    [tenantId],
  );
  const isIn = typeof month === 'string' ? (data: string) => data.startsWith(month) : month;
  const inMonth = entries.filter(({ data }) => isIn(data.data));
  const total = (tipo: string, amount: (data: Entry['data']) => number) =>
    inMonth
      .filter(({ data }) => data.tipo === tipo)
      .reduce(
        (sum, { type, data }) => sum + (type === 'TransactionRecorded' ? amount(data) : -amount(data)),
        0,
      );
  const recebido = total('receita', ({ valor }) => valor);
  const despesas = total('despesa', ({ valor }) => valor);
  const receitas = total('receita', () => 1);
  const imposto = total(
    'receita',
    ({ alocacoes }) => alocacoes.find(({ tipo }) => tipo === 'imposto')!.valor,
  );
  return { recebido, despesas, receitas, imposto, lucro: recebido - despesas };
}
