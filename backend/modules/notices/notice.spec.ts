import { describe, expect, it } from '@jest/globals';
import { type Cause, noticedOf } from './notice.js';
import { type Told, wordsOf } from './notice.words.js';

const now = new Date('2030-11-25T12:00:00.000Z');
const tomorrow = '2030-11-26T10:00:00.000Z';
const later = '2030-11-27T10:00:00.000Z';
const about = { session_id: 's', student_id: 'ana', inicio: tomorrow, fim: '2030-11-26T11:00:00.000Z' };
const booked = { ...about, serie_id: null };

const tipos = (type: string, data: object, by: Cause = 'personal', command = 'BookSession') =>
  noticedOf({ event: { type, data, tenantId: 't' }, by, command, now }).map((each) =>
    each.then === 'tell' ? `${each.notice.para}: ${each.notice.tipo}` : each.then,
  );

describe('a notification', () => {
  it.each([
    ['SessionBooked', booked, 'aluno: aula_marcada'],
    ['SessionRescheduled', { ...about, ocupa: true, inicio_antes: later }, 'aluno: aula_remarcada'],
    ['SessionCancelled', about, 'aluno: aula_desmarcada'],
    ['SessionDeleted', { ...about, de: 'agendada' }, 'aluno: aula_desmarcada'],
    ['SessionReopened', { ...about, de: 'cancelada' }, 'aluno: aula_de_volta'],
    ['SessionRestored', { ...about, para: 'agendada' }, 'aluno: aula_de_volta'],
    ['SessionChanged', { ...about, antes: { location_id: null } }, 'aluno: aula_local'],
    ['SessionRequestGranted', { ...about, pedido: 'desmarcar' }, 'aluno: cancelamento_aceito'],
    ['SessionRequestGranted', { ...about, pedido: 'remarcar' }, 'aluno: mudanca_aceita'],
    ['SessionRequestRefused', { ...about, pedido: 'remarcar' }, 'aluno: pedido_recusado'],
    [
      'ChargeIssued',
      { charge_id: 'c', student_id: 'ana', valor: 1, vencimento: '2030-12-01' },
      'aluno: cobranca',
    ],
    ['ContractSent', { request_id: 'r', student_id: 'ana' }, 'aluno: contrato'],
  ])('by the trainer, of %s', (type, data, told) => {
    expect(tipos(type, data)).toEqual([told]);
  });

  it('is not made of the charge of a booking on the public page, which anybody may have made with the phone', () => {
    const charge = { charge_id: 'c', student_id: 'ana', valor: 1, vencimento: '2030-12-01', entrada: 1 };
    expect(tipos('ChargeIssued', charge)).toEqual([]);
  });

  it('is not made for past sessions, for changes that do not concern the student, or for an answer that was already told', () => {
    const over = { inicio: '2030-11-25T10:00:00.000Z' };
    expect(tipos('SessionBooked', { ...booked, ...over })).toEqual([]);
    expect(tipos('SessionCancelled', { ...about, ...over })).toEqual([]);
    expect(tipos('SessionChanged', { ...about, antes: { observacoes: true } })).toEqual([]);
    expect(tipos('SessionReopened', { ...about, de: 'feita' })).toEqual([]);
    expect(tipos('SessionDeleted', { ...about, de: 'cancelada' })).toEqual([]);
    expect(tipos('SessionCancelled', about, 'personal', 'GrantRequest')).toEqual([]);
    expect(tipos('ChargePaid', { charge_id: 'c', student_id: 'ana', valor: 1 })).toEqual([]);
  });

  it('is for both students if a session is moved to another student', () => {
    const noticed = noticedOf({
      event: { type: 'SessionChanged', data: { ...about, antes: { student_id: 'bia' } }, tenantId: 't' },
      by: 'personal',
      command: 'ChangeSession',
      now,
    });
    expect(noticed).toMatchObject([
      { notice: { student_id: 'ana', tipo: 'aula_marcada' } },
      { notice: { student_id: 'bia', tipo: 'aula_desmarcada' } },
    ]);
  });

  it('about an action of the student goes to the trainer, once', () => {
    expect(tipos('SessionBooked', booked, 'aluno')).toEqual([]);
    expect(tipos('SessionCancelled', about, 'aluno')).toEqual([]);
    const done = (pedido: string) => ({ ...about, pedido, ficou: { inicio: later } });
    expect(tipos('SessionChangedByStudent', done('agendar'), 'aluno')).toEqual(['personal: agendou']);
    expect(tipos('SessionChangedByStudent', done('desmarcar'), 'aluno')).toEqual(['personal: desmarcou']);
    expect(tipos('SessionChangeUndone', done('agendar'), 'aluno')).toEqual(['personal: desmarcou']);
    expect(tipos('SessionChangeUndone', done('remarcar'), 'aluno')).toEqual(['personal: desfez']);
    expect(tipos('SessionRequestWithdrawn', done('remarcar'), 'aluno')).toEqual(['personal: retirou_pedido']);
    const [moved] = noticedOf({
      event: { type: 'SessionChangedByStudent', data: done('remarcar'), tenantId: 't' },
      by: 'aluno',
      command: 'MoveOwnSession',
      now,
    });
    expect(moved).toMatchObject({ notice: { tipo: 'remarcou', antes: tomorrow, inicio: later } });
  });

  it('about an action of a visitor or a provider goes to the trainer; there is none for sessions that a job books for a series', () => {
    expect(tipos('SessionBooked', booked, 'nobody')).toEqual(['personal: reservou']);
    expect(tipos('SessionBooked', { ...booked, serie_id: 'x' }, 'nobody')).toEqual([]);
    expect(tipos('SessionCancelled', about, 'nobody')).toEqual(['personal: desmarcou']);
    expect(tipos('ChargePaid', { charge_id: 'c', student_id: 'ana', valor: 1 }, 'nobody')).toEqual([
      'personal: pagou',
    ]);
  });

  it('of what a visitor is to be given back goes to the trainer, and is taken back once it is returned', () => {
    const due = { charge_id: 'c', student_id: 'ana', valor: 80_00 };
    expect(tipos('ChargeReturnDue', due, 'nobody')).toEqual(['personal: a_devolver']);
    expect(tipos('ChargeReturnDue', due)).toEqual(['take back']);
    expect(tipos('ChargeReturnDue', { ...due, valor: 0 }, 'nobody')).toEqual(['take back']);
    expect(tipos('ChargeRefunded', due)).toEqual(['take back']);
  });

  it('of a Pix that is to be decided goes to the trainer, and is taken back by the decision', () => {
    const arrived = { pix_id: 'p', charge_id: 'c', student_id: 'ana', valor: 500, aplicado: 300 };
    const told = (data: object) =>
      noticedOf({
        event: { type: 'PixArrived', data, tenantId: 't' },
        by: 'nobody',
        command: 'ReceivePix',
        now,
      });
    expect(told(arrived)).toMatchObject([
      { notice: { para: 'personal', tipo: 'pix_a_decidir', subject_id: 'p', student_id: 'ana', valor: 200 } },
    ]);
    expect(told({ ...arrived, charge_id: null, student_id: null, aplicado: 0 })).toMatchObject([
      { notice: { subject_id: 'p', valor: 500 } },
    ]);
    expect(told({ ...arrived, aplicado: 500 })).toEqual([]);
    expect(tipos('PixDecided', { pix_id: 'p' })).toEqual(['take back']);
    expect(tipos('PixMatched', { pix_id: 'p' })).toEqual(['take back']);
  });

  it('of an offer from the waitlist goes to the trainer, who sends the offer if no mail does', () => {
    const offered = {
      wait_id: 'w',
      student_id: 'ana',
      oferta: 1,
      inicio: tomorrow,
      fim: later,
      ate: tomorrow,
    };
    expect(tipos('WaitlistOffered', { ...offered, por_email: false }, 'nobody')).toEqual([
      'personal: oferta_a_enviar',
    ]);
    expect(tipos('WaitlistOffered', { ...offered, por_email: true }, 'nobody')).toEqual([]);
    expect(tipos('WaitlistOfferNotMailed', offered, 'nobody')).toEqual(['personal: oferta_a_enviar']);
    for (const type of ['WaitlistOfferSent', 'WaitlistOfferEnded', 'WaitlistBooked', 'WaitlistLeft'])
      expect(tipos(type, { wait_id: 'w', student_id: 'ana' }, 'nobody')).toEqual(['take back']);
  });

  it('that the other calendar stopped goes to the trainer, until it answers or is another', () => {
    expect(tipos('OtherCalendarStopped', { calendar_id: 'c', desde: later }, 'nobody')).toEqual([
      'personal: calendario_parado',
    ]);
    for (const type of ['OtherCalendarResumed', 'OtherCalendarLinked', 'OtherCalendarUnlinked'])
      expect(tipos(type, { calendar_id: 'c' }, 'nobody')).toEqual(['take back']);
  });

  it('of what a student changed in the own account goes to the trainer, the latest one only, and is settled by the answer until that is undone', () => {
    const changed = { student_id: 'ana', whatsapp: '+5521987654321' };
    expect(tipos('ContactTold', changed, 'aluno')).toEqual(['take back', 'personal: mudou_whatsapp']);
    expect(tipos('ContactTold', { ...changed, whatsapp: null }, 'aluno')).toEqual(['take back']);
    for (const type of ['ToldContactTaken', 'ToldContactDismissed'])
      expect(tipos(type, { student_id: 'ana', campo: 'nome' })).toEqual(['settle']);
    expect(tipos('ToldContactAskedAgain', { student_id: 'ana', campo: 'nome' })).toEqual(['reopen']);
  });

  it('is taken back or forgotten', () => {
    expect(tipos('ChargeCancelled', { charge_id: 'c' })).toEqual(['take back']);
    expect(tipos('ContractRevoked', { request_id: 'r' })).toEqual(['take back']);
    expect(tipos('PersonForgotten', { person_id: 'ana' })).toEqual(['forget']);
    expect(tipos('StudentAccessEnded', { student_id: 'ana' })).toEqual(['forget']);
    expect(tipos('StudentAccessEnded', { student_id: 'ana' }, 'personal', 'MergeStudents')).toEqual([]);
    expect(tipos('TenantClosed', {})).toEqual(['forget all']);
  });
});

it('describes several changes by one command in one sentence', () => {
  const told: Told = {
    tipo: 'aula_marcada',
    nome: 'Ana',
    subject_id: 's',
    student_id: 'ana',
    quantidade: 1,
    inicio: new Date(tomorrow),
    antes: null,
    valor: null,
    dia: null,
  };
  const zone = 'America/Sao_Paulo';
  expect(wordsOf(told, zone)).toEqual({
    titulo: 'Aula agendada',
    texto: 'ter., 26 de nov., 7:00',
    endereco: '/aluno',
  });
  expect(wordsOf({ ...told, quantidade: 8 }, zone)).toMatchObject({
    titulo: '8 aulas agendadas',
    texto: 'A partir de ter., 26 de nov., 7:00',
  });
});
