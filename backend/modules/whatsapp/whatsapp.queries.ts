import { type Kysely, sql } from 'kysely';
import { defineQuery } from '../../platform/database/define-query.js';
import type { DB } from '../../platform/database/schema.generated.js';
import { type Blanks, sameTenant, statement } from '../../platform/database/statement.js';
import { refusalWords } from '../../platform/whatsapp-messages.api.js';
import { openOfPayer } from '../charges/bills.queries.js';
import { openCharge } from '../charges/charges.queries.js';
import { whoPays } from '../payers/payers.queries.js';
import { trainersName } from '../accounts/trainers-name.queries.js';
import type { NudgeReason } from '../nudges/nudges.api.js';
import { nudgesToSend } from '../nudges/nudges.queries.js';
import { messageKind, type Template, type WhatsAppShown } from './whatsapp.api.js';

export const ShowWhatsApp = defineQuery('ShowWhatsApp', async ({ read }): Promise<WhatsAppShown> => {
  const [[row], sem_mensagens] = await Promise.all([read(connected({})), read(unwilling({ most: MOST }))]);
  if (!row) return { conexao: null };
  const { connection_id: id, desde, testado_em, falha, nome, numero, parada } = row;
  const [used, stopped] = [row.modelos, row.parados] as [
    Record<string, { nome: string }>,
    Record<string, number>,
  ];
  return {
    conexao: {
      id,
      nome,
      numero,
      desde: desde.toISOString(),
      testado_em: testado_em?.toISOString() ?? null,
      falha: falha && failureWords(falha),
      parada: parada === null ? null : refusalWords(parada),
      sem_mensagens,
      modelos: (row.lidos as Template[] | null) ?? [],
      tipos: messageKind.options.map((tipo) => ({
        tipo,
        modelo: used[tipo]?.nome ?? null,
        parado: stopped[tipo] === undefined ? null : refusalWords(stopped[tipo]),
      })),
    },
  };
});

const silences: Readonly<Record<string, string>> = {
  endereco: 'o endereço da Meta não foi encontrado',
  conexao: 'a Meta não respondeu',
  tempo: 'a Meta demorou mais de 10 segundos',
  tls: 'o certificado do servidor não é confiável',
  certificado: 'o servidor recusou a conexão segura',
  tamanho: 'a resposta é grande demais',
  formato: 'a resposta não é a da API do WhatsApp',
  chaves: 'as chaves não vêm com o arquivo importado; conecte o número de novo',
};

/** The text for the trainer of a stored failure. */
function failureWords(stored: string): string {
  const [kind = '', status, code = status] = stored.split(' ');
  return silences[kind] ?? refusalWords(Number(code));
}

/** Which of these messages the tenant has handed over, among them those that have left the outbox. */
export const ownMessages = statement((db, { ids }: Blanks<{ ids: string[] }>) =>
  sql<{ id: string }>`select id from whatsapp_outbox where id = any(${ids}::uuid[]) and began_at is not null
    union select id from whatsapp_messages where id = any(${ids}::uuid[])`.compile(db),
);

const MOST = 200;

const unwilling = statement((db, { most }: Blanks<{ most: number }>) =>
  db
    .selectFrom('letters_off as o')
    .innerJoin('students as s', (join) => sameTenant(join, 's.id', 'o.student_id'))
    .select(['s.id', sql<string>`s.nome`.as('nome')])
    .where('o.kind', '=', 'whatsapp')
    .where(sql<boolean>`s.nome is not null and s.status <> 'removed'`)
    .orderBy('s.busca')
    .orderBy('s.id')
    .limit(most)
    .compile(),
);

const connected = statement((db) =>
  db
    .selectFrom('whatsapp_connections as c')
    .leftJoin('whatsapp_checks as k', (join) => sameTenant(join, 'k.connection_id', 'c.connection_id'))
    .select(['c.connection_id', 'c.desde', 'c.parada', 'c.modelos', 'c.parados'])
    .where('c.conectado', '=', true)
    .select(['k.testado_em', 'k.falha', 'k.nome', 'k.numero', 'k.modelos as lidos'])
    .compile(),
);

/** Whether they want no messages by WhatsApp. */
const switchedOff = sql<boolean>`exists (select from letters_off o where o.tenant_id = s.tenant_id
  and o.student_id = ${whoPays.id} and o.kind = 'whatsapp')`;

interface Asked {
  id: string;
  now: Date;
}

/** The students who may be written to, each with the trainer's name and zone; in their place this payer, where one is. */
const reachable = (db: Kysely<DB>, payer = sql`null::uuid`) =>
  db
    .selectFrom('students as s')
    .innerJoin('tenants as t', 't.tenant_id', 's.tenant_id')
    .leftJoin('payers as y', (join) =>
      join.onRef('y.tenant_id', '=', 's.tenant_id').on(sql<boolean>`y.id = ${payer}`),
    )
    .select([sql<string>`${whoPays.nome}`.as('nome'), sql<string>`${whoPays.whatsapp}`.as('whatsapp')])
    .select('t.timezone')
    .select(sql<string>`${trainersName}`.as('personal'))
    .where('s.status', '=', 'active')
    .where(sql<boolean>`s.nome is not null and ${whoPays.whatsapp} is not null and not ${switchedOff}`);

