import { describe, expect, it } from '@jest/globals';
import { screen } from '@testing-library/react';
import {
  consents,
  type Contract,
  type Signable,
} from '../../../../backend/modules/contracts/contracts.api.js';
import { platformErrors } from '../../../../backend/platform/http/common.api.js';
import { button, field, open, Refusal, said, TROUBLE } from '../../../spec/screen.js';

import ContractsPage from './contracts-page.js';
import EditContractPage from './edit-contract-page.js';
import NewContractPage from './new-contract-page.js';
import { SignForm } from './sign-form.js';
import { Signing } from './signing.js';
import { templates } from './templates.js';

const ID = '7b0a3a52-9d0b-4a39-8a3a-0d2c1f1f6a19';
const contract = {
  id: ID,
  titulo: 'Termo de adesão',
  tipo: 'termo_aluno',
  is_active: true,
  versao: 1,
  assinaturas: 0,
  aguardando: 0,
  alterado_em: '2026-11-02T12:00:00.000Z',
  conteudo: '<p>Combinado.</p>',
  codigo_email: false,
  responsavel: false,
  lembretes: true,
  versoes: [],
} satisfies Contract;
const signable = {
  id: ID,
  personal: 'Bia',
  titulo: 'Termo de adesão',
  conteudo: '<p>Combinado.</p>',
  versao: 1,
  estado: 'aberto',
  expires_at: '2026-12-02T12:00:00.000Z',
  aluno: null,
  codigo_email: null,
  responsavel: false,
  papel_responsavel: null,
  prova: null,
  pede_cpf: false,
} satisfies Signable;
describe('contracts', () => {
  it.each<[string, unknown, [string, string?]]>([
    ['is created', { id: ID, versao: 1 }, ['Contrato criado com sucesso']],
    ['cannot be created', TROUBLE, ['Erro ao criar contrato', 'Ocorreu um erro inesperado.']],
  ])('a contract %s', async (_, answer, words) => {
    const path = '/ajustes/contratos-termos/novo';
    const user = open(<NewContractPage />, { answers: { 'POST /contracts': answer }, at: path, path });
    await user.click(await button(templates[0]!.titulo));
    await user.click(await button('Criar contrato'));
    expect(await said()).toEqual(words);
  });

  it('show their merge fields filled in the preview', async () => {
    const path = '/ajustes/contratos-termos/novo';
    const user = open(<NewContractPage />, { at: path, path });
    await user.click(await button(templates[0]!.titulo));
    await user.click(await button('Pré-visualizar'));
    const { textContent } = await screen.findByRole('region', { name: 'Pré-visualização' });
    expect(textContent).toContain('Contratante: Ana Souza, CPF 529.982.247-25.');
    expect(textContent).not.toContain('{{');
  });

  it.each<[string, unknown, [string, string?]]>([
    ['is changed', { id: ID, versao: 1 }, ['Contrato atualizado com sucesso']],
    ['cannot be changed', TROUBLE, ['Erro ao atualizar contrato', 'Ocorreu um erro inesperado.']],
  ])('a contract %s', async (_, answer, words) => {
    const user = open(<EditContractPage />, {
      answers: { [`GET /contracts/${ID}`]: contract, [`PATCH /contracts/${ID}`]: answer },
      at: `/ajustes/contratos-termos/${ID}/editar`,
      path: '/ajustes/contratos-termos/:id/editar',
    });
    await user.type(await field('Título *'), ' novo');
    await user.click(await button('Salvar'));
    expect(await said()).toEqual(words);
  });

  it.each<[string, unknown, [string, string?]]>([
    ['is signed', {}, ['Contrato assinado com sucesso']],
    ['cannot be signed', TROUBLE, ['Erro ao assinar contrato', 'Ocorreu um erro inesperado.']],
    [
      'is not signed by who is not signed in any more',
      new Refusal(401, { code: 'unauthenticated', title: platformErrors.unauthenticated.title }),
      ['Erro ao assinar contrato', 'Usuário não autenticado'],
    ],
  ])('a contract %s', async (_, answer, words) => {
    const user = open(
      <SignForm contract={signable} reader={{ as: 'student', id: ID }} isRead onCpf={() => undefined} />,
      { answers: { [`POST /student/signature-requests/${ID}/sign`]: answer } },
    );
    await user.type(await field('Nome completo *'), 'Ana Souza');
    await user.type(await field('CPF *'), '52998224725');
    await user.type(await field('Telefone *'), '11943214321');
    await user.click(await field(consents.dados));
    await user.click(await field(consents.termos));
    await user.click(await button('Assinar contrato'));
    expect(await said()).toEqual(words);
  });

  it('ask for a telephone number, not for a WhatsApp number, if it is missing', async () => {
    const user = open(
      <SignForm contract={signable} reader={{ as: 'student', id: ID }} isRead onCpf={() => undefined} />,
    );
    await user.click(await button('Assinar contrato'));
    await screen.findByText('Informe o telefone com DDD');
  });

  it.each([
    [
      'expirado',
      'trainer',
      'O prazo para assinar expirou',
      'Envie o contrato de novo para gerar outro link.',
    ],
    ['expirado', 'student', 'O prazo para assinar expirou', 'Peça um novo link ao seu personal.'],
    ['cancelado', 'trainer', 'Este link foi cancelado', 'Envie o contrato de novo para gerar outro link.'],
    ['cancelado', 'student', 'Este link foi cancelado', 'Peça um novo link ao seu personal.'],
    ['inativo', 'trainer', 'O contrato está inativo', 'Reative o contrato para o aluno poder assinar.'],
    ['inativo', 'student', 'Seu personal inativou este contrato', /^Ele não recebe mais assinaturas\./],
    ['substituido', 'student', 'Este link foi substituído por outro', /abra o envio mais recente\.$/],
    ['recusado', 'student', 'Este contrato foi recusado', /peça ao seu personal que envie de novo\.$/],
    ['desistido', 'student', 'Houve desistência deste contrato', /^A assinatura deixou de valer\./],
  ] as const)('that are %s say so and what to do to the %s', async (estado, as, why, way) => {
    open(<Signing contract={{ ...signable, conteudo: '', estado }} reader={{ as, id: ID }} />);
    await screen.findByText(why);
    await screen.findByText(way);
  });

  it('show an error if they cannot be loaded', async () => {
    open(<ContractsPage />, { answers: { 'GET /contracts': TROUBLE } });
    await screen.findByText('Erro ao carregar contratos');
  });
});
