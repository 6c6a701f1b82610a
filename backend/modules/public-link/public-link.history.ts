import type { HistoryWords } from '../../platform/event-store/history.js';
import { brl } from '../../platform/portuguese.js';
import { plural } from '../../platform/plural.api.js';
import { reassignedWords } from '../students/reassigned.js';
import type { PublicLinkEvent } from './public-link.js';
import type { VisitEvent } from './visit.js';

const ofTenant = (_data: object, tenantId: string) => [`link:${tenantId}`];
const ofStudent = ({ student_id }: { student_id: string }, tenantId: string) => [
  `link:${tenantId}`,
  `student:${student_id}`,
];
const ofVisit = ({ session_id, student_id }: VisitEvent['data']) => [
  `session:${session_id}`,
  `student:${student_id}`,
];

export const publicLinkHistory: HistoryWords<PublicLinkEvent | VisitEvent> = {
  PublicLinkSet: {
    subjects: ofTenant,
    words: ({ ativo, dias, duracao_min, por_dia, ver_todos, locais, antecipado, sinal, falta_percent }) =>
      [
        `Salvou o link público: ${ativo ? 'ativo' : 'desativado'}`,
        plural(dias, 'dia', 'dias'),
        `${duracao_min} min por sessão`,
        `até ${plural(por_dia, 'horário', 'horários')} por dia${ver_todos ? ', os outros em “Ver todos”' : ''}`,
        locais === null ? 'todos os locais' : plural(locais.length, 'local', 'locais'),
        ...(antecipado === 'tudo' ? ['preço pago ao reservar'] : []),
        ...(antecipado === 'sinal' && sinal !== null ? [`sinal de ${brl(sinal)} ao reservar`] : []),
        ...(falta_percent > 0 ? [`taxa de falta de ${falta_percent}%`] : []),
      ].join(', '),
  },
  PublicSlugChanged: {
    subjects: ofTenant,
    words: ({ slug }) =>
      slug === null ? 'Mudou o endereço do link público' : `Mudou o endereço do link público para ${slug}`,
  },
  VisitorBlocked: { subjects: ofStudent, words: () => 'Bloqueou o número no link público' },
  VisitorUnblocked: { subjects: ofStudent, words: () => 'Desbloqueou o número no link público' },
  VisitorBooked: {
    subjects: ofVisit,
    words: ({ nome, consentimento }) =>
      `${nome ?? 'Quem reservou'} concordou com o texto de privacidade nº ${consentimento}`,
  },
  VisitMoved: { subjects: ofVisit, words: () => 'O visitante remarcou: falta confirmar de novo' },
  VisitAssigned: {
    subjects: ofVisit,
    words: ({ nome }) =>
      `Escolheu o aluno da reserva do link público${nome === null ? '' : `, feita por ${nome}`}`,
  },
  // The session's own line says it.
  VisitReassigned: { subjects: () => [], words: reassignedWords },
  VisitPaid: {
    subjects: ofVisit,
    words: ({ voltou }) =>
      voltou
        ? 'O pagamento chegou depois do prazo, com o horário ainda livre: a reserva voltou'
        : 'O pagamento pedido para reservar foi recebido: falta confirmar',
  },
  VisitLapsed: {
    subjects: ofVisit,
    words: ({ sem_pagamento }) =>
      `A reserva venceu sem ${sem_pagamento ? 'o pagamento' : 'confirmação'}, e o horário ficou livre`,
  },
  VisitDeclined: {
    subjects: ofVisit,
    words: ({ mensagem }) =>
      `Recusou a reserva do link público${mensagem === null ? '' : ` com a mensagem “${mensagem}”`}`,
  },
};
