import type { Effect, Effects } from '../../platform/event-store/effect.js';
import { plural } from '../../platform/plural.api.js';
import { balance, type CreditEvent, type CreditState } from './credit-account.js';

type DataOf<Type extends CreditEvent['type']> = Extract<CreditEvent, { type: Type }>['data'];

const credits = (quantity: number) => plural(quantity, 'crédito', 'créditos');
const of = (nome: string | null) => (nome === null ? '' : ` de ${nome}`);

function credit(student_id: string, quantidade: number): Effect[] {
  if (quantidade > 0)
    return [
      {
        ...{ kind: 'credits back', quantidade, student_id },
        texto: (sum, nome) => `devolve ${credits(sum)}${nome === null ? '' : ` a ${nome}`}`,
      },
    ];
  return [
    {
      ...{ kind: 'credits away', quantidade: -quantidade, student_id },
      texto: (sum, nome) => `remove ${credits(sum)}${of(nome)}`,
    },
  ];
}

/** What a transfer leaves its students with. */
const left = (state: CreditState, at: string) => `, e o saldo fica ${balance(state, new Date(at))}`;

export const creditEffects: Effects = {
  CreditReturned: ({ student_id }: DataOf<'CreditReturned'>) => credit(student_id, 1),
  CreditConsumed: ({ student_id }: DataOf<'CreditConsumed'>) => credit(student_id, -1),
  CreditsAdjusted: ({ student_id, quantidade }: DataOf<'CreditsAdjusted'>) => credit(student_id, quantidade),
  CreditsReceived: ({ student_id, quantidade, at }: DataOf<'CreditsReceived'>, state: CreditState) => [
    {
      ...{ kind: 'transferred back', quantidade, student_id },
      texto: (sum, nome) => `devolve ${credits(sum)}${nome === null ? '' : ` a ${nome}`}${left(state, at)}`,
    },
  ],
  CreditsSent: ({ student_id, quantidade, at }: DataOf<'CreditsSent'>, state: CreditState) => [
    {
      ...{ kind: 'transferred away', quantidade, student_id },
      texto: (sum, nome) => `tira ${credits(sum)}${of(nome)}${left(state, at)}`,
    },
  ],
  MakeUpTakenBack: ({ student_id }: DataOf<'MakeUpTakenBack'>) => [
    {
      ...{ kind: 'make-ups', quantidade: 1, student_id },
      texto: (sum, nome) =>
        `desfaz ${plural(sum, 'reposição', 'reposições')}${of(nome)}: o crédito volta à validade de antes`,
    },
  ],
  CreditsTakenOver: ({ student_id, lotes }: DataOf<'CreditsTakenOver'>) => [
    {
      ...{ kind: 'credits taken over', student_id },
      quantidade: lotes.reduce((sum, { remaining }) => sum + remaining, 0),
      texto: (sum) => `passa ${credits(sum)} de volta ao outro cadastro`,
    },
  ],
  CreditsExtended: ({ student_id, vacation_id }: DataOf<'CreditsExtended'>) => [
    vacation_id === null
      ? {
          ...{ kind: 'validity of a pause', quantidade: 1, student_id },
          texto: (_sum, nome) => `tira da validade dos créditos${of(nome)} os dias que faltavam da pausa`,
        }
      : {
          ...{ kind: 'validity', quantidade: 1, student_id },
          texto: (sum, nome) =>
            `volta a validade dos créditos de ${nome ?? plural(sum, 'aluno', 'alunos')} à de antes`,
        },
  ],
};