/** A reminder that still waits to be sent, of a session that takes place as it was announced. */
const lessonToTell = statement((db, { id, now }: Blanks<Asked>) =>
  reachable(db)
    .innerJoin('reminders as r', (join) => sameTenant(join, 'r.student_id', 's.id'))
    .innerJoin('sessions as x', (join) =>
      sameTenant(join, 'x.id', 'r.session_id').onRef('x.inicio', '=', 'r.inicio'),
    )
    .select('x.inicio')
    .where('r.id', '=', id)
    .where('x.inicio', '>', now)
    .where(sql<boolean>`x.status = 'agendada' and not x.deleted and x.student_id = s.id`)
    .where(sql<boolean>`r.enviado_em is null and r.confirmado_em is null`)
    .compile(),
);

/** Of somebody in the waitlist. */
const personToOffer = statement((db, { id }: Blanks<Asked>) =>
  reachable(db)
    .innerJoin('waitlist as w', (join) => sameTenant(join, 'w.student_id', 's.id'))
    .where('w.id', '=', id)
    .compile(),
);

/** A receipt that was not sent yet, and is not cancelled; one of several students goes to their payer alone, in the place of the first. */
const receiptToTell = statement((db, { id }: Blanks<Asked>) =>
  reachable(db, sql`(select payer_id from receipts where id = ${id})`)
    .innerJoin('receipts as r', (join) =>
      join
        .onRef('r.tenant_id', '=', 's.tenant_id')
        .on(
          sql<boolean>`s.id = coalesce(r.student_id, case when r.payer_id is not null then (r.partes -> 0 ->> 'student_id')::uuid end)`,
        ),
    )
    .select(['r.numero', 'r.valor'])
    .where('r.id', '=', id)
    .where('r.enviado_em', 'is', null)
    .where(sql<boolean>`not exists (select from receipt_entries e where e.receipt_id = r.id and e.cancelada)`)
    .compile(),
);

/** A student to whom there is a reason to write, and who was not written to for that. */
const nudgeToTell = statement((db, { id, sobre_id, motivo, ...at }: Blanks<Nudged>) =>
  reachable(db)
    .innerJoin(nudgesToSend(at).as('n'), 'n.student_id', 's.id')
    .select(['n.inicio', 'n.turma', 'n.plano', 'n.valor'])
    .where('s.id', '=', id)
    .where('n.motivo', '=', motivo)
    .where(sql<boolean>`coalesce(n.session_id, s.id) = ${sobre_id}::uuid`)
    .compile(),
);

interface Nudged extends Asked {
  sobre_id: string;
  motivo: NudgeReason;
  today: string;
}

/** A charge that is open and not promised, of which the student was not told today. */
const chargeToTell = statement((db, { id, now }: Blanks<Asked>) =>
  reachable(
    db,
    sql`(select l.payer_id from student_payers l where l.tenant_id = s.tenant_id and l.id = s.id)`,
  )
    .innerJoin('charges as c', (join) => sameTenant(join, 'c.student_id', 's.id'))
    .select(['c.vencimento', 'c.link_id', openCharge.as('aberto')])
    .select(['y.link_id as conta_link_id', openOfPayer(sql`y.id`).as('conta')])
    .where('c.id', '=', id)
    .where('c.status', '=', 'aberta')
    .where(
      sql<boolean>`(c.prometida is null or c.prometida < (${now}::timestamptz at time zone t.timezone)::date)`,
    )
    .where(
      sql<boolean>`not exists (select from jsonb_array_elements(c.lembretes) as told
        where told ->> 'dia' = (${now}::timestamptz at time zone t.timezone)::date::text)`,
    )
    .compile(),
);

/** A warning that still waits to be sent, with what is left of the credits. */
const creditsToTell = statement((db, { id, now }: Blanks<Asked>) =>
  reachable(db)
    .innerJoin('expiry_warnings as w', (join) => sameTenant(join, 'w.student_id', 's.id'))
    .innerJoin('credit_lot_balances as l', (join) =>
      sameTenant(join, 'l.student_id', 's.id').onRef('l.expira_em', '=', 'w.expira_em'),
    )
    .select(['w.expira_em', sql<number>`sum(l.restante)::int`.as('creditos')])
    .where('w.id', '=', id)
    .where('w.expires_at', '>', now)
    .where('w.enviado_em', 'is', null)
    .where('l.restante', '>', 0)
    .groupBy([
      's.tenant_id',
      's.id',
      't.tenant_id',
      'w.tenant_id',
      'w.id',
      's.nome',
      's.whatsapp',
      't.timezone',
    ])
    .groupBy(['w.expira_em', 's.status', 'y.tenant_id', 'y.id'])
    .compile(),
);

export const toTell = {
  oferta: personToOffer,
  lembrete: lessonToTell,
  cobranca: chargeToTell,
  recibo: receiptToTell,
  creditos: creditsToTell,
  nudge: nudgeToTell,
};
