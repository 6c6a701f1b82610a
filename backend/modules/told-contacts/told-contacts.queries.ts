import { sql } from 'kysely';
import { defineQuery } from '../../platform/database/define-query.js';
import { type Blanks, statement } from '../../platform/database/statement.js';
import type { ToldContact, ToldContactList } from './told-contacts.api.js';

const MOST = 1000;

export const ListToldContacts = defineQuery(
  'ListToldContacts',
  async ({ read }): Promise<ToldContactList> => ({ items: await read(open({ most: MOST })) }),
);

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
