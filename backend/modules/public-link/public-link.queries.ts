import { CompiledQuery, sql } from 'kysely';
import { Config } from '../../platform/config/env.js';
import { Database } from '../../platform/database/database.js';
import { defineQuery } from '../../platform/database/define-query.js';
import { type Blanks, statement } from '../../platform/database/statement.js';
import {
  defaultSettings,
  type LinkSettings,
  type PublicLink,
  type StrangerList,
  type Visit,
  type VisitList,
} from './public-link.api.js';
import { ownersOf, type StrangerRow, strangersOf } from './strangers.loads.js';

export const ShowPublicLink = defineQuery(
  'ShowPublicLink',
  { config: Config },
  async ({ now, read }, { config }): Promise<PublicLink> => {
    const [row] = await read(link({ now }));
    const { slug, settings, horarios_definidos, tem_chave, automatico, antigos, bloqueados } = row!;
    return {
      ...(settings ?? defaultSettings),
      slug,
      url: `${config.siteUrl}/p/${slug}`,
      salvo: settings?.salvo ?? false,
      horarios_definidos,
      tem_chave,
      automatico,
      antigos: antigos.map((one) => ({ ...one, ate: new Date(one.ate).toISOString() })),
      bloqueados,
    };
  },
);

interface LinkRow {
  slug: string;
  settings: (LinkSettings & { salvo: boolean }) | null;
  horarios_definidos: boolean;
  tem_chave: boolean;
  automatico: boolean;
  antigos: { slug: string; ate: string }[];
  bloqueados: { student_id: string; nome: string | null }[];
}

const link = statement((db, { now }: Blanks<{ now: Date }>) =>
  sql<LinkRow>`select t.slug,
    (select to_jsonb(p) - 'tenant_id' - 'id' - 'bloqueados' from public_links p) as settings,
    exists (select from availability, jsonb_array_elements(horarios) h where not (h->>'is_blocked')::boolean)
      as horarios_definidos,
    exists (select from pix_accounts where chave is not null) as tem_chave,
    exists (select from pix_providers) as automatico,
    coalesce((select json_agg(json_build_object('slug', s.slug, 'ate', s.until) order by s.until desc)
      from slugs s where s.until > ${now}::timestamptz), '[]') as antigos,
    coalesce((select json_agg(json_build_object('student_id', b.id, 'nome', st.nome) order by st.busca)
      from public_links p cross join jsonb_array_elements_text(p.bloqueados) b(id)
      left join students st on st.tenant_id = p.tenant_id and st.id = b.id::uuid), '[]') as bloqueados
    from tenants t`.compile(db),
);

/** Cancelled ones are left out; all are in the agenda. */
const MOST_SHOWN = 100;

/** Upcoming bookings of visitors: those that wait for the trainer first. */
export const ListVisits = defineQuery('ListVisits', async ({ now, read }): Promise<VisitList> => {
  const rows = await read(coming({ now, most: MOST_SHOWN }));
  const text = (at: Date) => new Date(at).toISOString();
  return {
    items: rows.map((row) => ({
      ...row,
      inicio: text(row.inicio),
      fim: text(row.fim),
      criado_em: text(row.criado_em),
      vence_em: row.vence_em && !row.confirmado && row.vence_em < row.inicio ? text(row.vence_em) : null,
    })),
    lido_em: now.toISOString(),
  };
});

type VisitRow = Omit<Visit, 'inicio' | 'fim' | 'criado_em' | 'vence_em'> &
  Record<'inicio' | 'fim' | 'criado_em', Date> & { vence_em: Date | null };

const OWNERS = sql.raw(ownersOf('v.tenant_id', 'v.student_id'));

const coming = statement((db, { now, most }: Blanks<{ now: Date; most: number }>) =>
  sql<VisitRow>`select v.id, v.session_id, v.student_id, v.nome, st.nome as aluno, st.whatsapp, v.novo,
    coalesce(st.status = 'archived', false) as inativo,
    l.nome as location_nome, sv.nome as servico_nome, s.inicio, s.fim, s.status, s.confirmado, v.criado_em, v.vence_em,
    exists (select from public_links p where p.bloqueados ? v.student_id::text) as bloqueado,
    (select json_build_object('id', c.id, 'valor', c.valor, 'pago', c.pago,
        'pedido', case when c.status = 'aberta' then greatest(c.entrada - c.pago, 0) else 0 end)
      from charges c where c.id = (s.porta ->> 'charge_id')::uuid and c.status <> 'cancelada') as cobranca,
    case when s.confirmado then '[]' else
      coalesce((select json_agg(o) from (${OWNERS}) o), '[]') end as de_quem
    from sessions s
    join visits v on v.tenant_id = s.tenant_id and v.session_id = s.id
    left join students st on st.tenant_id = s.tenant_id and st.id = s.student_id
    left join locations l on l.tenant_id = s.tenant_id and l.id = s.location_id
    left join services sv on sv.tenant_id = s.tenant_id and sv.id = (s.servico->>'service_id')::uuid
    where s.inicio > ${now}::timestamptz and not s.deleted and s.status = 'agendada'
    order by s.confirmado, s.inicio, v.id limit ${most}::bigint`.compile(db),
);

/** The people whom `ForgetStrangers` would forget. */
export const ListStrangers = defineQuery(
  'ListStrangers',
  { database: Database },
  async ({ context: { tenantId }, now }, { database }): Promise<StrangerList> => {
    const rows = await database.read<StrangerRow>(tenantId, CompiledQuery.raw(STRANGERS, [tenantId, now]));
    const text = ({ inicio }: { inicio: string }) => new Date(inicio).toISOString();
    return {
      items: rows.map(({ student_id, nome, abertas }) => ({ student_id, nome, reservas: abertas.map(text) })),
    };
  },
);

const STRANGERS = strangersOf();
