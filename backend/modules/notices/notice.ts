import type { StudentAccessEvent } from '../accounts/student-access.js';
import type { TenantEvent } from '../accounts/tenant.js';
import type { ClassEvent } from '../classes/open-class.js';
import type { SeatQueueEvent } from '../classes/seat-queue.js';
import type { SessionEvent } from '../sessions/session.js';
import type { ArrivedPixEvent } from '../charges/arrived-pix.js';
import type { ChargeEvent } from '../charges/charge.js';
import type { DeliveredMonthEvent } from '../finance/delivered-month.js';
import type { SignatureRequestEvent } from '../contracts/signature-request.js';
import type { ExpiryWarningEvent } from '../expiry-warnings/expiry-warning.js';
import type { OtherCalendarEvent } from '../other-calendar/other-calendar.js';
import type { PersonEvent } from '../students/person.js';
import type { ToldContactEvent } from '../told-contacts/told-contact.js';
import type { ToldField } from '../told-contacts/told-contacts.api.js';
import type { WaitingEvent } from '../public-link/waiting.js';
import type { ReminderEvent } from '../reminders/reminder.js';
import type { NoticeGroup } from '../letters/notification-settings.api.js';
import type { WhatsAppMessageEvent } from '../whatsapp/whatsapp-message.js';
import type { WhatsAppConnectionEvent } from '../whatsapp/whatsapp-connection.js';
import type { WhatsAppAnswerEvent } from '../whatsapp/whatsapp-answer.js';
import type { SessionRequestEvent } from '../student-area/session-request.js';

type Of<Event extends { type: string }, Type extends Event['type']> = Extract<Event, { type: Type }>;

type NoticedEvent =
  | Of<
      SessionEvent,
      | 'SessionBooked'
      | 'SessionRescheduled'
      | 'SessionChanged'
      | 'SessionCancelled'
      | 'SessionDeleted'
      | 'SessionReopened'
      | 'SessionRestored'
    >
  | SessionRequestEvent
  | Of<ClassEvent, 'ClassDecided'>
  | Of<SeatQueueEvent, 'SeatOffered' | 'SeatOfferEnded' | 'SeatWaitEnded'>
  | Of<
      ChargeEvent,
      | 'ChargeIssued'
      | 'ChargePaid'
      | 'ChargePaymentClaimed'
      | 'ChargeReturnDue'
      | 'ChargeRefunded'
      | 'ChargeCancelled'
    >
  | Of<ArrivedPixEvent, 'PixArrived' | 'PixMatched' | 'PixDecided'>
  | Of<
      SignatureRequestEvent,
      'ContractSent' | 'ContractSigned' | 'ContractDeclined' | 'ContractRevoked' | 'ContractWithdrawn'
    >
  | DeliveredMonthEvent
  | Of<ExpiryWarningEvent, 'ExpiryWarningPrepared'>
  | Of<ReminderEvent, 'ReminderPrepared'>
  | Of<
      WaitingEvent,
      | 'WaitlistOffered'
      | 'WaitlistOfferNotMailed'
      | 'WaitlistOfferSent'
      | 'WaitlistOfferEnded'
      | 'WaitlistBooked'
      | 'WaitlistLeft'
    >
  | OtherCalendarEvent
  | Of<WhatsAppConnectionEvent, 'WhatsAppConnected' | 'WhatsAppStopped' | 'WhatsAppResumed'>
  | WhatsAppAnswerEvent
  | Of<WhatsAppMessageEvent, 'WhatsAppMessageReported'>
  | ToldContactEvent
  | Of<StudentAccessEvent, 'StudentAccessEnded'>
  | Of<PersonEvent, 'PersonForgotten'>
  | Of<TenantEvent, 'TenantClosed'>;

