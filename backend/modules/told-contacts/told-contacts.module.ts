import { Module } from '@nestjs/common';
import type { Feature } from '../../platform/features.js';
import { serve, together } from '../../platform/http/serve.js';
import { toldContact } from './told-contact.js';
import { toldContactErrors, toldContactsApi } from './told-contacts.api.js';
import { AnswerToldContact, TellContact } from './told-contacts.commands.js';
import { toldContactHistory } from './told-contacts.history.js';
import { toldContacts } from './told-contacts.projection.js';
import { ListToldContacts } from './told-contacts.queries.js';

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
