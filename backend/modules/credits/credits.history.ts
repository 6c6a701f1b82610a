import { plural } from '../../platform/plural.api.js';
import type { HistoryWords } from '../../platform/event-store/history.js';
import { reassignedWords } from '../students/reassigned.js';
import type { CreditEvent } from './credit-account.js';
import type { CreditSharingEvent } from './credit-sharing.js';
import type { CreditTransferEvent } from './credit-transfer.js';
import type { MakeUpRulesSet } from './make-up.js';

const credits = (quantity: number) => plural(quantity, 'crédito', 'créditos');
const because = (motivo: string | null) => (motivo === null ? '' : `: ${motivo}`);
const day = (date: string) => date.split('-').reverse().join('/');
const about = ({ student_id, session_id }: { student_id: string; session_id?: string | null }) =>
  session_id ? [`student:${student_id}`, `session:${session_id}`] : [`student:${student_id}`];

export const creditHistory: HistoryWords<
  CreditEvent | CreditSharingEvent | CreditTransferEvent | MakeUpRulesSet
> = {
  CreditsGranted: {
    subjects: ({ student_id, plano_id }) => [`student:${student_id}`, `plan:${plano_id}`],
    words: ({ quantidade, expira_em }) =>
      `Renovou o plano: +${credits(quantidade)}${expira_em === null ? '' : `, com validade até ${day(expira_em)}`}`,
  },
  GrantWaived: {
    subjects: about,
    words: ({ dispensada }) =>
      dispensada ? 'Dispensou o pagamento de uma renovação' : 'Voltou a esperar o pagamento de uma renovação',
  },
  CreditsOpened: {
    subjects: about,
    words: ({ quantidade, expira_em }) =>
      `Importou o saldo de ${credits(quantidade)}${expira_em === null ? '' : `, com validade até ${day(expira_em)}`}`,
  },
  CreditConsumed: {
    // The line of a session says itself what it used.
    subjects: (data) => (data.causa === 'manual' ? about(data) : []),
    words: ({ motivo }) => `Deu baixa em 1 crédito${because(motivo)}`,
  },
  CreditReturned: {
    subjects: about,
    words: ({ session_id }, _zone, of) =>
      of === `session:${session_id}` ? 'Devolveu o crédito' : 'Devolveu o crédito de uma sessão',
  },
  CreditsAdjusted: {
    subjects: about,
    words: ({ quantidade, motivo }) =>
      `${quantidade > 0 ? 'Adicionou' : 'Removeu'} ${credits(Math.abs(quantidade))}${because(motivo)}`,
  },
  MakeUpGranted: {
    subjects: about,
    words: ({ expira_em }) => `Transformou 1 crédito em reposição, com validade até ${day(expira_em)}`,
  },
  MakeUpTakenBack: {
    subjects: about,
    words: () => 'Desfez a reposição: o crédito voltou à validade de antes',
  },
  CreditSharingSet: {
    subjects: ({ student_id, dono_id, antes }) =>
      [student_id, dono_id, antes].flatMap((id) => (id === null ? [] : [`student:${id}`])),
    words: ({ dono_id, antes }, _zone, of) => {
      if (of === `student:${dono_id}`) return 'Passou a dividir os créditos com outro aluno';
      if (of === `student:${antes}`) return 'Deixou de dividir os créditos com outro aluno';
      return dono_id === null
        ? 'Passou a usar só os próprios créditos'
        : 'Passou a usar também os créditos de outro aluno';
    },
  },
  MakeUpRulesSet: {
    subjects: (_data, tenantId: string) => [`availability:${tenantId}`],
    words: ({ ativo }) => (ativo ? 'Definiu as regras da reposição' : 'Desativou a reposição'),
  },
  CreditsSent: {
    subjects: about,
    words: ({ quantidade, motivo, desfaz }) =>
      desfaz === null
        ? `Transferiu ${credits(quantidade)} para outro aluno${because(motivo)}`
        : `Transferência desfeita: ${credits(quantidade)} de volta ao outro aluno`,
  },
  CreditsReceived: {
    subjects: about,
    words: ({ quantidade, desfaz }) =>
      desfaz === null
        ? `Transferiu ${credits(quantidade)} de outro aluno para este`
        : `Transferência desfeita: ${credits(quantidade)} de volta`,
  },
  // Both accounts have their own lines about it.
  CreditTransferMade: { subjects: () => [], words: () => 'Transferiu créditos' },
  CreditTransferUndone: { subjects: () => [], words: () => 'Desfez a transferência de créditos' },
  // The line of the merging says how many credits it joined.
  CreditsTakenOver: { subjects: () => [], words: reassignedWords },
  CreditsHandedOver: { subjects: () => [], words: reassignedWords },
  CreditsExtended: {
    subjects: ({ student_id, vacation_id }) => [
      `student:${student_id}`,
      ...(vacation_id === null ? [] : [`vacation:${vacation_id}`]),
    ],
    words: ({ dias, lotes, vacation_id }) => {
      const days = plural(Math.abs(dias), 'dia', 'dias');
      const until = [...new Set(lotes.map(({ expira_em }) => day(expira_em)))].join(' e ');
      return dias > 0
        ? `Prorrogou os créditos por ${days} por causa ${vacation_id === null ? 'da pausa' : 'das férias'}: válidos até ${until}`
        : `Desfez a prorrogação de ${days} dos créditos: válidos até ${until}`;
    },
  },
};