/** Events that cause or change notifications. */
export const noticedEvents = [
  ...(['SessionBooked', 'SessionRescheduled', 'SessionChanged', 'SessionCancelled'] as const),
  ...(['SessionDeleted', 'SessionReopened', 'SessionRestored'] as const),
  ...(['SessionChangeRequested', 'SessionRequestWithdrawn', 'SessionRequestGranted'] as const),
  ...(['SessionRequestRefused', 'SessionChangedByStudent', 'SessionChangeUndone'] as const),
  ...(['ClassDecided', 'SeatOffered', 'SeatOfferEnded', 'SeatWaitEnded'] as const),
  ...([
    'ChargeIssued',
    'ChargePaid',
    'ChargePaymentClaimed',
    'ChargeReturnDue',
    'ChargeRefunded',
    'ChargeCancelled',
  ] as const),
  ...(['PixArrived', 'PixMatched', 'PixDecided'] as const),
  ...([
    'ContractSent',
    'ContractSigned',
    'ContractDeclined',
    'ContractRevoked',
    'ContractWithdrawn',
  ] as const),
  ...(['MonthDelivered', 'MonthDeliveryUndone', 'DeliveredMonthChanged'] as const),
  ...(['ExpiryWarningPrepared', 'ReminderPrepared'] as const),
  ...(['WaitlistOffered', 'WaitlistOfferNotMailed', 'WaitlistOfferSent', 'WaitlistOfferEnded'] as const),
  ...(['WaitlistBooked', 'WaitlistLeft'] as const),
  ...([
    'OtherCalendarStopped',
    'OtherCalendarResumed',
    'OtherCalendarLinked',
    'OtherCalendarUnlinked',
  ] as const),
  ...(['WhatsAppConnected', 'WhatsAppStopped', 'WhatsAppResumed'] as const),
  ...(['WhatsAppAnswered', 'WhatsAppMessageReported'] as const),
  ...(['ContactTold', 'ToldContactTaken', 'ToldContactDismissed', 'ToldContactAskedAgain'] as const),
  ...(['StudentAccessEnded', 'PersonForgotten', 'TenantClosed'] as const),
] satisfies NoticedEvent['type'][];

/** Kinds of notifications for trainers, and for students. */
const trainerNotices = [
  ...(['agendou', 'reservou', 'remarcou', 'desmarcou', 'desfez', 'turma_cancelada'] as const),
  ...(['pediu_desmarcar', 'pediu_remarcar', 'retirou_pedido', 'oferta_a_enviar'] as const),
  ...([
    'pagou',
    'avisou_pagamento',
    'pix_a_decidir',
    'a_devolver',
    'assinou',
    'recusou_contrato',
    'calendario_parado',
    'whatsapp_parado',
  ] as const),
  ...(['nao_vai', 'respondeu_whatsapp', 'parou_whatsapp', 'whatsapp_nao_entregue'] as const),
  ...(['mudou_whatsapp', 'mudou_nome', 'mes_entregue_mudou'] as const),
];
/** Of a student's own sessions and classes. */
const ownLessons = [
  ...(['aula_marcada', 'aula_remarcada', 'aula_desmarcada'] as const),
  ...(['aula_de_volta', 'aula_local', 'vaga_aberta', 'turma_desmarcada'] as const),
];
const studentNotices = [
  ...ownLessons,
  ...(['cancelamento_aceito', 'mudanca_aceita', 'pedido_recusado'] as const),
  ...(['cobranca', 'contrato', 'creditos', 'lembrete'] as const),
];
export type NoticeKind = (typeof trainerNotices)[number] | (typeof studentNotices)[number];

/** Groups of kinds, which users can switch on and off. */
const kindsOf = {
  aulas: [
    ...(['agendou', 'reservou', 'remarcou', 'desmarcou', 'desfez', 'turma_cancelada'] as const),
    ...ownLessons,
    ...(['calendario_parado', 'whatsapp_parado', 'nao_vai'] as const),
  ],
  pedidos: [
    ...(['pediu_desmarcar', 'pediu_remarcar', 'retirou_pedido', 'oferta_a_enviar'] as const),
    ...(['mudou_whatsapp', 'mudou_nome'] as const),
    ...(['respondeu_whatsapp', 'parou_whatsapp', 'whatsapp_nao_entregue'] as const),
    ...(['cancelamento_aceito', 'mudanca_aceita', 'pedido_recusado'] as const),
  ],
  pagamentos: ['pagou', 'avisou_pagamento', 'pix_a_decidir', 'a_devolver', 'mes_entregue_mudou', 'cobranca'],
  contratos: ['assinou', 'recusou_contrato', 'contrato'],
  creditos: ['creditos'],
  lembretes: ['lembrete'],
} as const satisfies Record<NoticeGroup, readonly NoticeKind[]>;

export const groupOf = (tipo: NoticeKind): NoticeGroup =>
  (Object.keys(kindsOf) as NoticeGroup[]).find((group) =>
    (kindsOf[group] as readonly NoticeKind[]).includes(tipo),
  )!;

export interface Notice {
  para: 'personal' | 'aluno';
  student_id: string;
  tipo: NoticeKind;
  subject_id: string;
  inicio: string | null;
  antes: string | null;
  valor: number | null;
  dia: string | null;
}

