import { randomUUID } from 'node:crypto';
import { expect, it } from '@jest/globals';
import { addDays } from 'date-fns';
import type { ProblemBody } from '../../backend/platform/http/common.api.js';
import { testDatabase } from '../support/database.js';
import { dayOf } from '../support/days.js';
import { signUp } from '../support/people.js';
import { sharedApp } from '../support/shared.js';

await testDatabase();
const app = await sharedApp();
const trainer = await signUp(app);
const ana = (await trainer.api.post('/students', { nome: 'Ana Souza', telefone: '11943214321' })).body.id;

type Body = Record<string, unknown>;
interface Undone {
  path: () => Promise<string> | string;
  method?: 'PUT' | 'PATCH';
  before: Body;
  changed: Body;
  /** What another window has set since. */
  since: Body;
  detail: string;
}

const slug = `ana-${randomUUID().slice(0, 8)}`;
const link = { ativo: true, dias: 7, duracao_min: 60, intervalo_min: 15, por_dia: 3, antecedencia_min: 0 };
const page = { ...link, locais: null, texto: 'Oi', whatsapp: null, indexavel: false, ver_todos: false };
const notices = { push: ['aulas', 'pedidos'], email: [], desligados: [], silencio: null };
const key = { tipo: 'email', chave: 'ana@exemplo.com.br', nome: 'Ana', cidade: 'Rio' };
const booking = { ativo: true, dias: 14, duracao_min: 60, intervalo_min: 0, antecedencia_min: 120 };
const own = { ...booking, abertas: 4, exige_credito: true };
const end = (days: number) => dayOf(addDays(new Date(), days));

const changes: Record<string, Undone> = {
  'a cancellation policy': {
    path: async () =>
      `/locations/${(await trainer.api.post('/locations', { nome: 'Parque' })).body.id}/policy`,
    before: { cancel_limite_horas: 24, taxa_percent: 0, queima_credito: false },
    changed: { cancel_limite_horas: 12, taxa_percent: 50, queima_credito: true },
    since: { cancel_limite_horas: 12, taxa_percent: 30, queima_credito: true },
    detail: 'A política mudou depois dessa alteração. Confira como ela está agora.',
  },
  'the public link': {
    path: () => '/public-link',
    before: page,
    changed: { ...page, locais: [], ver_todos: true },
    since: { ...page, locais: [], texto: 'Olá' },
    detail: 'As configurações mudaram depois dessa alteração. Confira como elas estão agora.',
  },
  "the public link's address": {
    path: () => '/public-link/slug',
    before: { slug: `${slug}-a` },
    changed: { slug: `${slug}-b` },
    since: { slug: `${slug}-c` },
    detail: 'O endereço mudou depois dessa alteração. Confira como ele está agora.',
  },
  'notification settings': {
    path: () => '/settings/notifications',
    before: { ...notices, zona: 'America/Sao_Paulo' },
    changed: { ...notices, silencio: { de: '22:00', ate: '07:00' }, zona: 'America/Sao_Paulo' },
    since: {
      ...notices,
      push: ['aulas'],
      silencio: { de: '22:00', ate: '07:00' },
      zona: 'America/Sao_Paulo',
    },
    detail: 'As notificações mudaram depois dessa alteração. Confira como elas estão agora.',
  },
  'the rules of make-ups': {
    path: () => '/settings/make-up',
    before: { ativo: false, teto_percent: 25, prazo_meses: 1 },
    changed: { ativo: true, teto_percent: 25, prazo_meses: 1 },
    since: { ativo: true, teto_percent: 50, prazo_meses: 1 },
    detail: 'As configurações mudaram depois dessa alteração. Confira como elas estão agora.',
  },
  "settings of students' bookings": {
    path: () => '/settings/student-booking',
    before: own,
    changed: { ...own, dias: 21 },
    since: { ...own, dias: 21, abertas: 2 },
    detail: 'As configurações mudaram depois dessa alteração. Confira como elas estão agora.',
  },
  'what the advisor may send': {
    path: () => '/settings/advisor',
    before: { envio: 'sem_nomes' },
    changed: { envio: 'com_nomes' },
    since: { envio: 'nada' },
    detail: 'As configurações mudaram depois dessa alteração. Confira como elas estão agora.',
  },
  'the Pix key': {
    path: () => '/settings/pix',
    before: key,
    changed: { ...key, chave: 'bia@exemplo.com.br' },
    since: { ...key, chave: 'caio@exemplo.com.br' },
    detail: 'A chave Pix mudou depois dessa alteração. Confira como ela está agora.',
  },
  'a note': {
    method: 'PATCH',
    path: async () => {
      const note = { dia: '2026-11-20', texto: 'Joelho' };
      return `/student-notes/${(await trainer.api.post(`/students/${ana}/notes`, note)).body.id}`;
    },
    before: { dia: '2026-11-20', texto: 'Joelho' },
    changed: { dia: '2026-11-20', texto: 'Joelho direito' },
    since: { dia: '2026-11-20', texto: 'Joelho esquerdo' },
    detail: 'A anotação mudou depois dessa alteração. Confira como ela está agora.',
  },
  'tags of a student': {
    path: () => `/students/${ana}/tags`,
    before: { etiquetas: ['Manhã'] },
    changed: { etiquetas: ['Manhã', 'Corrida'] },
    since: { etiquetas: ['Corrida'] },
    detail: 'As etiquetas mudaram depois dessa alteração. Confira como elas estão agora.',
  },
  'a pause': {
    path: () => `/students/${ana}/pause`,
    before: { ate: end(3) },
    changed: { ate: end(5) },
    since: { ate: end(9) },
    detail: 'A pausa mudou depois dessa alteração. Confira como ela está agora.',
  },
};

