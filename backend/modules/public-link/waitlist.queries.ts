import { Injectable } from '@nestjs/common';
import { sql } from 'kysely';
import { Clock } from '../../platform/clock.js';
import { Config } from '../../platform/config/env.js';
import { Database } from '../../platform/database/database.js';
import { defineQuery } from '../../platform/database/define-query.js';
import { type Blanks, statement } from '../../platform/database/statement.js';
import { Problem } from '../../platform/http/problem.js';
import { ReadYourWrites } from '../../platform/http/read-your-writes.js';
import { dayAndTime, firstName, weekdayAndTime } from '../../platform/portuguese.js';
import { heldUntil } from './held-until.js';
import { VisitorSecrets } from './visitor-secrets.service.js';
import type { DayPart, Waitlist } from './waitlist.api.js';
import { whatsAppAddress } from '../../platform/whatsapp.api.js';
import { trainersName } from '../accounts/trainers-name.queries.js';

/** Address of a private link of the waitlist; `oferta`: of one of its offers. */
export const waitingUrl = ({ siteUrl }: Config, token: string, oferta?: number): string =>
  `${siteUrl}/p/espera/${token}${oferta === undefined ? '' : `?oferta=${oferta}`}`;

/** The most entries of a list. */
const MOST_SHOWN = 200;

export const ListWaiting = defineQuery(
  'ListWaiting',
  { secrets: VisitorSecrets, config: Config },
  async ({ context: { timezone }, now, read }, { secrets, config }): Promise<Waitlist> => {
    const rows = await read(live({ most: MOST_SHOWN }));
    return {
      items: rows.map(
        ({ inicio, fim, ate_quando, enviada, ofertas, whatsapp, criado_em, antecedencia_min, ...row }) => {
          const person = { ...row, criado_em: new Date(criado_em).toISOString() };
          if (!inicio || !fim || !ate_quando) return { ...person, oferta: null };
          const url = waitingUrl(config, secrets.tokenOf(row.id, 'wait'), ofertas);
          const name = firstName(row.aluno ?? row.nome ?? '');
          const of = { inicio, ate_quando, enviada, por_email: row.por_email, antecedencia_min };
          const until = untilOf(of, now, timezone);
          if (until <= now) return { ...person, oferta: null };
          const texto = `Oi, ${name}! Abriu um horário: ${dayAndTime(inicio, timezone)}. É seu se responder até ${weekdayAndTime(until, timezone)}: ${url}`;
          const link = whatsapp && whatsAppAddress(whatsapp, texto);
          const offer = {
            numero: ofertas,
            enviada,
            texto,
            link,
            inicio: new Date(inicio).toISOString(),
            fim: new Date(fim).toISOString(),
            ate: until.toISOString(),
          };
          return { ...person, oferta: offer };
        },
      ),
    };
  },
);

/** To when an offer is held. Who hears of it by the message that is to be sent has the time from now on. */
function untilOf(
  offer: Pick<LiveRow, 'enviada' | 'por_email' | 'antecedencia_min'> & { inicio: Date; ate_quando: Date },
  now: Date,
  zone: string,
): Date {
  if (offer.enviada || offer.por_email) return offer.ate_quando;
  const fromNow = heldUntil(offer.inicio.getTime(), now.getTime(), zone, offer.antecedencia_min);
  return new Date(Math.max(fromNow, offer.ate_quando.getTime()));
}

/** An offer that nobody told its person of yet. */
export interface UntoldOffer {
  oferta: number;
  inicio: Date;
  ate: Date;
  url: string;
}

/** The current offer of an entry, or null where the person was told of it, or it is over. */
export const FindUntoldOffer = defineQuery(
  'FindUntoldOffer',
  { secrets: VisitorSecrets, config: Config },
  async (
    { context: { timezone }, now, read },
    { secrets, config },
    id: string,
  ): Promise<UntoldOffer | null> => {
    const [row] = await read(live({ most: 1, id }));
    if (!row?.inicio || !row.ate_quando || row.enviada || row.por_email) return null;
    const { inicio, ate_quando, ofertas: oferta } = row;
    const ate = untilOf({ ...row, inicio, ate_quando }, now, timezone);
    const url = waitingUrl(config, secrets.tokenOf(id, 'wait'), oferta);
    return ate <= now ? null : { oferta, inicio, ate, url };
  },
);

interface LiveRow {
  id: string;
  student_id: string;
  nome: string | null;
  aluno: string | null;
  whatsapp: string | null;
  location_nome: string | null;
  servico_nome: string | null;
  de: string;
  ate: string;
  periodos: DayPart[];
  pulado: boolean;
  por_email: boolean;
  criado_em: Date;
  ofertas: number;
  inicio: Date | null;
  fim: Date | null;
  ate_quando: Date | null;
  enviada: boolean;
  antecedencia_min: number;
}

/** Without people whom the trainer has blocked: they get no offers. */
const isLive = sql<boolean>`w.status = 'esperando' and w.nome is not null
  and not exists (select from public_links p where p.bloqueados ? w.student_id::text)`;

