import { expect, it } from '@jest/globals';
import { screen } from '@testing-library/react';
import type { DossierPreview } from '../../../../backend/modules/dossier/dossier.api.js';
import type { ListedStudent } from '../../../../backend/modules/students/students.api.js';
import { button, field, open, said, TROUBLE } from '../../../spec/screen.js';
import { DossierSheet } from './dossier-sheet.js';

const ana = { id: '7b0a3a52-9d0b-4a39-8a3a-0d2c1f1f6a22', nome: 'Ana Souza' } as ListedStudent;
const preview: DossierPreview = {
  contrato: { titulo: 'Contrato', versao: 2, assinado_em: '2020-03-01T12:00:00.000Z' },
  regras: 1,
  sessoes: 24,
  canceladas: 1,
  creditos: 30,
  cobrancas: 3,
  pagamentos: 3,
  mensagens: 0,
  registros: 140,
  lacrado_em: '2026-11-28',
};
const nothing = { sessoes: 0, creditos: 0, cobrancas: 0, pagamentos: 0, mensagens: 0, contrato: null };
const show = (answer: unknown, more: object = {}) =>
  open(<DossierSheet student={ana} />, {
    at: '/?dossie=',
    answers: { [`GET /students/${ana.id}/dossier`]: answer, ...more },
  });

it('says what the file will hold, and why it could not be downloaded', async () => {
  const user = show(preview, { [`GET /students/${ana.id}/dossier/file`]: TROUBLE });
  for (const text of ['Contrato, versão 2', '24, 1 cancelada', '140, com o lacre de 28/11/2026'])
    await screen.findByText(text);
  await user.click(await button('Baixar PDF'));
  expect((await said())[0]).toBe('Erro ao baixar o dossiê');
});

it('begins with a contract that is older than 24 months 24 months ago', async () => {
  const user = show(preview);
  await user.click(await button('Desde o contrato'));
  await screen.findByText(/, os últimos 24 meses\.$/);
});

it('has no file for a period in which nothing happened', async () => {
  show({ ...preview, ...nothing });
  await screen.findByText('Nada aconteceu neste período');
  expect(screen.queryByRole('button', { name: 'Baixar PDF' })).toBeNull();
  expect(screen.queryByRole('button', { name: 'Desde o contrato' })).toBeNull();
});

it('asks for another period where that is too long or ends before it begins', async () => {
  const user = show(preview);
  await user.click(await button('Escolher'));
  const type = async (label: string, day: string) => {
    await user.clear(await field(label));
    await user.type(await field(label), day);
    await user.tab();
  };
  await type('De', '01/01/2020');
  await screen.findByText('Escolha um período de até 24 meses');
  expect(screen.queryByRole('button', { name: 'Baixar PDF' })).toBeNull();
  await type('Até', '31/12/2019');
  await screen.findByText('O fim do período vem depois do início');
});

it('says that it could not be prepared', async () => {
  show(TROUBLE);
  await screen.findByText('Erro ao preparar o dossiê');
});