it.each(Object.entries(changes))(
  'the undo of a change of %s is refused once it was changed again, and works while it stands',
  async (_, { path, method = 'PUT', before, changed, since, detail }) => {
    const address = `/api/v1${await path()}`;
    const send = async (body: Body) => {
      const answer = await trainer.api.request<ProblemBody>(method, address, { body });
      return [answer.status, answer.body.code, answer.body.detail];
    };
    const undo = { ...before, se_ainda: changed };
    for (const body of [before, changed, since]) expect((await send(body))[0]).toBe(200);
    expect(await send(undo)).toEqual([409, 'changed_since', detail]);
    expect((await send(changed))[0]).toBe(200);
    expect((await send(undo))[0]).toBe(200);
    // Taken back once, it is not what it was any more.
    expect((await send(undo))[1]).toBe('changed_since');
  },
);

it('the end of a pause and the removal of the Pix key are undone only while there is none', async () => {
  const send = async (method: string, path: string, body: Body) =>
    (await trainer.api.request<ProblemBody>(method, `/api/v1${path}`, { body })).status;
  const bia = (await trainer.api.post('/students', { nome: 'Bia Lima', telefone: '11943214322' })).body.id;
  const pause = `/students/${bia}/pause`;
  const none = { tipo: null, chave: null, nome: null, cidade: null };
  for (const [path, set, unset, undo] of [
    [pause, { ate: end(3) }, ['PUT', pause, { ate: null }], { ate: end(3), se_ainda: { ate: null } }],
    ['/settings/pix', key, ['POST', '/settings/pix/remove', {}], { ...key, se_ainda: none }],
  ] as [string, Body, [string, string, Body], Body][]) {
    await send('PUT', path, set);
    expect(await send('PUT', path, undo)).toBe(409);
    expect(await send(...unset)).toBe(200);
    expect(await send('PUT', path, undo)).toBe(200);
  }
  const taken = { se_ainda: { ...key, cidade: 'Niterói' } };
  expect(await send('POST', '/settings/pix/remove', taken)).toBe(409);
  expect(await send('POST', '/settings/pix/remove', { se_ainda: key })).toBe(200);
});
