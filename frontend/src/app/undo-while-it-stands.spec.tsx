import { expect, it } from '@jest/globals';
import { screen, waitFor } from '@testing-library/react';
import type { UserEvent } from '@testing-library/user-event';
import type { ReactNode } from 'react';
import { defaultMakeUpRules } from '../../../backend/modules/credits/make-up.api.js';
import { defaultPolicy, type Policy } from '../../../backend/modules/policies/policies.api.js';
import { defaultSettings as defaultLink } from '../../../backend/modules/public-link/public-link.api.js';
import { defaultBooking } from '../../../backend/modules/student-area/student-booking.api.js';
import type { KnownStudent } from '../../../backend/modules/students/students.api.js';
import { type Answers, button, field, open, takeBack } from '../../spec/screen.js';
import { SharingSection } from '../features/advisor/sharing-section.js';
import PixPage from '../features/charges/pix-page.js';
import MakeUpPage from '../features/credits/make-up-page.js';
import NotificationSettingsPage from '../features/notifications/settings-page.js';
import PlansPage from '../features/plans/plans-page.js';
import { EditPolicySheet } from '../features/policies/edit-policy-sheet.js';
import PublicLinkPage from '../features/public-link/public-link-page.js';
import BookingSettingsPage from '../features/student-area/booking-settings-page.js';
import { PauseStudent } from '../features/students/pause-student.js';
import { StudentNotes } from '../features/students/student-notes.js';
import { StudentTags } from '../features/students/student-tags.js';

const ID = '7b0a3a52-9d0b-4a39-8a3a-0d2c1f1f6a15';
const policy: Policy = { location_id: ID, location_nome: 'Academia', padrao: false, ...defaultPolicy };
const about = {
  salvo: true,
  horarios_definidos: true,
  antigos: [],
  bloqueados: [],
  url: 'https://rende.exemplo.com/p/ana',
};
const told = { cref: '012345-G/SP', primeira_aula: 8000, whatsapp: '+5511943214321' };
const link = { ...defaultLink, ...about, ...told, ativo: false, slug: 'ana' };
const linkPage = <PublicLinkPage />;
const notices = { push: ['aulas'], email: [], desligados: [], silencio: null, zona: 'America/Sao_Paulo' };
const note = { id: ID, dia: '2026-11-20', texto: 'Joelho', criado_em: '2026-11-20T12:00:00.000Z' };
const plan = {
  id: ID,
  nome: 'Mensal 8',
  descricao: null,
  valor: 48_000,
  creditos: 8,
  validade_dias: null,
  tipo: 'pacote',
  is_active: true,
  criado_em: '2026-11-02T12:00:00.000Z',
};
const key = { tipo: 'email', chave: 'ana@exemplo.com.br', nome: 'Ana', cidade: 'Rio', banco: 'Nubank' };
const paused = { id: ID, nome: 'Ana Souza', pausado_ate: '2090-01-10' } as KnownStudent;

interface Change {
  page: ReactNode;
  answers?: Answers;
  write: string;
  act: (user: UserEvent) => Promise<void>;
  /** The server's answer to the change. */
  answer?: object;
  before: object;
}

async function retype(user: UserEvent, label: string, text: string) {
  const typed = await field(label);
  await user.clear(typed);
  await user.type(typed, text);
}
const choose = async (user: UserEvent, label: string, value: string) =>
  user.selectOptions(await field(label), value);
const press = async (user: UserEvent, name: string) => user.click(await button(name));

