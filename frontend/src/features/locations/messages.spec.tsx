import { describe, expect, it } from '@jest/globals';
import { screen, waitFor } from '@testing-library/react';
import { type Location, locationErrors } from '../../../../backend/modules/locations/locations.api.js';
import { postalCodeErrors } from '../../../../backend/modules/locations/postal-codes.api.js';
import { type Answers, button, field, open, Refusal, said, takeBack, TROUBLE } from '../../../spec/screen.js';
import LocationsPage from './locations-page.js';
import NewLocationPage from './new-location-page.js';

const ID = '7b0a3a52-9d0b-4a39-8a3a-0d2c1f1f6a13';
const gym = {
  id: ID,
  nome: 'Academia',
  endereco: null,
  cep: null,
  is_active: true,
  deslocamentos: [],
  criado_em: '2026-11-02T12:00:00.000Z',
} satisfies Location;

const listed = (answers: Answers) =>
  open(<LocationsPage />, {
    answers: { 'GET /locations': { items: [gym], next: null, total: 1 }, ...answers },
  });
const refused = (code: 'locations.not_found' | 'locations.in_use') =>
  new Refusal(locationErrors[code].status, { code, title: locationErrors[code].title });

describe('locations', () => {
  it.each<[string, unknown, [string, string?]]>([
    ['is created', { id: ID }, ['Local criado']],
    ['cannot be created', TROUBLE, ['Erro ao criar local', 'Ocorreu um erro inesperado.']],
  ])('a location %s', async (_, answer, words) => {
    const user = open(<NewLocationPage />, { answers: { 'POST /locations': answer } });
    await user.type(await field('Nome *'), 'Academia');
    await user.click(await button('Cadastrar Local'));
    expect(await said()).toEqual(words);
  });

  it('is created with the travel times to the others', async () => {
    const sent: unknown[] = [];
    const user = open(<NewLocationPage />, {
      answers: {
        'GET /locations': { items: [gym], next: null, total: 1 },
        'POST /locations': (body: unknown) => {
          sent.push(body);
          return { id: ID };
        },
      },
    });
    await user.type(await field('Nome *'), 'Parque');
    await user.type(await field('Até Academia'), '25');
    await user.click(await button('Cadastrar Local'));
    expect(await said()).toEqual(['Local criado']);
    expect(sent).toMatchObject([{ nome: 'Parque', deslocamentos: [{ location_id: ID, minutos: 25 }] }]);
  });

  it('is created with its address as one text, in the zone of its state if that is chosen', async () => {
    const sent: unknown[] = [];
    const keep = (body: unknown) => {
      sent.push(body);
      return { id: ID };
    };
    const town = { cep: '69900000', logradouro: '', bairro: 'Centro', cidade: 'Rio Branco', uf: 'AC' };
    const user = open(<NewLocationPage />, {
      answers: {
        'GET /postal-codes/69900000': town,
        'PUT /settings/timezone': keep,
        'POST /locations': keep,
      },
    });
    await user.type(await field('Nome *'), 'Parque');
    await user.type(await field('Rua'), 'Rua Acre');
    await user.type(await field('Número'), '12');
    await user.type(await field('CEP'), '69900000');
    await user.tab();
    await screen.findByText(/^Este endereço fica em outro fuso horário: Acre/);
    await user.click(await button('Usar este fuso na agenda'));
    await user.click(await button('Cadastrar Local'));
    await waitFor(() => expect(sent).toHaveLength(2));
    expect(sent).toMatchObject([
      { fuso_horario: 'America/Rio_Branco' },
      { nome: 'Parque', endereco: 'Rua Acre, 12, Centro, Rio Branco, AC' },
    ]);
  });

  it('needs a name', async () => {
    const user = open(<NewLocationPage />);
    await user.click(await button('Cadastrar Local'));
    await screen.findByText('Informe o nome');
  });

  it.each<[string, unknown, [string, string?]]>([
    [
      'fills in the address',
      {
        cep: '01310100',
        logradouro: 'Avenida Paulista',
        bairro: 'Bela Vista',
        cidade: 'São Paulo',
        uf: 'SP',
      },
      ['✅ Endereço preenchido'],
    ],
    [
      'is not known',
      new Refusal(404, {
        code: 'postal_codes.not_found',
        title: postalCodeErrors['postal_codes.not_found'].title,
      }),
      ['CEP não encontrado'],
    ],
    [
      'is not looked up where that is switched off',
      new Refusal(404, {
        code: 'postal_codes.switched_off',
        title: postalCodeErrors['postal_codes.switched_off'].title,
      }),
      ['Erro ao buscar CEP', 'Preencha o endereço nos campos.'],
    ],
    ['cannot be looked up', TROUBLE, ['Erro ao buscar CEP', 'Preencha o endereço nos campos.']],
  ])('a postal code %s', async (_, answer, words) => {
    const user = open(<NewLocationPage />, { answers: { 'GET /postal-codes/01310100': answer } });
    await user.type(await field('CEP'), '01310100');
    await user.tab();
    expect(await said()).toEqual(words);
    expect((await field('Rua')).value).toBe(words[0].startsWith('✅') ? 'Avenida Paulista' : '');
  });

  it.each<[string, unknown, Record<string, string>]>([
    [
      'of a town with one code',
      { cep: '69900000', logradouro: '', bairro: '', cidade: 'Rio Branco', uf: 'AC' },
      { Rua: '', Bairro: 'Centro', Cidade: 'Rio Branco', UF: 'AC' },
    ],
    ['that cannot be looked up', TROUBLE, { Rua: '', Bairro: 'Centro', Cidade: '', UF: '' }],
  ])(
    'a postal code %s empties what the one before filled in, and nothing that was typed',
    async (_, answer, fields) => {
      const paulista = {
        logradouro: 'Avenida Paulista',
        bairro: 'Bela Vista',
        cidade: 'São Paulo',
        uf: 'SP',
      };
      const answers = {
        'GET /postal-codes/01310100': { cep: '01310100', ...paulista },
        'GET /postal-codes/69900000': answer,
      };
      const user = open(<NewLocationPage />, { answers });
      await user.type(await field('CEP'), '01310100');
      await user.tab();
      await screen.findByDisplayValue('Avenida Paulista');
      await user.clear(await field('Bairro'));
      await user.type(await field('Bairro'), 'Centro');
      await user.clear(await field('CEP'));
      await user.type(await field('CEP'), '69900000');
      await user.tab();
      await waitFor(() => expect(screen.queryByDisplayValue('Avenida Paulista')).toBeNull());
      const shown = await Promise.all(
        Object.keys(fields).map(async (name) => [name, (await field(name)).value]),
      );
      expect(Object.fromEntries(shown)).toEqual(fields);
    },
  );

  it.each<[string, unknown, [string, string?]]>([
    ['is changed', { id: ID }, ['Local atualizado']],
    ['cannot be changed', TROUBLE, ['Erro ao atualizar local', 'Ocorreu um erro inesperado.']],
    [
      'is gone meanwhile',
      refused('locations.not_found'),
      ['Erro ao atualizar local', 'Local não encontrado'],
    ],
  ])('a location %s', async (_, answer, words) => {
    const user = listed({ [`PATCH /locations/${ID}`]: answer });
    await user.click(await button('Editar'));
    await user.type(await field('Nome *'), ' nova');
    await user.click(await button('Salvar'));
    expect(await said()).toEqual(words);
  });

  it.each<[string, unknown, [string, string?]]>([
    ['is removed', { id: ID }, ['Local removido']],
    ['cannot be removed', TROUBLE, ['Erro ao remover local', 'Ocorreu um erro inesperado.']],
    [
      'has what belongs to it',
      refused('locations.in_use'),
      [
        'Erro ao remover local',
        'Não é possível remover o local: possui vínculos (agendamentos/recebimentos). Use Inativar se disponível.',
      ],
    ],
  ])('a location %s', async (_, answer, words) => {
    const user = listed({ [`DELETE /locations/${ID}`]: answer });
    await user.click(await button('Remover Academia'));
    expect(await said()).toEqual(words);
  });

  it('that is in use is deactivated from the refusal to remove it, and reactivated from the list of inactive ones', async () => {
    const sent: unknown[] = [];
    const user = listed({
      [`DELETE /locations/${ID}`]: refused('locations.in_use'),
      [`PATCH /locations/${ID}`]: (body: unknown) => (sent.push(body), { id: ID }),
      'GET /locations': () => ({ items: [{ ...gym, is_active: sent.length === 0 }], next: null, total: 1 }),
    });
    await user.click(await button('Remover Academia'));
    expect(await takeBack()).toBe('Erro ao remover local');
    expect(await said()).toEqual(['Local inativado', 'Academia saiu da lista de ativos.']);
    await user.click(await screen.findByText('Inativos'));
    await user.click(await button('Reativar'));
    expect(await said()).toEqual(['Local reativado']);
    expect(sent).toEqual([{ is_active: false }, { is_active: true }]);
  });

  it('shows an error where they cannot be loaded', async () => {
    open(<LocationsPage />, { answers: { 'GET /locations': TROUBLE } });
    await screen.findByText('Erro ao carregar locais');
  });
});
