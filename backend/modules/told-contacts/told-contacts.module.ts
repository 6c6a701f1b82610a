import { Module } from '@nestjs/common';
import { sql } from 'kysely';
import type { Feature } from '../../platform/features.js';
import { serve, together } from '../../platform/http/serve.js';
import type { HistoryWords } from '../../platform/event-store/history.js';
import { stateProjection } from '../../platform/projections/projection.js';
import { defineQuery } from '../../platform/database/define-query.js';
import { type Blanks, statement } from '../../platform/database/statement.js';
import { formatPhone } from '../students/phone-format.api.js';
import { toldContact, type ToldContactState, type ToldContactEvent } from './told-contact.js';
import {
  toldContactErrors,
  toldContactsApi,
  type ToldContact,
  type ToldContactList,
  type ToldField,
} from './told-contacts.api.js';
import { AnswerToldContact, TellContact } from './told-contacts.commands.js';

const subjects = ({ student_id }: { student_id: string }) => [`student:${student_id}`];
const label: Record<ToldField, string> = { whatsapp: 'WhatsApp', nome: 'nome' };

const toldContactHistory: HistoryWords<ToldContactEvent> = {
  ContactTold: {
    subjects,
    words: ({ whatsapp, nome }) => {
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
    words: ({ campo }) => `Atualizou o ${label[campo]} com o que o aluno informou`,
  },
  ToldContactDismissed: {
    subjects,
    words: ({ campo }) => `Manteve o ${label[campo]} do cadastro: o aluno informou outro`,
  },
  ToldContactAskedAgain: {
    subjects,
    words: ({ campo }) => `Desfez a resposta sobre o ${label[campo]} que o aluno informou`,
  },
};

/** What each student's account told, and whether the trainer is still to answer. */
interface ToldRow {
  whatsapp: string | null;
  whatsapp_aberto: boolean;
  nome: string | null;
  nome_aberto: boolean;
}

const stateOf = (row: ToldRow | undefined): ToldContactState =>
  row
    ? {
        whatsapp: row.whatsapp === null ? null : { valor: row.whatsapp, aberto: row.whatsapp_aberto },
        nome: row.nome === null ? null : { valor: row.nome, aberto: row.nome_aberto },
      }
    : toldContact.initialState;

const toldContacts = stateProjection(toldContact, {
  name: 'told-contacts',
  topic: 'told-contacts',
  table: 'told_contacts',
  evolve(row: ToldRow | undefined, event): ToldRow {
    const { whatsapp, nome } = toldContact.evolve(stateOf(row), event);
    return {
      whatsapp: whatsapp?.valor ?? null,
      whatsapp_aberto: whatsapp?.aberto ?? false,
      nome: nome?.valor ?? null,
      nome_aberto: nome?.aberto ?? false,
    };
  },
});

const MOST = 1000;

const ListToldContacts = defineQuery('ListToldContacts', async ({ read }): Promise<ToldContactList> => ({
  items: await read(open({ most: MOST })),
}));

/** Not what the trainer has written into the register meanwhile. */
const open = statement((db, { most }: Blanks<{ most: number }>) =>
  sql<ToldContact>`select s.id, s.nome, t.campo, t.valor, t.atual,
      t.campo = 'whatsapp' and exists (select from students o where o.tenant_id = s.tenant_id and o.id <> s.id
        and o.status <> 'removed' and t.atual in (o.whatsapp, o.telefone)) as dividido
    from told_contacts c join students s on s.tenant_id = c.tenant_id and s.id = c.id
    cross join lateral (values
      ('whatsapp', c.whatsapp, c.whatsapp_aberto, coalesce(s.whatsapp, s.telefone)),
      ('nome', c.nome, c.nome_aberto, s.nome)) as t (campo, valor, aberto, atual)
    where t.aberto and t.valor is not null and t.valor is distinct from t.atual
      and s.status <> 'removed' and s.nome is not null
    order by s.busca, s.id, t.campo desc limit ${most}`.compile(db),
);

/**
 * A student's new name or WhatsApp. The register is the trainer's: what a student changes in the own account becomes a question
 * to each of the student's trainers, alone, which is open until it is answered or the register says the same (`told-contact`). The
 * account's change is told by the worker (`accounts/own-data/contact-changes.service.ts`).
 */
@Module(
  together(serve(toldContactsApi, { list: ListToldContacts, answer: AnswerToldContact }), {
    providers: [TellContact.Handler],
  }),
)
export class ToldContactsModule {
  static readonly feature: Feature = {
    aggregates: [toldContact],
    projections: [toldContacts],
    history: toldContactHistory,
    ownData: {
      sheets: {
        'contatos-informados': `select c.id as student_id, s.nome as aluno, c.whatsapp, c.whatsapp_aberto, c.nome, c.nome_aberto
          from told_contacts c join students s on s.tenant_id = c.tenant_id and s.id = c.id order by c.id`,
      },
      student: {
        'contato-informado': `select whatsapp, whatsapp_aberto, nome, nome_aberto from told_contacts where id = $1`,
      },
    },
    errors: toldContactErrors,
  };
}
