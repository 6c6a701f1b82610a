import { expect, it } from '@jest/globals';
import { pageLinesOf } from '../../../test/support/pdf-text.js';
import { dossierFile } from './dossier.pdf.js';

it('keeps the numbers of facts on one line, in each table', async () => {
  const row = (n: string, cells: number) => [n, ...Array.from({ length: cells - 1 }, () => '—')];
  const file = await dossierFile({
    de: '2024-12-01',
    ate: '2026-11-30',
    zone: 'America/Sao_Paulo',
    nome: 'Ana Souza',
    cpf: null,
    personal: { nome: 'Marina Prado', documento: null, cref: null },
    escrito_em: new Date('2026-12-01T12:00:00Z'),
    codigo: 'D-46FP',
    verificacao: 'https://rende.app/verificar/D-46FP',
    ultimo: { posicao: 1, hash: '4d32', em: null },
    registros: 1,
    lacrado_em: null,
    conferido: null,
    carimbo: 'none',
    contratos: [],
    regras: [],
    mostrada: [],
    fontes: [],
    sessoes: { linhas: [row('200', 5)], resumo: '1 sessão.', canceladas: 0 },
    creditos: { abertura: 0, linhas: [row('2002', 7)], fechamento: 0 },
    cobrancas: { linhas: [row('2004', 7)], valor: 0, pago: 0, aberto: 0 },
    pagamentos: { linhas: [row('2006', 6)], recebido: 0 },
    mensagens: [row('2008', 4)],
  });
  expect(pageLinesOf(file).flat()).toEqual(expect.arrayContaining(['200', '2002', '2004', '2006', '2008']));
});
