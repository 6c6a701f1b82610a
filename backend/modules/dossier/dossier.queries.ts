import { QueryBus } from '@nestjs/cqrs';
import { addDays, formatISO, parseISO, startOfMinute } from 'date-fns';
import { sql } from 'kysely';
import { Config } from '../../platform/config/env.js';
import { defineQuery, type Reading } from '../../platform/database/define-query.js';
import { type Blanks, sameTenant, statement } from '../../platform/database/statement.js';
import { FeatureRegistry } from '../../platform/features.js';
import { Problem } from '../../platform/http/problem.js';
import { atClocks, dateOf } from '../../platform/local-time.js';
import { PdfSeals } from '../../platform/pdf/pdf-seals.service.js';
import { PdfWriter } from '../../platform/pdf/pdf-writer.service.js';
import { trainersName } from '../accounts/trainers-name.queries.js';
import { pastOf } from '../audit/history.queries.js';
import { ListContractsInForce } from '../contracts/contracts-in-force.queries.js';
import { GetCreditStatement } from '../credits/credits.queries.js';
import { dossierCodeOf, sealCodeOf } from '../seals/seal-code.js';
import { FindSealed } from '../seals/seals.queries.js';
import type { DossierPreview, DossierQuery } from './dossier.api.js';
import { composeDossier, type DossierFacts } from './dossier.facts.js';
import type { DossierFile } from './dossier.pdf.js';

/** Of sessions, lines of credits, charges and payments each. */
const MOST_THINGS = 2_000;
const MOST_EVENTS = 10_000;
/** The whole account of a student: the balance before the first line of the period is that after the line before. */
const MOST_LINES = 5_000;

/** All that a dossier says, in ten statements however much it is; `where`: its newest record and the seal of that. */
async function gather(
  { context, now, report }: Reading,
  { queries, features }: { queries: QueryBus; features: FeatureRegistry },
  studentId: string,
  { de, ate }: DossierQuery,
) {
  const { timezone: zone, tenantId, userId } = context;
  const startOf = (day: string) => new Date(atClocks(Date.parse(`${day}T00:00Z`), zone));
  const from = startOf(de);
  const to = startOf(formatISO(addDays(parseISO(ate), 1), { representation: 'date' }));
  const asked = { studentId, from, to, de, ate, limit: MOST_THINGS + 1 };
  const [person] = await report(who({ studentId }));
  if (!person) throw new Problem('students.not_found');
  const [contracts, account, sessions, charges, payments] = await Promise.all([
    queries.execute(new ListContractsInForce(context, studentId, from, to)),
    queries.execute(new GetCreditStatement(context, studentId, { limit: MOST_LINES })),
    report(sessionsOf(asked)),
    report(chargesOf(asked)),
    report(paymentsOf(asked)),
  ]);
  const places = [...new Set(sessions.flatMap(({ location_id }) => location_id ?? []))];
  const events = await report(
    pastOf({
      studentId,
      from,
      to,
      limit: MOST_EVENTS + 1,
      subjects: [
        ...sessions.map(({ id }) => `session:${id}`),
        ...charges.map(({ id }) => `charge:${id}`),
        ...payments.map(({ id }) => `transaction:${id}`),
        ...places.map((id) => `policy:${id}`),
      ],
      requests: contracts.map(({ id }) => id),
    }),
  );
  const isTooLong =
    account.extrato.next !== null ||
    events.length > MOST_EVENTS ||
    [sessions, charges, payments].some(({ length }) => length > MOST_THINGS);
  if (isTooLong) throw new Problem('dossier.too_long');
  const facts = await composeDossier(
    { person, contracts, sessions, charges, payments, events, lines: account.extrato.items.toReversed() },
    {
      zone,
      from,
      to,
      now,
      today: dateOf(now, zone),
      tenantId,
      userId,
      words: (event, of) => features.all.history[event.type]!.words(event.data as never, zone, of),
    },
  );
  const positions = facts.fontes.flatMap(({ registros }) => registros.map(({ posicao }) => posicao));
  const newest = Math.max(0, ...positions);
  const [hashed] = await report(hashAt({ position: newest }));
  const place = hashed && { tenantId, position: newest, hash: hashed.hash };
  const seal = place && (await queries.execute(new FindSealed(sealCodeOf(place))));
  return { person, facts, place, seal, registros: new Set(positions).size };
}

