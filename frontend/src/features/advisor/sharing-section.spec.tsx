import { expect, it } from '@jest/globals';
import { screen } from '@testing-library/react';
import { open } from '../../../spec/screen.js';
import { SharingSection } from './sharing-section.js';

it.each(['sem_nomes', 'com_nomes'])('says all that is sent to the language model (%s)', async (envio) => {
  open(<SharingSection />, { answers: { 'GET /settings/advisor': { envio, servidor: 'ia.exemplo.com' } } });
  const means = await screen.findByText(/^São enviados/);
  expect(means.textContent).toMatch(
    'São enviados a conversa e os valores da resposta: quanto entrou e saiu, quem deve, créditos, agenda',
  );
});
