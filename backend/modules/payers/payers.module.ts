import { Module } from '@nestjs/common';
import type { Feature } from '../../platform/features.js';
import { defineGuard } from '../../platform/event-store/guard.js';
import type { HistoryWords } from '../../platform/event-store/history.js';
import { serve } from '../../platform/http/serve.js';
import { stateProjection, studentIfAny } from '../../platform/projections/projection.js';
import { searchable } from '../../platform/searchable.api.js';
import { type KnownPayer, payer, type PayerEvent, type PayerFields } from './payer.js';
import { payerErrors, payersApi } from './payers.api.js';
import {
  ChangePayer,
  ChoosePayer,
  RegisterPayer,
  RemovePayer,
  ReplacePayerLink,
  RestorePayer,
} from './payers.commands.js';
import { GetPayer, GetPayerOfStudent, ListPayers } from './payers.queries.js';
import { studentPayer, type StudentPayerEvent } from './student-payer.js';

const subjects = ({ payer_id }: { payer_id: string }) => [`payer:${payer_id}`];
const labels: Record<keyof PayerFields, string> = {
  nome: 'nome',
  documento: 'CPF ou CNPJ',
  whatsapp: 'WhatsApp',
  email: 'e-mail',
};

/** `nome (Carla Souza), CPF ou CNPJ` */
const changed = (changes: Partial<PayerFields>): string =>
  Object.entries(labels)
    .filter(([field]) => field in changes)
    .map(([field, label]) => {
      const value = field === 'documento' ? null : changes[field as keyof PayerFields];
      return value ? `${label} (${value})` : label;
    })
    .join(', ');

const history: HistoryWords<PayerEvent | StudentPayerEvent> = {
  PayerRegistered: {
    subjects,
    words: ({ nome }) => (nome === null ? 'Cadastrou o pagador' : `Cadastrou o pagador ${nome}`),
  },
  PayerChanged: { subjects, words: (changes) => `Alterou ${changed(changes)}` },
  PayerRemoved: { subjects, words: () => 'Excluiu o pagador' },
  PayerRestored: { subjects, words: () => 'Desfez a exclusão do pagador' },
  PayerLinkOpened: { subjects, words: () => 'Gerou o link da conta' },
  StudentPayerSet: {
    subjects: ({ student_id, payer_id, antes }) => [
      `student:${student_id}`,
      ...[payer_id, antes].flatMap((id) => (id === null ? [] : [`payer:${id}`])),
    ],
    words: ({ payer_id, antes }, _zone, of) => {
      if (of === `payer:${payer_id}`) return 'Passou a pagar por um aluno';
      if (of === `payer:${antes}`) return 'Deixou de pagar por um aluno';
      return payer_id === null ? 'Passou a pagar por si' : 'Definiu outra pessoa como quem paga';
    },
  },
};

type PayerRow = KnownPayer & { busca: string; criado_em: string };

/** Folded state of each payer; removed ones keep their row, so that they can be restored. */
const payers = stateProjection(payer, {
  name: 'payers',
  version: 2,
  topic: 'payers',
  table: 'payers',
  evolve(row: PayerRow | undefined, event) {
    const after = payer.evolve(row, event);
    if (!after) return null;
    const criado_em = row?.criado_em ?? event.recordedAt.toISOString();
    return { ...after, busca: searchable(after.nome ?? ''), criado_em };
  },
});

/** The current link of each payer, by the hash of its token and by what a Pix says. */
const payerLinks = defineGuard<PayerEvent>({
  name: 'payer-links',
  tables: ['payer_links'],
  writes: {
    PayerLinkOpened: ({ payer_id, link_id, txid, token_hash }) => [
      ['delete from payer_links where tenant_id = $1 and payer_id = $2', payer_id],
      [
        `insert into payer_links (tenant_id, id, payer_id, txid, token_hash) values ($1, $2, $3, $4, decode($5, 'hex'))`,
        link_id,
        payer_id,
        txid,
        token_hash,
      ],
    ],
  },
});

const studentPayers = stateProjection(studentPayer, {
  name: 'student-payers',
  topic: 'payers',
  table: 'student_payers',
  students: studentIfAny,
});

/**
 * Who pays for students: a parent for children, one of a couple for both, a company. Charges stay each student's own; their messages and
 * links go to the payer, and receipts are in the payer's name, who has a key and a right to be forgotten of their own. What is paid at
 * once has one receipt (`receipts`), and one invite gives the payer's account the areas of all students (`accounts`). A student has one payer at
 * most (`student-payer`, whose stream is the student's), or pays for themselves. Removing a payer leaves the students to themselves,
 * and restoring gives them back.
 */
@Module(
  serve(payersApi, {
    list: ListPayers,
    register: RegisterPayer,
    get: GetPayer,
    change: ChangePayer,
    remove: RemovePayer,
    restore: RestorePayer,
    replaceLink: ReplacePayerLink,
    ofStudent: GetPayerOfStudent,
    choose: ChoosePayer,
  }),
)
export class PayersModule {
  static readonly feature: Feature = {
    aggregates: [payer, studentPayer],
    guards: [payerLinks],
    projections: [payers, studentPayers],
    history,
    ownData: {
      sheets: {
        pagadores: `select y.id, y.nome, y.documento, y.whatsapp, y.email, y.removed as excluido, y.criado_em,
            (select string_agg(s.nome, ', ' order by s.busca, s.id) from student_payers l
              join students s on s.tenant_id = l.tenant_id and s.id = l.id
              where l.tenant_id = y.tenant_id and l.payer_id = y.id and s.status <> 'removed') as alunos
          from payers y order by y.criado_em, y.id`,
      },
      student: {
        'quem-paga': `select y.nome from student_payers l
          join payers y on y.tenant_id = l.tenant_id and y.id = l.payer_id where l.id = $1`,
      },
    },
    errors: payerErrors,
  };
}
