import type { HistoryWords } from '../../platform/event-store/history.js';
import { formatPhone } from '../students/phone-format.api.js';
import type { ToldContactEvent } from './told-contact.js';
import type { ToldField } from './told-contacts.api.js';

type Of<Type extends ToldContactEvent['type']> = Extract<ToldContactEvent, { type: Type }>['data'];

const subjects = ({ student_id }: { student_id: string }) => [`student:${student_id}`];
const label: Record<ToldField, string> = { whatsapp: 'WhatsApp', nome: 'nome' };

export const toldContactHistory: HistoryWords<ToldContactEvent> = {
  ContactTold: {
    subjects,
    words: ({ whatsapp, nome }: Of<'ContactTold'>) => {
      const told = [
        ...(whatsapp ? [`o WhatsApp (${formatPhone(whatsapp)})`] : []),
        ...(nome ? [`o nome (${nome})`] : []),
      ];
      return told.length > 0
        ? `Mudou na própria conta ${told.join(' e ')}`
        : 'Mudou os dados da própria conta';
    },
  },
  ToldContactTaken: {
    subjects,
    words: ({ campo }: Of<'ToldContactTaken'>) => `Atualizou o ${label[campo]} com o que o aluno informou`,
  },
  ToldContactDismissed: {
    subjects,
    words: ({ campo }: Of<'ToldContactDismissed'>) =>
      `Manteve o ${label[campo]} do cadastro: o aluno informou outro`,
  },
  ToldContactAskedAgain: {
    subjects,
    words: ({ campo }: Of<'ToldContactAskedAgain'>) =>
      `Desfez a resposta sobre o ${label[campo]} que o aluno informou`,
  },
};