export const PreviewDossier = defineQuery(
  'PreviewDossier',
  { queries: QueryBus, features: FeatureRegistry },
  async (reading, services, studentId: string, query: DossierQuery): Promise<DossierPreview> => {
    const { facts, seal, registros } = await gather(reading, services, studentId, query);
    const { contratos, regras, sessoes, creditos, cobrancas, pagamentos, mensagens } = facts;
    const current = contratos.find(({ desistiu }) => !desistiu);
    return {
      contrato: current
        ? { titulo: current.titulo, versao: current.versao, assinado_em: current.assinado_em }
        : null,
      regras: regras.length,
      sessoes: sessoes.linhas.length,
      canceladas: sessoes.canceladas,
      creditos: creditos.linhas.length,
      cobrancas: cobrancas.linhas.length,
      pagamentos: pagamentos.linhas.length,
      mensagens: mensagens.length,
      registros,
      lacrado_em: seal?.sealedOn ?? null,
    };
  },
);

export const PrintDossier = defineQuery(
  'PrintDossier',
  { queries: QueryBus, features: FeatureRegistry, config: Config, pdfs: PdfWriter, seals: PdfSeals },
  async (reading, services, studentId: string, query: DossierQuery): Promise<Buffer> => {
    const { config, pdfs, seals } = services;
    const { person, facts, place, seal, registros } = await gather(reading, services, studentId, query);
    if (!place || isEmpty(facts)) throw new Problem('dossier.nothing');
    const { tenantId, timezone: zone } = reading.context;
    const codigo = dossierCodeOf(place);
    const { nome, cpf, personal, prestador, documento, cref } = person;
    const file: Omit<DossierFile, 'carimbo'> = {
      ...facts,
      ...query,
      zone,
      nome,
      cpf,
      registros,
      personal: { nome: prestador ?? personal ?? 'Personal', documento, cref },
      // A minute is what it prints, so that a file that is requested again is the one already drawn.
      escrito_em: startOfMinute(reading.now),
      codigo,
      verificacao: `${config.siteUrl}/verificar/${codigo}`,
      ultimo: { posicao: place.position, hash: place.hash, em: seal?.recordedAt ?? null },
      lacrado_em: seal?.sealedOn ?? null,
      conferido: seal?.check ?? null,
    };
    const write = (carimbo: DossierFile['carimbo']) =>
      pdfs.write<DossierFile>(tenantId, 'dossier', { ...file, carimbo });
    return (await seals.seal(write, true)).file;
  },
);

/** The contract and the rules alone are nothing that happened. */
const isEmpty = ({ sessoes, creditos, cobrancas, pagamentos, mensagens }: DossierFacts) =>
  [sessoes.linhas, creditos.linhas, cobrancas.linhas, pagamentos.linhas, mensagens].every(
    ({ length }) => length === 0,
  );

interface Asked {
  studentId: string;
  from: Date;
  to: Date;
  de: string;
  ate: string;
  limit: number;
}

/** `eles`: under which ids the student acts: the own one, those of merged records, and the accounts'. */
const who = statement((db, { studentId }: Blanks<{ studentId: string }>) =>
  db
    .selectFrom('students as s')
    .leftJoin('receipt_issuers as i', (join) => join.onRef('i.tenant_id', '=', 's.tenant_id'))
    .leftJoin('public_links as p', (join) => join.onRef('p.tenant_id', '=', 's.tenant_id'))
    .select(['s.nome', 's.cpf', 'i.nome as prestador', 'i.documento'])
    .select(sql<string | null>`coalesce(i.cref, p.cref)`.as('cref'))
    .select(trainersName.as('personal'))
    .select(
      sql<string[]>`array(select id from same_student(${studentId}) as same (id)
        union select m.user_id from memberships m where m.student_id = ${studentId})`.as('eles'),
    )
    .where('s.id', '=', studentId)
    .where('s.status', '<>', 'removed')
    .compile(),
);

