import { expect, it } from '@jest/globals';
import { screen } from '@testing-library/react';
import { open } from '../../../spec/screen.js';
import { Statement } from './statement.js';

const moment = { em: '2026-11-10', at: '2026-11-11T02:59:59.999Z', day: '2026-11-10', time: null };
const line = {
  id: 'l',
  posicao: 7,
  em: '2026-11-09T12:00:00.000Z',
  quantidade: -1,
  saldo: 2,
  disponivel: 2,
  tipo: 'consumo',
  motivo: null,
  plano_nome: null,
  session_id: 's',
  de_aluno: null,
  outro_aluno: null,
  pode_desfazer: false,
  pagamento: null,
  lote_id: 'lote',
  sessao: { inicio: '2026-11-09T12:00:00.000Z', local_nome: null, excluida: false },
};
const account = {
  divisao: { usa: null, com: [], texto: null },
  saldo: 2,
  lotes: [{ id: 'lote' }],
  extrato: { items: [line], next: null },
  lacre: null,
};

it('a past statement leads to sessions of that moment, and asks for no reasons, which are those of today', async () => {
  open(<Statement studentId="ana" moment={moment} />, { answers: { 'GET /students/ana/credits': account } });
  const session = await screen.findByRole('link');
  expect(session.getAttribute('href')).toBe('/agenda?dia=2026-11-09&sessao=s&em=2026-11-10');
  expect(screen.queryAllByRole('button')).toEqual([]);
});
