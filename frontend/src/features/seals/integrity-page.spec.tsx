import { expect, it } from '@jest/globals';
import { cleanup, screen } from '@testing-library/react';
import { button, open, said, TROUBLE } from '../../../spec/screen.js';
import type { CheckResult, Integrity } from '../../../../backend/modules/seals/seals.api.js';
import IntegrityPage from './integrity-page.js';

const id = '7b0a3a52-9d0b-4a39-8a3a-0d2c1f1f6a22';
const lacre = { dia: '2026-11-28', feito_em: '2026-11-29T03:10:00.000Z' };
const intact: CheckResult = {
  situacao: 'integro',
  registros: 12,
  achados: [],
  total_de_achados: 0,
  lacres: { conferidos: 2, carimbados: 0, primeiro: '2026-11-27', ultimo: '2026-11-28' },
  comprovante: {
    registro: '{"day":"2026-11-28"}',
    assinatura: 'a',
    chave_publica: 'b',
    folha: 'c',
    caminho: [],
  },
};
const show = (integrity: Integrity, more: object = {}) =>
  open(<IntegrityPage />, { answers: { 'GET /integrity': integrity, ...more } });
const done = (resultado: CheckResult) => ({
  id,
  pedida_em: lacre.feito_em,
  concluida_em: lacre.feito_em,
  resultado,
});

it('says that nothing was verified or sealed yet', async () => {
  show({ lacre: null, por_email: false, verificacoes: [] });
  await screen.findByText('Seu histórico ainda não foi verificado.');
  await screen.findByText(/O primeiro lacre do seu histórico é feito de madrugada\./);
});

it('calls no log unsealed that was not verified yet, or whose seals are missing', async () => {
  const missing: CheckResult = { ...intact, situacao: 'faltam_lacres', comprovante: null };
  for (const verificacoes of [[], [done(missing)]]) {
    show({ lacre, por_email: false, verificacoes });
    await screen.findByText(/^Último lacre: /);
    expect(screen.queryByText(/O primeiro lacre do seu histórico/)).toBeNull();
    cleanup();
  }
});

it('says what was verified, and offers the proof', async () => {
  show({ lacre, por_email: false, verificacoes: [done(intact)] });
  await screen.findByText('Histórico íntegro');
  await screen.findByText(/^Conferimos 12 registros e 2 lacres \(27\/11\/2026 a 28\/11\/2026\)\. Verificado/);
  await button('Baixar comprovante');
});

it.each([
  ['conferida', /fora do servidor, também foi conferida\.$/],
  ['sem_resposta', /fora do servidor, não respondeu e não foi conferida\.$/],
] as const)('says of the second copy: %s', async (copia_externa, words) => {
  show({ lacre, por_email: false, verificacoes: [done({ ...intact, copia_externa })] });
  await screen.findByText(words);
});

it('switches the monthly mail on, and says where that failed', async () => {
  const answers = { lacre, por_email: false, verificacoes: [] };
  const user = show(answers, { 'PUT /integrity/mail': TROUBLE });
  await user.click(await screen.findByRole('switch', { name: /^Receber o lacre por e-mail/ }));
  expect((await said())[0]).toBe('Erro ao salvar');
});

it('lists what was found, and how much more', async () => {
  const achados = ['Registro 2: o evento não confere com o seu hash.'];
  show({
    lacre,
    por_email: false,
    verificacoes: [done({ ...intact, situacao: 'alterado', achados, total_de_achados: 4 })],
  });
  await screen.findByText('Alteração encontrada');
  await screen.findByText(achados[0]!);
  await screen.findByText('e mais 3');
});

it('says that a check runs, and keeps the last result beside it', async () => {
  const running = {
    id: `${id.slice(0, -1)}3`,
    pedida_em: lacre.feito_em,
    concluida_em: null,
    resultado: null,
  };
  show({ lacre, por_email: false, verificacoes: [running, done(intact)] });
  await screen.findByText('Verificando…');
  await screen.findByText('Histórico íntegro');
  expect(screen.queryByRole('button', { name: 'Verificar agora' })).toBeNull();
});

it('says why a check could not be asked for', async () => {
  const user = show({ lacre, por_email: false, verificacoes: [] }, { 'POST /integrity/checks': TROUBLE });
  await user.click(await button('Verificar agora'));
  expect((await said())[0]).toBe('Erro ao pedir a verificação');
});