const sessionsOf = statement((db, { studentId, from, to, limit }: Blanks<Asked>) =>
  db
    .selectFrom('sessions as s')
    .leftJoin('locations as l', (join) => sameTenant(join, 'l.id', 's.location_id'))
    .select(['s.id', 's.inicio', 's.status', 's.deleted', 's.credito', 's.taxa', 's.location_id'])
    .select(
      sql<
        string | null
      >`coalesce(l.nome, case when s.servico ->> 'endereco' is not null then 'Online' end)`.as('local'),
    )
    .where('s.student_id', '=', studentId)
    .where('s.inicio', '>=', from)
    .where('s.inicio', '<', to)
    .orderBy('s.inicio')
    .orderBy('s.id')
    .limit(limit)
    .compile(),
);

/** Due or paid in the period, issued in it for later, or open since before its end; not what was recorded in it of what was over before. */
const chargesOf = statement((db, { studentId, from, to, de, ate, limit }: Blanks<Asked>) =>
  db
    .selectFrom('charges as c')
    .leftJoin('plans as p', (join) => sameTenant(join, 'p.id', 'c.plano_id'))
    .select(['c.id', 'c.valor', 'c.pago', 'c.vencimento', 'c.status'])
    .select(sql<string | null>`coalesce(c.descricao, p.nome)`.as('descricao'))
    .where('c.student_id', '=', studentId)
    .where(
      sql<boolean>`(c.vencimento between ${de}::date and ${ate}::date or c.status = 'aberta' and c.emitida_em < ${to}
        or c.vencimento > ${ate}::date and c.emitida_em >= ${from} and c.emitida_em < ${to}
        or exists (select from charge_payments p join transactions t on t.id = p.id
          where p.charge_id = c.id and t.data between ${de}::date and ${ate}::date))`,
    )
    .orderBy('c.vencimento')
    .orderBy('c.id')
    .limit(limit)
    .compile(),
);

const paymentsOf = statement((db, { studentId, de, ate, limit }: Blanks<Asked>) =>
  db
    .selectFrom('transactions as t')
    .leftJoin('charge_payments as p', (join) => sameTenant(join, 'p.id', 't.id'))
    .leftJoin('charges as c', (join) => sameTenant(join, 'c.id', 'p.charge_id'))
    .leftJoin('receipt_entries as q', (join) =>
      sameTenant(join, 'q.id', 't.id').on(sql<boolean>`(not q.cancelada or t.estornada_por is not null)`),
    )
    .leftJoin('receipts as r', (join) => sameTenant(join, 'r.id', 'q.receipt_id'))
    .leftJoin('transactions as e', (join) => sameTenant(join, 'e.id', 't.estornada_por'))
    .select(['t.id', 't.data', 't.valor', 't.metodo_pagamento', 'r.numero as recibo', 'p.charge_id'])
    .select('e.registrada_em as estornado_em')
    .select(
      sql<string | null>`coalesce(case when r.id = t.id then r.descricao end, c.descricao)`.as('descricao'),
    )
    .where('t.tipo', '=', 'receita')
    .where('t.estorno_de', 'is', null)
    .where(
      sql<boolean>`t.id in (select id from charge_payments where student_id = ${studentId}
        union all select id from transactions where student_id = ${studentId})`,
    )
    .where(sql<boolean>`t.data between ${de}::date and ${ate}::date`)
    .orderBy('t.data')
    .orderBy('t.registrada_em')
    .orderBy('t.id')
    .limit(limit)
    .compile(),
);

const hashAt = statement((db, { position }: Blanks<{ position: number }>) =>
  db
    .selectFrom('events')
    .select(sql<string>`encode(hash, 'hex')`.as('hash'))
    .where('position', '=', position)
    .compile(),
);
