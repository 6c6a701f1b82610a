import { describe, expect, it } from '@jest/globals';
import type { Location, LocationPage } from '../../backend/modules/locations/locations.api.js';
import type { PostalAddress } from '../../backend/modules/locations/postal-codes.api.js';
import type { ProblemBody } from '../../backend/platform/http/common.api.js';
import { startApp } from '../support/app.js';
import { testDatabase } from '../support/database.js';
import { signUp } from '../support/people.js';
import { expectRebuildToEqualLive } from '../support/rebuild.js';
import { once } from 'node:events';
import { createServer, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import { atEnd } from '../support/cleanup.js';

/** How a simulated provider of postal codes answers. */
type Doing = (response: ServerResponse) => void;

const answers =
  (body: unknown, status = 200): Doing =>
  (response) =>
    response.writeHead(status, { 'content-type': 'application/json' }).end(JSON.stringify(body));
const hangs: Doing = () => undefined;

/** A local server that simulates ViaCEP under `/ws` and BrasilAPI under `/api/cep/v2`. */
async function postalCodeServer() {
  const state = { viaCep: hangs, brasilApi: hangs, asked: [] as string[] };
  const server = createServer((request, response) => {
    const path = request.url!;
    state.asked.push(path);
    if (/^\/ws\/\d{8}\/json\/$/.test(path)) state.viaCep(response);
    else if (/^\/api\/cep\/v2\/\d{8}$/.test(path)) state.brasilApi(response);
    else response.writeHead(400).end();
  }).listen(0, '127.0.0.1');
  await once(server, 'listening');
  atEnd(() => {
    server.closeAllConnections();
    server.close();
  });
  const origin = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
  return { state, env: { VIACEP_URL: `${origin}/ws`, BRASILAPI_URL: `${origin}/api/cep/v2` } };
}

const database = await testDatabase();
const server = await postalCodeServer();
const app = await startApp({ env: server.env });
const trainer = await signUp(app);

const gym = { nome: 'Academia Centro', endereco: 'Rua Direita, 10, Centro, São Paulo, SP', cep: '01002-000' };

const add = async (fields: object = gym, { api } = trainer) => (await api.post('/locations', fields)).body.id;
const read = async (id: string) => (await trainer.api.get<Location>(`/locations/${id}`)).body;
const log = () => database.query('select type, data from events order by tenant_id, position');

describe('a location', () => {
  it('is added active, its postal code as digits', async () => {
    const id = await add();
    expect(await read(id)).toEqual({
      id,
      ...gym,
      cep: '01002000',
      is_active: true,
      deslocamentos: [],
      criado_em: expect.stringMatching(/Z$/),
    });
  });

  it('needs only a name, and may start inactive', async () => {
    expect(await read(await add({ nome: 'Parque', is_active: false }))).toMatchObject({
      endereco: null,
      cep: null,
      is_active: false,
    });
  });

  it('is changed and deactivated', async () => {
    const id = await add();
    await trainer.api.patch(`/locations/${id}`, { nome: 'Academia Sul', cep: null, is_active: false });
    expect(await read(id)).toMatchObject({
      nome: 'Academia Sul',
      endereco: gym.endereco,
      cep: null,
      is_active: false,
    });
  });

  it('is removed only while no session refers to it, and restored unchanged', async () => {
    const id = await add();
    const before = await read(id);
    await trainer.api.delete(`/locations/${id}`);
    await trainer.api.get(`/locations/${id}`, { status: 404 });
    await trainer.api.post(`/locations/${id}/restore`);
    expect(await read(id)).toEqual(before);
  });

  it('of a session is not removed, nor is its student', async () => {
    const id = await add();
    const { id: student_id } = (await trainer.api.post('/students', { nome: 'Bia', telefone: '11943214321' }))
      .body;
    const session = {
      student_id,
      location_id: id,
      inicio: '2030-11-26T10:00:00Z',
      fim: '2030-11-26T11:00:00Z',
    };
    await trainer.api.post('/sessions', session);
    const { body } = await trainer.api.delete(`/locations/${id}`, { status: 409 });
    expect(body).toMatchObject({
      code: 'locations.in_use',
      title:
        'Não é possível remover o local: possui vínculos (agendamentos/recebimentos). Use Inativar se disponível.',
    });
    await trainer.api.delete(`/students/${student_id}`, { status: 409 });
  });

  it('to which a session was moved is not removed', async () => {
    const id = await add();
    const { id: student_id } = (await trainer.api.post('/students', { nome: 'Bia', telefone: '11943214321' }))
      .body;
    const session = { student_id, inicio: '2030-11-27T10:00:00Z', fim: '2030-11-27T11:00:00Z' };
    const booked = (await trainer.api.post('/sessions', session)).body.id;
    await trainer.api.patch(`/sessions/${booked}`, { location_id: id });
    await trainer.api.delete(`/locations/${id}`, { status: 409 });
  });

  it('is not readable in the log: it may be where the trainer lives', async () => {
    await add();
    const text = JSON.stringify(await log());
    for (const secret of ['Academia', 'Direita', '01002000']) expect(text).not.toContain(secret);
  });
});

it('locations are listed by name, in pages', async () => {
  const other = await signUp(app);
  for (const nome of ['Área verde', 'Zona Sul', 'box 1']) await add({ nome }, other);
  const first = (await other.api.get<LocationPage>('/locations', { query: { limit: 2 } })).body;
  expect(first.items.map(({ nome }) => nome)).toEqual(['Área verde', 'box 1']);
  const query = { limit: 2, cursor: first.next! };
  const second = (await other.api.get<LocationPage>('/locations', { query })).body;
  expect(second.items.map(({ nome }) => nome)).toEqual(['Zona Sul']);
  expect([first.total, second.total, second.next]).toEqual([3, 3, null]);
});

it.each<[object, string, string]>([
  [{ nome: ' ' }, '/nome', 'Informe o nome'],
  [{ nome: 'Parque', cep: '1234' }, '/cep', 'CEP inválido'],
  [{ nome: 'Parque', endereco: 'x'.repeat(301) }, '/endereco', 'Use no máximo 300 caracteres'],
])('%j is refused, and nothing is written', async (fields, pointer, detail) => {
  const before = await log();
  const { body } = await trainer.api.post('/locations', fields, { status: 400 });
  expect(body).toMatchObject({ errors: [{ pointer, detail }] });
  expect(await log()).toEqual(before);
});

describe('a postal code', () => {
  /** Without a status, asks again as a page does where a busy machine had no answer in the second and a half that it may take. */
  const find = (cep: string, status?: number) =>
    trainer.api.get<PostalAddress>(`/postal-codes/${cep}`, { status });
  const square = { cep: '01001000', logradouro: 'Praça da Sé', bairro: 'Sé', cidade: 'São Paulo', uf: 'SP' };
  const street = { logradouro: 'Praça da Sé', complemento: 'lado ímpar', bairro: 'Sé' };
  const viaCep = { cep: '01001-000', ...street, localidade: 'São Paulo', uf: 'SP', ibge: '3550308' };
  const brasilApi = { cep: '69900000', state: 'AC', city: 'Rio Branco', neighborhood: null, street: null };

  it('is looked up once and then stored', async () => {
    server.state.viaCep = answers(viaCep);
    expect((await find('01001000')).body).toEqual(square);
    server.state.viaCep = hangs;
    expect((await find('01001000')).body).toEqual(square);
    // On a slow machine the second provider may have been asked too.
    expect(server.state.asked.filter((path) => path.startsWith('/ws/'))).toEqual(['/ws/01001000/json/']);
  });

  it.each([
    ['does not know it', '69900001', answers({ erro: 'true' })],
    ['refuses', '69900002', answers({}, 500)],
    ['answers nonsense', '69900003', answers('<html>')],
    ['answers without end', '69900004', answers({ ...viaCep, logradouro: 'x'.repeat(200_000) })],
    ['is silent', '69900005', hangs],
  ])('is requested from the second provider if the first %s', async (_, cep, viaCepDoes) => {
    Object.assign(server.state, { viaCep: viaCepDoes, brasilApi: answers(brasilApi) });
    const town = { cep, logradouro: '', bairro: '', cidade: 'Rio Branco', uf: 'AC' };
    expect((await find(cep)).body).toEqual(town);
  });

  it('that neither provider knows is not found, and looked up again the next time', async () => {
    Object.assign(server.state, { viaCep: answers({ erro: true }), brasilApi: answers({}, 404) });
    expect((await find('99999999', 404)).body).toMatchObject({ title: 'CEP não encontrado' });
    server.state.viaCep = answers(viaCep);
    await find('99999999');
  });

  it('that no provider answers is given up, and locations can be saved meanwhile', async () => {
    Object.assign(server.state, { viaCep: hangs, brasilApi: hangs });
    const looked = trainer.api.get<ProblemBody>('/postal-codes/20000000', { status: 503 });
    await add();
    const { body, headers } = await looked;
    expect(body).toMatchObject({ title: 'Erro ao buscar CEP', code: 'postal_codes.unavailable' });
    expect(headers.get('retry-after')).toBe('10');
  });

  it('is given up before an answer that comes after two seconds', async () => {
    const late: Doing = (response) => setTimeout(() => answers(viaCep)(response), 2_000);
    Object.assign(server.state, { viaCep: late, brasilApi: late });
    await find('20000001', 503);
  });

  it('has eight digits', async () => {
    for (const cep of ['0100100', '01001-000', 'abcdefgh']) await find(cep, 400);
  });
});

it('a rebuild gives the same locations', async () => {
  await trainer.api.get('/locations');
  await expectRebuildToEqualLive(app, 'locations');
});