/** The effect of an event on notifications. */
export type Noticed =
  | { then: 'tell'; notice: Notice }
  /** The notification no longer applies: it is deleted if it is unread. */
  | { then: 'take back'; tipo: NoticeKind; subject_id: string }
  /** The question in it was answered: it counts as read; or that was undone: the latest one is unread again. */
  | { then: 'settle' | 'reopen'; tipo: NoticeKind; subject_id: string }
  /** `para`: only those for the student; otherwise all about the student. */
  | { then: 'forget'; student_id: string; para?: 'aluno' }
  | { then: 'forget all' };

/** Who caused the event: the trainer, the student, or nobody who is signed in, such as a visitor or a job. */
export type Cause = 'personal' | 'aluno' | 'nobody';

interface Occurrence {
  event: { type: string; data: object; tenantId: string };
  by: Cause;
  /** Name of the command. */
  command: string;
  now: Date;
}

const nothing = { inicio: null, antes: null, valor: null, dia: null };

function tell(
  tipo: NoticeKind,
  { student_id, subject_id, ...facts }: Partial<Notice> & Pick<Notice, 'student_id' | 'subject_id'>,
): Noticed[] {
  const para = (trainerNotices as readonly string[]).includes(tipo) ? 'personal' : 'aluno';
  return [{ then: 'tell', notice: { ...nothing, para, student_id, tipo, subject_id, ...facts } }];
}

