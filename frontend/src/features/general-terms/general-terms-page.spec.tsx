import { expect, it } from '@jest/globals';
import { screen } from '@testing-library/react';
import { button, open, said } from '../../../spec/screen.js';
import GeneralTermsPage from './general-terms-page.js';

it.each([
  [
    'the five parts',
    /^(Termos de uso|Privacidade \(LGPD\)|Cancelamento e remarcação|Pagamento e devolução|Responsabilidades)$/,
    5,
  ],
  ['the day of the last change', 'Última atualização: janeiro de 2025', 1],
  [
    'how late one may come',
    /até 10 minutos\. Com mais de 15 minutos de atraso, a sessão pode ser cancelada/,
    1,
  ],
  ['what a late cancellation may cost', /menos de 12 horas.*pode custar 1 crédito ou uma taxa/, 1],
  [
    'when a monthly plan is billed, and when its end counts',
    /no dia 1 de cada mês\..*a partir do próximo ciclo/,
    1,
  ],
  ['how early changes are announced', /30 dias de antecedência/, 1],
])('the general terms have what the specification names: %s', async (_, words, times) => {
  open(<GeneralTermsPage />, { answers: { 'GET /general-terms': { aceite: null } } });
  expect(await screen.findAllByText(words)).toHaveLength(times);
});

it('a trainer who agreed to a former version is asked again', async () => {
  const user = open(<GeneralTermsPage />, {
    answers: {
      'GET /general-terms': { aceite: { versao: '2025-01-01', em: '2026-11-02T12:00:00.000Z' } },
      'POST /general-terms/acceptance': {},
    },
  });
  await screen.findByText('Os termos mudaram depois da sua concordância de 02/11/2026.');
  await user.click(await button('Concordo com os termos'));
  expect(await said()).toEqual(['Concordância registrada']);
});
