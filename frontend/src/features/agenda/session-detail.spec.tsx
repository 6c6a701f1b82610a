import { expect, it } from '@jest/globals';
import { screen } from '@testing-library/react';
import { button, field, open, said } from '../../../spec/screen.js';
import { addDays, instantOf, todayIn } from '../../lib/dates.js';
import { EditSessionForm } from './edit-session-form.js';
import { GroupDetail } from './group-detail.js';
import type { ShownSession } from './pending-session.js';
import { SessionDetail } from './session-detail.js';
import { asOne } from './shared-hours.js';
import { StudentPartsProvider, type StudentParts } from './student-parts.js';

const none = () => null;
const zone = 'America/Sao_Paulo';
const at = (days: number, time: string) => instantOf(addDays(todayIn(zone), days), time, zone);

const session = {
  id: '7b0a3a52-9d0b-4a39-8a3a-0d2c1f1f6a20',
  student_id: 'ana',
  student_nome: 'Ana',
  inicio: at(0, '00:00'),
  fim: at(0, '01:00'),
  status: 'agendada',
  confirmado: true,
  serie_id: null,
  grupo_id: null,
  ocorrencia: null,
  location_id: null,
  location_nome: null,
  observacoes: null,
  motivo: null,
  valor: null,
  taxa: 0,
  usou_credito: false,
  sem_credito: false,
} as ShownSession;
const tomorrow = { inicio: at(1, '07:00'), fim: at(1, '08:00') };

const parts: StudentParts = {
  SessionCharge: none,
  SessionReminder: none,
  ConfirmVisit: ({ children }) => <button>{children}</button>,
  DeclineVisit: none,
  SessionRequest: none,
  RequestMark: none,
  SessionDue: ({ whose }) => <button>Cobrar R$ 80,00{whose}</button>,
};

const answers = {
  'GET /students/ana': { nome: 'Ana', whatsapp: null, telefone: null, creditos: 4, esquecido: false },
};

const show = (changes: Partial<ShownSession>) =>
  open(
    <StudentPartsProvider value={parts}>
      <SessionDetail
        session={{ ...session, ...changes }}
        isMember={false}
        onStep={none}
        onLeaving={none}
        onGone={none}
      />
    </StudentPartsProvider>,
    { answers },
  );
const names = async () =>
  (await screen.findAllByRole('button')).map((one) => one.getAttribute('aria-label') ?? one.textContent);

it.each<[string, Partial<ShownSession>, string, string[]]>([
  [
    'of a visitor is to be confirmed',
    { ...tomorrow, confirmado: false },
    'Confirmar reserva',
    ['Remarcar', 'Cancelar'],
  ],
  ['of today is to be done', {}, 'Marcar como feita', ['Remarcar', 'Faltou', 'Cancelar']],
  ['to come cannot be done yet', tomorrow, 'Editar', ['Remarcar', 'Cancelar']],
  ['with a credit can be reopened', { status: 'feita', usou_credito: true }, 'Reabrir sessão', ['Repetir']],
  [
    'without a credit is to be charged',
    { status: 'feita', sem_credito: true },
    'Cobrar R$ 80,00',
    ['Repetir'],
  ],
  [
    'cancelled with a fee is to be charged',
    { status: 'cancelada', taxa: 4000 },
    'Cobrar R$ 80,00',
    ['Repetir'],
  ],
  ['cancelled for free can be reopened', { status: 'cancelada' }, 'Reabrir sessão', ['Repetir']],
])('a session %s', async (_, changes, main, frequent) => {
  show(changes);
  expect(await names()).toEqual([...frequent, 'Por quê?', 'Mais opções', main]);
});

const BIA = '7b0a3a52-9d0b-4a39-8a3a-0d2c1f1f6a21';
const owed: Partial<ShownSession> = { status: 'feita', sem_credito: true };