/** The effects of an event on notifications. Nobody is notified of their own actions. */
export function noticedOf({ event, by, command, now }: Occurrence): Noticed[] {
  const { type, data } = event as NoticedEvent;
  switch (type) {
    case 'SessionBooked':
    case 'SessionRescheduled':
    case 'SessionChanged':
    case 'SessionCancelled':
    case 'SessionDeleted':
    case 'SessionReopened':
    case 'SessionRestored':
      return Date.parse(data.inicio) > now.getTime()
        ? ofSession({ type, data } as Of<SessionEvent, typeof type>, by, command)
        : [];
    case 'SessionChangeRequested':
    case 'SessionRequestWithdrawn':
    case 'SessionRequestGranted':
    case 'SessionRequestRefused':
    case 'SessionChangedByStudent':
    case 'SessionChangeUndone':
      return ofRequest({ type, data } as SessionRequestEvent);
    case 'ClassDecided':
      return data.acontece
        ? []
        : tell('turma_cancelada', {
            student_id: event.tenantId,
            subject_id: data.session_ids[0]!,
            inicio: data.inicio,
          });
    case 'SeatOffered':
      return tell('vaga_aberta', {
        student_id: data.student_id,
        subject_id: data.wait_id,
        inicio: data.inicio,
        antes: data.ate,
      });
    case 'SeatOfferEnded':
    case 'SeatWaitEnded':
      return [{ then: 'take back', tipo: 'vaga_aberta', subject_id: data.wait_id }];
    case 'ChargeIssued':
      // Whoever typed the student's phone has booked, and pays on the page of the booking.
      if (data.entrada !== undefined) return [];
      return tell('cobranca', { ...ofCharge(data), valor: data.valor, dia: data.vencimento });
    case 'ChargePaid':
      return by === 'nobody' ? tell('pagou', { ...ofCharge(data), valor: data.valor }) : [];
    case 'ChargePaymentClaimed':
      return tell('avisou_pagamento', ofCharge(data));
    case 'ChargeReturnDue':
      if (by !== 'personal' && data.valor > 0)
        return tell('a_devolver', { ...ofCharge(data), valor: data.valor });
      return [{ then: 'take back', tipo: 'a_devolver', subject_id: data.charge_id }];
    case 'ChargeRefunded':
      return [{ then: 'take back', tipo: 'a_devolver', subject_id: data.charge_id }];
    case 'ChargeCancelled':
      return [{ then: 'take back', tipo: 'cobranca', subject_id: data.charge_id }];
    case 'PixArrived':
      return data.aplicado === data.valor ? [] : tell('pix_a_decidir', ofUndecided(data));
    case 'PixMatched':
    case 'PixDecided':
      return [{ then: 'take back', tipo: 'pix_a_decidir', subject_id: data.pix_id }];
    case 'DeliveredMonthChanged':
      return tell('mes_entregue_mudou', {
        student_id: event.tenantId,
        subject_id: data.delivery_id,
        dia: data.mes,
      });
    case 'MonthDelivered':
    case 'MonthDeliveryUndone':
      return [{ then: 'take back', tipo: 'mes_entregue_mudou', subject_id: data.delivery_id }];
    case 'ContractSent':
      return tell('contrato', ofRequestToSign(data));
    case 'ContractSigned':
      return tell('assinou', ofRequestToSign(data));
    case 'ContractDeclined':
      return tell('recusou_contrato', ofRequestToSign(data));
    case 'ContractRevoked':
    case 'ContractWithdrawn':
      return [{ then: 'take back', tipo: 'contrato', subject_id: data.request_id }];
    case 'ExpiryWarningPrepared':
      return tell('creditos', {
        student_id: data.student_id,
        subject_id: data.warning_id,
        dia: data.expira_em,
      });
    case 'ReminderPrepared':
      return tell('lembrete', {
        student_id: data.student_id,
        subject_id: data.session_id,
        inicio: data.inicio,
      });
    case 'WaitlistOffered':
    case 'WaitlistOfferNotMailed':
      return type === 'WaitlistOffered' && data.por_email
        ? []
        : tell('oferta_a_enviar', {
            student_id: data.student_id,
            subject_id: data.wait_id,
            inicio: data.inicio,
          });
    case 'WaitlistOfferSent':
    case 'WaitlistOfferEnded':
    case 'WaitlistBooked':
    case 'WaitlistLeft':
      return [{ then: 'take back', tipo: 'oferta_a_enviar', subject_id: data.wait_id }];
    case 'OtherCalendarStopped':
      return tell('calendario_parado', { ...ofTrainer(event), inicio: data.desde });
    case 'OtherCalendarResumed':
    case 'OtherCalendarLinked':
    case 'OtherCalendarUnlinked':
      return [{ then: 'take back', tipo: 'calendario_parado', subject_id: ofTrainer(event).subject_id }];
    case 'WhatsAppStopped':
      return tell('whatsapp_parado', ofTrainer(event));
    case 'WhatsAppConnected':
    case 'WhatsAppResumed':
      return [{ then: 'take back', tipo: 'whatsapp_parado', subject_id: ofTrainer(event).subject_id }];
    case 'WhatsAppMessageReported': {
      const { estado, student_id, message_id } = data;
      return estado === 'falhou' ? tell('whatsapp_nao_entregue', { student_id, subject_id: message_id }) : [];
    }
    case 'WhatsAppAnswered':
      return ofAnswer(data);
    case 'ContactTold':
      return toldFields.flatMap((campo) => (data[campo] === undefined ? [] : ofToldField(campo, data)));
    case 'ToldContactTaken':
    case 'ToldContactDismissed':
      return [{ then: 'settle', tipo: kindOfField[data.campo], subject_id: data.student_id }];
    case 'ToldContactAskedAgain':
      return [{ then: 'reopen', tipo: kindOfField[data.campo], subject_id: data.student_id }];
    case 'StudentAccessEnded':
      if (command === MERGES) return [];
      return [{ then: 'forget', student_id: data.student_id, para: 'aluno' }];
    case 'PersonForgotten':
      return [{ then: 'forget', student_id: data.person_id }];
    case 'TenantClosed':
      return [{ then: 'forget all' }];
  }
}

const ofCharge = ({ student_id, charge_id }: { student_id: string; charge_id: string }) => ({
  student_id,
  subject_id: charge_id,
});
/** A Pix that names no charge is about nobody: it stands for itself. */
const ofUndecided = ({
  student_id,
  pix_id,
  valor,
  aplicado,
}: Extract<ArrivedPixEvent, { type: 'PixArrived' }>['data']) => ({
  student_id: student_id ?? pix_id,
  subject_id: pix_id,
  valor: valor - aplicado,
});
const ofRequestToSign = ({ student_id, request_id }: { student_id: string; request_id: string }) => ({
  student_id,
  subject_id: request_id,
});

/** About the trainer, a person with the tenant's id; there is one calendar. */
const ofTrainer = ({ tenantId }: { tenantId: string }) => ({ student_id: tenantId, subject_id: tenantId });

/** Of one that confirms, the session says so. */
function ofAnswer({
  sentido,
  student_id,
  answer_id,
  session_id,
  inicio,
}: WhatsAppAnswerEvent['data']): Noticed[] {
  switch (sentido) {
    case 'confirma':
      return [];
    case 'nao_vai':
      return tell('nao_vai', { student_id, subject_id: session_id ?? answer_id, inicio });
    case 'parar':
      return tell('parou_whatsapp', { student_id, subject_id: student_id });
    case 'outra':
      return tell('respondeu_whatsapp', { student_id, subject_id: answer_id });
  }
}