/** Whether the person is told of the current offer by mail, and of the next ones where there is none. */
const isMailed = sql<boolean>`(w.email is not null and not w.oferta_sem_email)`;

/** How many offers the trainer is to send. */
export const offersWaiting = (now: Blanks<{ now: Date }>['now']) =>
  sql<number>`(select count(*)::int from waitlist w
    where ${isLive} and not ${isMailed} and not w.oferta_enviada and w.oferta_inicio > ${now})`;

const live = statement((db, { most, id }: Blanks<{ most: number; id?: string }>) =>
  sql<LiveRow>`select w.id, w.student_id, w.nome, st.nome as aluno, st.whatsapp, l.nome as location_nome, sv.nome as servico_nome,
    w.de::text, w.ate::text, w.periodos, w.pulado, ${isMailed} as por_email, w.criado_em, w.ofertas,
    w.oferta_inicio as inicio, w.oferta_fim as fim, w.oferta_ate as ate_quando, w.oferta_enviada as enviada,
    coalesce((select antecedencia_min from public_links), 0) as antecedencia_min
    from waitlist w
    left join students st on st.tenant_id = w.tenant_id and st.id = w.student_id
    left join locations l on l.tenant_id = w.tenant_id and l.id = w.location_id
    left join services sv on sv.tenant_id = w.tenant_id and sv.id = w.service_id
    where ${isLive} ${id === undefined ? sql`` : sql`and w.id = ${id}`}
    order by w.criado_em, w.id limit ${most}::bigint`.compile(db),
);

/** The entry that a private link points to. */
export interface FoundWaiting {
  tenantId: string;
  timezone: string;
  waitId: string;
  slug: string;
  personal: string;
  nome: string;
  location_id: string;
  service_id: string | null;
  location_nome: string | null;
  de: string;
  ate: string;
  periodos: DayPart[];
  /** They gave an address. */
  por_email: boolean;
  status: 'esperando' | 'agendada' | 'saiu';
  ofertas: number;
  oferta: { inicio: string; fim: string; ate: string } | null;
  visit_id: string | null;
}

const SEE = `select set_config('app.tenant', coalesce(tenant_of_waiting($1)::text, ''), true),
  set_config('transaction_read_only', 'on', true)`;

@Injectable()
export class WaitingLinks {
  constructor(
    private readonly database: Database,
    private readonly readYourWrites: ReadYourWrites,
    private readonly clock: Clock,
    private readonly secrets: VisitorSecrets,
  ) {}

  /** @throws Problem 404 for an unknown link, and for one of a forgotten person */
  async find(token: string): Promise<FoundWaiting> {
    const tokenHash = this.secrets.hashOf(token);
    let row = await this.read(tokenHash);
    // The visitor may have joined before the projections have caught up.
    if (row && (await this.readYourWrites.wait(row.tenantId, row.head))) row = await this.read(tokenHash);
    if (!row || row.waitId === null || row.nome === null || row.personal === null)
      throw new Problem('public.waiting_not_found');
    const { head: _, inicio, fim, ate_quando, waitId, nome, personal, ...rest } = row;
    const stands = inicio !== null && fim !== null && ate_quando !== null && ate_quando > this.clock.now();
    const text = (at: Date) => new Date(at).toISOString();
    const oferta = stands ? { inicio: text(inicio), fim: text(fim), ate: text(ate_quando) } : null;
    return { ...rest, waitId, nome, personal, oferta };
  }

  private async read(tokenHash: Buffer): Promise<WaitedRow | undefined> {
    const see = { text: SEE, values: [tokenHash] };
    const [row] = await this.database.readAfter('waitlist', see, waited({ hash: tokenHash.toString('hex') }));
    return row;
  }
}

interface WaitedRow extends Omit<FoundWaiting, 'waitId' | 'nome' | 'personal' | 'oferta'> {
  head: number;
  waitId: string | null;
  nome: string | null;
  personal: string | null;
  inicio: Date | null;
  fim: Date | null;
  ate_quando: Date | null;
}

const waited = statement((db, { hash }: Blanks<{ hash: string }>) =>
  sql<WaitedRow>`select t.tenant_id as "tenantId", t.timezone, (select position from tenant_log) as head,
    w.id as "waitId", t.slug, w.nome, w.location_id, w.service_id, l.nome as location_nome, w.de::text, w.ate::text, w.periodos,
    w.email is not null as por_email, w.status, w.ofertas, w.oferta_inicio as inicio, w.oferta_fim as fim, w.oferta_ate as ate_quando, w.visit_id,
    ${trainersName} as personal
    from waitlist_links k
    join tenants t on t.tenant_id = k.tenant_id
    left join waitlist w on w.tenant_id = k.tenant_id and w.id = k.id
    left join locations l on l.tenant_id = w.tenant_id and l.id = w.location_id
    where k.token_hash = decode(${hash}, 'hex')`.compile(db),
);