it.each<[string, Partial<ShownSession>, Partial<ShownSession>, string, string[]]>([
  ['to come takes others', tomorrow, tomorrow, 'Adicionar aluno', ['Remarcar', 'Repetir', 'Cancelar']],
  [
    'with a booking of a visitor is to be confirmed',
    tomorrow,
    { ...tomorrow, confirmado: false },
    'Confirmar reserva de Bia',
    ['Remarcar', 'Adicionar aluno', 'Repetir', 'Cancelar'],
  ],
  [
    'of today is to be done',
    { status: 'feita' },
    {},
    'Marcar todas como feitas',
    ['Marcar como feita: Bia', 'Remarcar', 'Adicionar aluno', 'Repetir', 'Cancelar'],
  ],
  [
    'that is done, and for which nobody owes, can be reopened',
    { status: 'feita', usou_credito: true },
    { status: 'cancelada', motivo: 'personal' },
    'Reabrir sessões',
    ['Adicionar aluno', 'Repetir'],
  ],
  [
    'without a credit is to be charged',
    { status: 'feita' },
    owed,
    'Cobrar R$ 80,00 de Bia',
    ['Adicionar aluno', 'Repetir'],
  ],
])('an hour of several %s', async (_, ofAna, ofBia, main, frequent) => {
  const group = { grupo_id: 'group' };
  const bia = { id: BIA, student_id: 'bia', student_nome: 'Bia' };
  open(
    <StudentPartsProvider value={parts}>
      <GroupDetail
        hour={asOne([
          { ...session, ...group, ...ofAna },
          { ...session, ...group, ...bia, ...ofBia },
        ])}
        onMember={none}
        onStep={none}
      />
    </StudentPartsProvider>,
    { answers: { ...answers, 'GET /students/bia': answers['GET /students/ana'] } },
  );
  const all = (await names()).filter((name) => name !== 'Mais opções');
  expect(all.slice(all.indexOf(frequent[0]!))).toEqual([...frequent, main]);
});

it('marks who did not come in one tap, at the cost that stands beside the name', async () => {
  const sent: unknown[] = [];
  const cost = { usou_credito: true, sem_credito: false, taxa: 0 };
  const bia = { id: BIA, student_id: 'bia', student_nome: 'Bia' };
  const group = { grupo_id: 'group' };
  const user = open(
    <StudentPartsProvider value={parts}>
      <GroupDetail
        hour={asOne([
          { ...session, ...group },
          { ...session, ...group, ...bia, status: 'feita' },
        ])}
        onMember={none}
        onStep={none}
      />
    </StudentPartsProvider>,
    {
      answers: {
        ...answers,
        'GET /cancellation': { permitido: true, tem_custo: true, previsto: cost },
        'POST /cancel': (body: unknown) => {
          sent.push(body);
          return cost;
        },
      },
    },
  );
  await screen.findByText('Falta desconta 1 crédito');
  await user.click(await button('Marcar falta: Ana, desconta 1 crédito'));
  expect(await said()).toEqual(['Falta marcada', 'Ana: descontou 1 crédito.']);
  expect(sent).toEqual([{ motivo: 'falta', aplicar_politica: true, previsto: cost }]);
});

it('keeps what is rare in a menu, and what destroys at its end', async () => {
  const user = show({});
  await user.click(await screen.findByRole('button', { name: 'Mais opções' }));
  const items = (await screen.findAllByRole('menuitem')).map(({ textContent }) => textContent);
  expect(items).toEqual([
    'Editar',
    'Ver aluno',
    'Ver como estava em…',
    'Adicionar aluno',
    'Repetir na próxima semana',
    'Adicionar ao calendário',
    'Excluir',
  ]);
});

it('a session to come cannot be saved as done', async () => {
  const user = open(
    <StudentPartsProvider value={parts}>
      <EditSessionForm session={{ ...session, ...tomorrow }} onDone={none} />
    </StudentPartsProvider>,
  );
  await user.selectOptions(await field('Status'), 'Realizada');
  await user.click(await button('Salvar'));
  await screen.findByText('Só dá para marcar como feita a partir do dia da sessão');
});

it('says what a cancelled status costs before it is saved, and in the toast what it did', async () => {
  const free = { usou_credito: false, sem_credito: false, taxa: 0 };
  const user = open(
    <StudentPartsProvider value={parts}>
      <EditSessionForm session={{ ...session, ...tomorrow, student_id: BIA }} onDone={none} />
    </StudentPartsProvider>,
    {
      answers: {
        [`GET /students/${BIA}`]: answers['GET /students/ana'],
        [`PATCH /sessions/${session.id}`]: { status: 'cancelada', ...free },
      },
    },
  );
  await user.selectOptions(await field('Status'), 'Cancelada');
  await screen.findByText(/^Você cancela: não cobra nada\./);
  await user.click(await button('Salvar'));
  expect(await said()).toEqual(['Agendamento atualizado com sucesso!', 'Não cobrou nada.']);
});