const toldFields: readonly ToldField[] = ['whatsapp', 'nome'];
const kindOfField = { whatsapp: 'mudou_whatsapp', nome: 'mudou_nome' } as const;

/** The latest value counts: there is one unread notification of each field. */
function ofToldField(
  campo: ToldField,
  { student_id, [campo]: valor }: Extract<ToldContactEvent, { type: 'ContactTold' }>['data'],
): Noticed[] {
  const tipo = kindOfField[campo];
  const asked = valor === null ? [] : tell(tipo, { student_id, subject_id: student_id });
  return [{ then: 'take back', tipo, subject_id: student_id }, ...asked];
}

/** This command answers a request: its notification already includes the change. */
const ANSWERS = 'GrantRequest';
/** This one cancels a class for the trainer, as was set. */
const DECIDES = 'PlayClass';
/** By this one an account is that of the student who stays, with its notifications. */
const MERGES = 'MergeStudents';

/** Notifications about a future session. */
function ofSession(
  {
    type,
    data,
  }: Exclude<SessionEvent, { type: 'SessionGrouped' | 'SessionCompleted' | 'SessionReassigned' }>,
  by: Cause,
  command: string,
): Noticed[] {
  const about = { student_id: data.student_id, subject_id: data.session_id, inicio: data.inicio };
  if (by === 'nobody' && command !== DECIDES) return ofVisitor({ type, data } as SessionEvent, about);
  if (by === 'aluno' || command === ANSWERS) return [];
  switch (type) {
    case 'SessionBooked':
      return tell('aula_marcada', about);
    case 'SessionRescheduled':
      return data.ocupa ? tell('aula_remarcada', { ...about, antes: data.inicio_antes }) : [];
    case 'SessionChanged': {
      const { student_id: former, location_id } = data.antes;
      if (former !== undefined)
        return [...tell('aula_marcada', about), ...tell('aula_desmarcada', { ...about, student_id: former })];
      return location_id === undefined ? [] : tell('aula_local', about);
    }
    case 'SessionCancelled':
      return tell(command === DECIDES ? 'turma_desmarcada' : 'aula_desmarcada', about);
    case 'SessionDeleted':
      return data.de === 'cancelada' ? [] : tell('aula_desmarcada', about);
    case 'SessionReopened':
      return data.de === 'cancelada' ? tell('aula_de_volta', about) : [];
    case 'SessionRestored':
      return data.para === 'agendada' ? tell('aula_de_volta', about) : [];
  }
}

/** Notifications of a visitor's actions, on the public page or by a visit's private link. Jobs book sessions of a series. */
function ofVisitor(
  { type, data }: SessionEvent,
  about: { student_id: string; subject_id: string; inicio: string },
): Noticed[] {
  switch (type) {
    case 'SessionBooked':
      return data.serie_id === null ? tell('reservou', about) : [];
    case 'SessionRescheduled':
      return tell('remarcou', { ...about, antes: data.inicio_antes });
    case 'SessionCancelled':
      return tell('desmarcou', about);
    case 'SessionGrouped':
    case 'SessionChanged':
    case 'SessionCompleted':
    case 'SessionReopened':
    case 'SessionDeleted':
    case 'SessionRestored':
    case 'SessionReassigned':
      return [];
  }
}

const doneBy = { agendar: 'agendou', desmarcar: 'desmarcou', remarcar: 'remarcou' } as const;

function ofRequest({ type, data }: SessionRequestEvent): Noticed[] {
  const about = { student_id: data.student_id, subject_id: data.session_id, inicio: data.inicio };
  switch (type) {
    case 'SessionChangedByStudent':
      return tell(doneBy[data.pedido], {
        ...about,
        ...(data.pedido === 'remarcar' && data.ficou && { inicio: data.ficou.inicio, antes: data.inicio }),
      });
    case 'SessionChangeUndone':
      return tell(data.pedido === 'agendar' ? 'desmarcou' : 'desfez', about);
    case 'SessionChangeRequested':
      return tell(data.pedido === 'desmarcar' ? 'pediu_desmarcar' : 'pediu_remarcar', about);
    case 'SessionRequestWithdrawn':
      return tell('retirou_pedido', about);
    case 'SessionRequestGranted':
      return tell(data.pedido === 'desmarcar' ? 'cancelamento_aceito' : 'mudanca_aceita', about);
    case 'SessionRequestRefused':
      return tell('pedido_recusado', about);
  }
}
