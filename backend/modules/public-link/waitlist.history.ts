import type { HistoryWords } from '../../platform/event-store/history.js';
import { dayAndTime, shortDate } from '../../platform/portuguese.js';
import type { WaitingEvent } from './waiting.js';
import type { DayPart } from './waitlist.api.js';

type DataOf<Type extends WaitingEvent['type']> = Extract<WaitingEvent, { type: Type }>['data'];

const subjects = ({ student_id }: { student_id: string }) => [`student:${student_id}`];

const parts: Record<DayPart, string> = { manha: 'manhã', tarde: 'tarde', noite: 'noite' };

/** `de 2/11 a 8/11`, or one day. */
export const daysInWords = (de: string, ate: string): string =>
  de === ate ? `em ${shortDate(de)}` : `de ${shortDate(de)} a ${shortDate(ate)}`;

export const partsInWords = (periodos: readonly DayPart[]): string =>
  periodos.map((part) => parts[part]).join(', ');

const ends: Record<DataOf<'WaitlistOfferEnded'>['motivo'], string> = {
  venceu: 'expirou sem resposta',
  nao_enviada: 'expirou sem ser enviada',
  pulada: 'foi cancelada: o aluno foi pulado',
  recusada: 'foi recusada',
  ocupada: 'foi cancelada: o horário foi ocupado',
};
const leaves: Record<DataOf<'WaitlistLeft'>['motivo'], string> = {
  saiu: 'a pessoa saiu',
  datas: 'os dias passaram',
  sem_resposta: 'três ofertas ficaram sem resposta',
  aluno: 'o aluno não está mais ativo',
};

export const waitlistHistory: HistoryWords<WaitingEvent> = {
  WaitlistJoined: {
    subjects,
    words: ({ de, ate, periodos, nome, consentimento, recusados }) =>
      `Entrou na lista de espera pelo link público${nome === null ? '' : ` como ${nome}`}: ${daysInWords(de, ate)} (${partsInWords(periodos)}${recusados ? ', nenhum dos horários livres serve' : ''}); concordou com o texto de privacidade nº ${consentimento}`,
  },
  WaitlistOffered: {
    subjects,
    words: ({ inicio, ate }, timezone) =>
      `Horário oferecido pela lista de espera: ${dayAndTime(inicio, timezone)}, reservado até ${dayAndTime(ate, timezone)}`,
  },
  WaitlistOfferEnded: {
    subjects,
    words: ({ inicio, motivo }, timezone) => `Oferta de ${dayAndTime(inicio, timezone)} ${ends[motivo]}`,
  },
  WaitlistOfferNotMailed: {
    subjects,
    words: ({ inicio }, timezone) => `Oferta de ${dayAndTime(inicio, timezone)} não foi por e-mail`,
  },
  WaitlistOfferSent: {
    subjects,
    words: ({ inicio, ate }, timezone) =>
      `Enviou pelo WhatsApp a oferta de ${dayAndTime(inicio, timezone)}${ate === undefined ? '' : `, reservado até ${dayAndTime(ate, timezone)}`}`,
  },
  WaitlistOfferUnsent: {
    subjects,
    words: ({ inicio }, timezone) => `Desfez o envio da oferta de ${dayAndTime(inicio, timezone)}`,
  },
  WaitlistSkipped: { subjects, words: () => 'Pulou o aluno na lista de espera' },
  WaitlistUnskipped: { subjects, words: () => 'Recolocou o aluno na lista de espera' },
  WaitlistBooked: { subjects, words: () => 'Aceitou o horário oferecido pela lista de espera' },
  WaitlistLeft: {
    subjects,
    words: ({ motivo }) => `Saiu da lista de espera: ${leaves[motivo]}`,
  },
};
