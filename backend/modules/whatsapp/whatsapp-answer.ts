import type { Aggregate, PersonalFields } from '../../platform/event-store/aggregate.js';
import { searchable } from '../../platform/searchable.api.js';

/** What an answer means: it confirms, says that the student does not come, ends the messages, or is for the trainer to read. */
export type Meaning = 'confirma' | 'nao_vai' | 'parar' | 'outra';

interface Answered {
  answer_id: string;
  student_id: string;
  /** The message that it answers, and the session that was about; null for one that answers none. */
  message_id: string | null;
  session_id: string | null;
  inicio: string | null;
  sentido: Meaning;
  /** Null for what is no text, and once the student is forgotten. */
  texto: string | null;
}

export interface WhatsAppAnswerEvent {
  type: 'WhatsAppAnswered';
  data: Answered;
}

const personal: PersonalFields<Answered> = { person: ({ student_id }) => student_id, fields: ['texto'] };

/** What a student wrote to the trainer's number; the stream's id follows from Meta's id of it, so that it counts once. */
export const whatsAppAnswer: Aggregate<boolean, WhatsAppAnswerEvent> = {
  name: 'whatsapp-answer',
  initialState: false,
  evolve(_known, { type }) {
    switch (type) {
      case 'WhatsAppAnswered':
        return true;
    }
  },
  events: { WhatsAppAnswered: { schemaVersion: 1, personal, uses: 'nothing new' } },
};

const said: Readonly<Record<Exclude<Meaning, 'outra'>, readonly string[]>> = {
  confirma: [
    '1',
    'sim',
    's',
    'confirmo',
    'confirmado',
    'confirmada',
    'sim confirmo',
    'eu confirmo',
    'vou',
    'eu vou',
  ],
  nao_vai: [
    '2',
    'nao',
    'n',
    'nao vou',
    'nao posso',
    'nao consigo',
    'nao confirmo',
    'nao poderei',
    'nao vou poder ir',
  ],
  parar: ['sair', 'parar', 'pare', 'stop', 'descadastrar', 'nao quero mais receber', 'cancelar inscricao'],
};

/** Only whole answers count: what says more is for the trainer to read. */
export function meaningOf(text: string): Meaning {
  const plain = searchable(text)
    .replace(/[^\p{L}\p{N}\s]/gu, ' ')
    .replace(/\s+/g, ' ')
    .trim();
  const found = Object.entries(said).find(([, words]) => words.includes(plain));
  return (found?.[0] as Meaning | undefined) ?? 'outra';
}
