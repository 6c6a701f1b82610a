import type { HistoryWords } from '../../platform/event-store/history.js';
import { refusalWords } from '../../platform/whatsapp-messages.api.js';
import type { MessageKind } from './whatsapp.api.js';
import type { WhatsAppAnswerEvent } from './whatsapp-answer.js';
import type { WhatsAppConnectionEvent } from './whatsapp-connection.js';
import type { MessageAbout, WhatsAppMessageEvent } from './whatsapp-message.js';

/** The settings have one history. */
const settings = (_data: never, tenantId: string) => [`settings:${tenantId}`];
/** With its article. */
const named: Record<MessageKind, string> = {
  oferta: 'a oferta de horário',
  turma: 'o aviso de turma cancelada',
  lembrete: 'o lembrete',
  cobranca: 'o lembrete da cobrança',
  recibo: 'o recibo',
  creditos: 'o aviso de créditos',
  renovar: 'a mensagem de renovação',
  aniversario: 'a mensagem de aniversário',
  sumindo: 'a mensagem a quem está sumindo',
};
const several: Record<MessageKind, string> = {
  oferta: 'ofertas de horário',
  turma: 'avisos de turma cancelada',
  lembrete: 'lembretes',
  cobranca: 'lembretes de cobrança',
  recibo: 'recibos',
  creditos: 'avisos de créditos',
  renovar: 'mensagens de renovação',
  aniversario: 'mensagens de aniversário',
  sumindo: 'mensagens a quem está sumindo',
};
/** What some kinds are about, beside the student. */
const subjectOf: Partial<Record<MessageKind, string>> = {
  turma: 'session',
  lembrete: 'session',
  cobranca: 'charge',
  recibo: 'transaction',
};
const about = ({ student_id, tipo, sobre_id }: MessageAbout) => [
  `student:${student_id}`,
  ...(subjectOf[tipo] === undefined ? [] : [`${subjectOf[tipo]}:${sobre_id}`]),
];

export const whatsAppHistory: HistoryWords<
  WhatsAppConnectionEvent | WhatsAppMessageEvent | WhatsAppAnswerEvent
> = {
  WhatsAppConnected: { subjects: settings, words: () => 'Conectou um número da API do WhatsApp' },
  WhatsAppDisconnected: { subjects: settings, words: () => 'Desconectou o número da API do WhatsApp' },
  WhatsAppKindSet: {
    subjects: settings,
    words: ({ tipo, modelo }) =>
      modelo
        ? `Ativou o envio automático de ${several[tipo]} pelo WhatsApp, com o modelo ${modelo.nome}`
        : `Desativou o envio automático de ${several[tipo]} pelo WhatsApp`,
  },
  WhatsAppStopped: {
    subjects: settings,
    words: ({ tipo, motivo }) =>
      `O envio ${tipo === null ? '' : `de ${several[tipo]} `}pelo WhatsApp parou: ${refusalWords(motivo)}`,
  },
  WhatsAppResumed: { subjects: settings, words: () => 'O envio pelo WhatsApp voltou a funcionar' },
  // That it was sent, the prepared message says itself.
  WhatsAppMessageSent: {
    subjects: (data) => (data.incerta ? about(data) : []),
    words: ({ tipo }) => `O WhatsApp não respondeu: talvez tenha entregue ${named[tipo]}`,
  },
  WhatsAppMessageReported: {
    subjects: (data) => (data.estado === 'enviada' ? [] : about(data)),
    words: ({ tipo, estado, motivo }) => {
      const what = named[tipo];
      switch (estado) {
        case 'enviada':
          return `O WhatsApp aceitou ${what}`;
        case 'entregue':
          return `O WhatsApp entregou ${what}`;
        case 'lida':
          return `O aluno leu ${what} no WhatsApp`;
        case 'falhou':
          return `O WhatsApp não entregou ${what}: ${refusalWords(motivo)}`;
      }
    },
  },
  WhatsAppAnswered: {
    subjects: ({ student_id, session_id }) => [
      `student:${student_id}`,
      ...(session_id === null ? [] : [`session:${session_id}`]),
    ],
    words: ({ sentido, texto }) => {
      const quoted = texto === null ? '' : `: “${texto}”`;
      return sentido === 'parar'
        ? `O aluno pediu pelo WhatsApp para não receber mais mensagens automáticas${quoted}`
        : `O aluno respondeu pelo WhatsApp${quoted || ' com algo que não é texto'}`;
    },
  },
};