const changes: Record<string, Change> = {
  'a cancellation policy': {
    page: <EditPolicySheet policy={policy} onClose={() => undefined} />,
    answers: { 'GET /what-if/policy': { passado: { texto: 'Nada.' }, notas: [] } },
    write: `PUT /locations/${ID}/policy`,
    async act(user) {
      await retype(user, 'Taxa (% da sessão)', '50');
      await press(user, 'Salvar política');
    },
    before: defaultPolicy,
  },
  'the public link': {
    page: linkPage,
    answers: { 'GET /public-link': link, 'GET /visits': { items: [], lido_em: note.criado_em } },
    write: 'PUT /public-link',
    async act(user) {
      await choose(user, 'Dias à frente', '14');
      await press(user, 'Salvar');
    },
    before: { ...defaultLink, ...told, ativo: false },
  },
  "the public link's address": {
    page: linkPage,
    answers: { 'GET /public-link': link, 'GET /visits': { items: [], lido_em: note.criado_em } },
    write: 'PUT /public-link/slug',
    async act(user) {
      await retype(user, 'Endereço do link', 'ana-souza');
      await press(user, 'Mudar endereço');
    },
    before: { slug: 'ana' },
  },
  'notification settings': {
    page: <NotificationSettingsPage />,
    answers: { 'GET /settings/notifications': notices },
    write: 'PUT /settings/notifications',
    async act(user) {
      await user.click((await screen.findAllByLabelText('Por e-mail'))[0]!);
      await press(user, 'Salvar');
    },
    before: notices,
  },
  'the rules of make-ups': {
    page: <MakeUpPage />,
    answers: { 'GET /settings/make-up': defaultMakeUpRules },
    write: 'PUT /settings/make-up',
    async act(user) {
      await choose(user, 'Validade', '3');
      await press(user, 'Salvar');
    },
    before: defaultMakeUpRules,
  },
  "settings of students' bookings": {
    page: <BookingSettingsPage />,
    answers: { 'GET /settings/student-booking': defaultBooking },
    write: 'PUT /settings/student-booking',
    async act(user) {
      await choose(user, 'Dias à frente', '21');
      await press(user, 'Salvar');
    },
    before: defaultBooking,
  },
  'what the advisor may send': {
    page: <SharingSection />,
    answers: { 'GET /settings/advisor': { envio: 'sem_nomes', servidor: 'ia.exemplo.com' } },
    write: 'PUT /settings/advisor',
    act: (user) => choose(user, 'Servidor de IA em ia.exemplo.com', 'nada'),
    before: { envio: 'sem_nomes' },
  },
  'the Pix key': {
    page: <PixPage />,
    answers: { 'GET /settings/pix': { conta: key }, 'GET /settings/pix/provider': { conexao: null } },
    write: 'PUT /settings/pix',
    async act(user) {
      await retype(user, 'Chave', 'bia@exemplo.com.br');
      await press(user, 'Salvar');
    },
    before: key,
  },
  'a note': {
    page: <StudentNotes studentId={ID} closed={false} />,
    answers: { 'GET /notes': { items: [note], next: null } },
    write: `PATCH /student-notes/${ID}`,
    async act(user) {
      await user.click(await screen.findByRole('button', { name: /^Editar a anotação/ }));
      await retype(user, 'Anotação *', 'Joelho direito');
      await press(user, 'Salvar');
    },
    before: { dia: note.dia, texto: note.texto },
  },
  'a plan': {
    page: <PlansPage />,
    answers: { 'GET /plans': { items: [plan], next: null, total: 1 } },
    write: `PATCH /plans/${ID}`,
    async act(user) {
      await press(user, 'Editar');
      await retype(user, 'Créditos *', '10');
      await press(user, 'Salvar');
    },
    before: { creditos: 8 },
  },
  'tags of a student': {
    page: <StudentTags studentId={ID} tags={['Manhã']} />,
    write: `PUT /students/${ID}/tags`,
    async act(user) {
      await press(user, 'Editar etiquetas');
      await user.type(await field('Nova etiqueta'), 'Corrida');
      await press(user, 'Salvar');
    },
    before: { etiquetas: ['Manhã'] },
  },
  'the end of a pause': {
    page: <PauseStudent student={paused} />,
    write: `PUT /students/${ID}/pause`,
    answers: { [`GET /students/${ID}/pause/end/preview`]: { efeitos: ['Ana pode marcar de novo'] } },
    async act(user) {
      await press(user, 'Retomar agora');
      await screen.findByText('Ana pode marcar de novo');
      await user.click(screen.getAllByRole('button', { name: 'Retomar agora' }).at(-1)!);
    },
    answer: { mudanca_id: null, canceladas: [], reabertas: [], fora: 0 },
    before: { ate: paused.pausado_ate },
  },
};

it.each(Object.entries(changes))(
  'the undo of %s says what it takes back',
  async (_, { page, answers, write, act, answer = {}, before }) => {
    const sent: unknown[] = [];
    const user = open(page, {
      answers: { [write]: (body: unknown) => sent.push(body) && answer, ...answers },
    });
    await act(user);
    await takeBack();
    await waitFor(() => expect(sent).toHaveLength(2));
    expect(sent[1]).toEqual({ ...before, se_ainda: sent[0] });
  },
);
