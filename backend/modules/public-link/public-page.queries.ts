import { Injectable } from '@nestjs/common';
import { sql } from 'kysely';
import { Clock } from '../../platform/clock.js';
import { Database } from '../../platform/database/database.js';
import { type Blanks, statement } from '../../platform/database/statement.js';
import type { CommandContext } from '../../platform/event-store/context.js';
import { Problem } from '../../platform/http/problem.js';
import { ReadYourWrites } from '../../platform/http/read-your-writes.js';
import { firstName } from '../../platform/portuguese.js';
import { whatsAppAddress } from '../../platform/whatsapp.api.js';
import { seenFrom } from '../availability/ways.js';
import { defaultPolicy, type PolicyTerms } from '../policies/policies.api.js';
import { doorOf } from './door.js';
import { takenIn, type Timetable, timetable } from './free-starts.queries.js';
import { nearestStarts, offeredStarts, periodOf, bookableStarts } from './public.slots.js';
import { defaultSettings, type LinkSettings } from './public-link.api.js';
import { type Trainer, TrainerPhones } from './trainer-phones.service.js';
import { isHeldAt, type Offered } from '../services/service.js';
import { offeredTo } from '../services/offered.queries.js';
import { plainClass, showsLocation } from './public-link.js';
import { type Demand, demandOf } from './visitor-demand.js';
import type { DoorTerms, PublicLocation, PublicPage } from './public-page.api.js';
import type { BookingTerms } from '../sessions/session.js';
import { VisitorSecrets } from './visitor-secrets.service.js';

/** A trainer's public page, with its tenant. */
export interface FoundPage {
  tenantId: string;
  timezone: string;
  /** The current slug; the page may have been asked for by a former one. */
  slug: string;
  nome: string;
  trainer: Trainer;
  /** With the duration of what is chosen. */
  settings: LinkSettings;
  /** What visitors may choose, at least one. */
  services: readonly Offered[];
  /** What is chosen: times and locations are its. */
  service: Offered;
  locais: PublicLocation[];
  demand: Demand;
  /** Starts that are shown, of all locations. */
  starts: number[];
  /** The starts at one location. */
  at: (place: string | null) => PlaceStarts;
  /** What a booking at the location costs; null where nothing is asked. */
  door: (place: string) => DoorTerms | null;
  /** The page with another service chosen; the first of them for one that is not offered. */
  choosing: (id: unknown) => FoundPage;
  /** The page for a booking of so many minutes, whatever it was booked as. */
  lasting: (minutes: number) => FoundPage;
}

interface PlaceStarts {
  /** Starts that are shown. */
  starts: number[];
  /** All starts that can be booked. */
  bookable: number[];
}

const NONE: PlaceStarts = { starts: [], bookable: [] };

const SEE = `select set_config('app.tenant', coalesce(tenant_of_slug($1, $2)::text, ''), true),
  set_config('transaction_read_only', 'on', true)`;
const DAY_MS = 86_400_000;
const MOST_DAYS = 61;

@Injectable()
export class PublicPages {
  private readonly reading = new Map<string, Promise<FoundPage>>();

  constructor(
    private readonly database: Database,
    private readonly clock: Clock,
  ) {}

  /**
   * Concurrent requests for the same page share one read, unless it is to be fresh. That is safe: a booking is checked again
   * when it is decided.
   * @throws Problem 404 for an unknown address, and another one for a page that is switched off
   */
  async find(slug: string, { isFresh = false } = {}): Promise<FoundPage> {
    const key = slug.toLowerCase();
    if (isFresh) await this.reading.get(key)?.catch(() => undefined);
    let page = this.reading.get(key);
    if (!page) {
      page = this.read(key).finally(() => this.reading.delete(key));
      this.reading.set(key, page);
    }
    return page;
  }

  private async read(slug: string): Promise<FoundPage> {
    const now = this.clock.now();
    const [row] = await this.database.readAfter(
      `slug ${slug}`,
      { text: SEE, values: [slug, now] },
      shown({
        from: new Date(now.getTime() - DAY_MS),
        to: new Date(now.getTime() + MOST_DAYS * DAY_MS),
        now,
      }),
    );
    if (!row || row.trainer === null) throw new Problem('public.not_found');
    const { trainer } = row;
    const set = row.settings ?? defaultSettings;
    if (!set.ativo) throw pausedProblem(trainer.nome, set.whatsapp);
    const { tenant_id: tenantId, timezone, rules, exceptions, vacations } = row;
    const services = row.services.length > 0 ? row.services : [plainClass(set)];
    const taken = takenIn(row);
    const pageOf = (service: Offered, all: readonly Offered[]): FoundPage => {
      const { duracao_min, valor: primeira_aula } = service;
      const settings = { ...set, duracao_min, primeira_aula };
      const asked = { settings, rules: { rules, exceptions, vacations, zone: timezone }, now: now.getTime() };
      const locais = row.locais.filter((one) => showsLocation(set, one) && isHeldAt(service, one.id));
      const known = new Map<string, PlaceStarts>();
      const at = (place: string | null): PlaceStarts => {
        // Without a location nothing can be booked.
        if (locais.length === 0) return NONE;
        const minutes = place === null ? undefined : row.ways[place];
        const key = place !== null && minutes ? place : '';
        const found = known.get(key);
        if (found) return found;
        const bookable = bookableStarts({ ...asked, busy: seenFrom(taken, minutes) });
        const fresh = { starts: offeredStarts(bookable, settings, timezone), bookable };
        known.set(key, fresh);
        return fresh;
      };
      return {
        tenantId,
        timezone,
        slug: row.slug,
        nome: trainer.nome,
        settings,
        demand: row.demand,
        services: all,
        service,
        trainer: { trainerId: trainer.id, whatsapp: row.settings?.salvo ? set.whatsapp : undefined },
        locais: locais.map(({ id, nome, endereco }) => ({ id, nome, endereco })),
        door: (place) => {
          const policy = row.locais.find(({ id }) => id === place)?.policy ?? defaultPolicy;
          return doorOf(settings, { temChave: row.tem_chave, automatico: row.automatico, policy });
        },
        starts: [...new Set(locais.flatMap(({ id }) => at(id).starts))].toSorted((one, other) => one - other),
        at,
        choosing: (id) => {
          const chosen = services.find((one) => one.id === id);
          return chosen && chosen !== service ? pageOf(chosen, services) : page;
        },
        lasting: (minutes) => {
          const same = { ...plainClass(set), duracao_min: minutes };
          return pageOf(same, [same]);
        },
      };
    };
    const page = pageOf(services[0]!, services);
    return page;
  }
}

/** `contato`: where the visitor can write to the trainer instead. */
function pausedProblem(nome: string, whatsapp: string | null): Problem {
  return new Problem('public.paused', {
    detail: `${firstName(nome)} pausou os agendamentos`,
    contato: whatsapp && whatsAppAddress(whatsapp),
  });
}

/** The public part of the page. */
export const shownPage = ({
  slug,
  nome,
  settings,
  timezone,
  locais,
  starts,
  door,
  services,
}: FoundPage): PublicPage => ({
  slug,
  nome,
  fuso: timezone,
  locais: locais.map((place) => ({ ...place, porta: door(place.id) })),
  texto: settings.texto,
  cref: settings.cref,
  // Services say their own prices.
  primeira_aula: services[0]!.id === null ? settings.primeira_aula : null,
  servicos: services.flatMap(({ id, nome, duracao_min, valor }) =>
    id === null || nome === null ? [] : [{ id, nome, duracao_min, valor }],
  ),
  duracao_min: settings.duracao_min,
  horarios: starts.map((start) => periodOf(start, settings)),
});

/** The nearest free times at a location, for a time that is taken. */
export const waysOut = ({ at, settings }: FoundPage, wished: number, place: string | null) =>
  nearestStarts(at(place).bookable, wished).map((start) => periodOf(start, settings));

interface Shown extends Timetable {
  tenant_id: string;
  slug: string;
  timezone: string;
  /** Null where the trainer's account was deleted. */
  trainer: { id: string; nome: string } | null;
  settings: (LinkSettings & { salvo: boolean }) | null;
  locais: (PublicLocation & { is_active: boolean; policy: PolicyTerms | null })[];
  services: Offered[];
  tem_chave: boolean;
  automatico: boolean;
  demand: Demand;
}

/** Of the current tenant. */
const trainer = sql`(select json_build_object('id', u.id, 'nome', u.user_metadata ->> 'nome')
      from memberships m join auth.users u on u.id = m.user_id where m.role = 'personal' limit 1)`;

/** Everything the page shows of the current tenant. Busy times are read from the guard's table, so they are never behind. */
const shown = statement((db, { from, to, now }: Blanks<{ from: Date; to: Date; now: Date }>) =>
  sql<Shown>`select t.tenant_id, t.slug, t.timezone,
    ${trainer} as trainer, ${sql.raw(demandOf('t.tenant_id'))} as demand,
    (select to_jsonb(p) - 'tenant_id' - 'id' - 'bloqueados' from public_links p) as settings,
    coalesce((select json_agg(json_build_object('id', id, 'nome', nome, 'endereco', endereco, 'is_active', is_active,
      'policy', (select json_build_object('cancel_limite_horas', cancel_limite_horas, 'taxa_percent', taxa_percent,
        'queima_credito', queima_credito) from policies o where o.id = l.id))
      order by busca, id) from locations l where status = 'existing' and nome is not null), '[]') as locais,
    exists (select from pix_accounts where chave is not null) as tem_chave,
    exists (select from pix_providers) as automatico,
    ${offeredTo('na_pagina')} as services,
    ${timetable({ from, to, now, except: sql`null` })}
    from tenants t`.compile(db),
);

/** The answer to a booking, as it is stored. */
export interface BookedVisit {
  id: string;
  inicio: string;
  fim: string;
}

/** Keys that the next query will look up, and its result. */
interface Look {
  keys: string[];
  rows: Promise<Kept[]>;
}

@Injectable()
export class BookingAnswers {
  /** By asker. */
  private readonly looking = new Map<string, Promise<unknown>>();
  private readonly next = new Map<string, Look>();

  constructor(private readonly database: Database) {}

  /** The stored answer of a booking, or of a request to wait, that the visitor sends again; null for a new one. */
  async find({ tenantId, userId, idempotency }: CommandContext): Promise<BookedVisit | null> {
    const { scope, key, bodyHash } = idempotency!;
    const rows = await this.look({ tenantId, userId, scope }, key);
    return rows.find((row) => row.key === key && row.bodyHash === bodyHash)?.answer ?? null;
  }

  /** Thousands of bookings may be refused at once: those that arrive while a query runs are all answered by the next one. */
  private look({ tenantId, userId, scope }: Asker, key: string): Promise<Kept[]> {
    const place = `${tenantId} ${userId} ${scope}`;
    const waiting = this.next.get(place);
    if (waiting) {
      waiting.keys.push(key);
      return waiting.rows;
    }
    const keys = [key];
    const before = this.looking.get(place) ?? Promise.resolve();
    const rows = before.then(() => {
      this.next.delete(place);
      return this.database.read(tenantId, kept({ userId, scope, keys }));
    });
    this.next.set(place, { keys, rows });
    const done = rows.then(
      () => undefined,
      () => undefined,
    );
    this.looking.set(place, done);
    void done.then(() => {
      if (this.looking.get(place) === done) this.looking.delete(place);
    });
    return rows;
  }
}

interface Asker {
  tenantId: string;
  userId: string;
  scope: string;
}

interface Kept {
  key: string;
  bodyHash: string;
  answer: BookedVisit;
}

const kept = statement((db, { userId, scope, keys }: Blanks<Omit<Asker, 'tenantId'> & { keys: string[] }>) =>
  sql<Kept>`select key, body_hash as "bodyHash", answer from idempotency_keys
    where user_id = ${userId} and scope = ${scope} and key = any(${keys}::text[])`.compile(db),
);

/** The booking that a private link points to. */
export interface FoundVisit {
  tenantId: string;
  timezone: string;
  visitId: string;
  slug: string;
  personal: string;
  whatsapp: string | null;
  antecedencia_min: number;
  /** The name given with the booking. */
  nome: string;
  location: PublicLocation | null;
  /** Name of the service that was booked. */
  servico: string | null;
  inicio: string;
  fim: string;
  status: 'agendada' | 'feita' | 'cancelada';
  confirmado: boolean;
  /** The trainer's message with a refusal. */
  mensagem: string | null;
  /** When it is cancelled unless it is confirmed. */
  vence_em: string | null;
  /** Nobody confirmed it in time, or nobody paid. */
  venceu: boolean;
  porta: BookingTerms | null;
  cobranca: VisitCharge | null;
  /** Cents that are to be paid before it stands. */
  pedido: number;
}

/** The charge of a booking. Cents. */
interface VisitCharge {
  id: string;
  link_id: string;
  status: 'aberta' | 'paga' | 'cancelada';
  valor: number;
  pago: number;
  /** What is asked first. */
  entrada: number;
  devolver: number;
  devolvido: number;
}

const SEE_VISIT = `select set_config('app.tenant', coalesce(tenant_of_visit($1)::text, ''), true),
  set_config('transaction_read_only', 'on', true)`;

@Injectable()
export class VisitLinks {
  constructor(
    private readonly database: Database,
    private readonly readYourWrites: ReadYourWrites,
    private readonly phones: TrainerPhones,
    private readonly secrets: VisitorSecrets,
  ) {}

  /** @throws Problem 404 for an unknown link, and for one of a forgotten person */
  async find(token: string): Promise<FoundVisit> {
    const tokenHash = this.secrets.hashOf(token);
    let row = await this.read(tokenHash);
    // The visitor may have just booked, moved or cancelled, before the projections have caught up.
    if (row && (await this.readYourWrites.wait(row.tenantId, row.head))) row = await this.read(tokenHash);
    if (!row || row.visitId === null || row.nome === null || row.trainer === null)
      throw new Problem('public.visit_not_found');
    const {
      head: _,
      visitId,
      location_id,
      location_nome,
      endereco,
      inicio,
      fim,
      nome,
      trainer: { id: trainerId, nome: personal },
      salvo,
      whatsapp,
      antecedencia_min,
      vence_em,
      ...rest
    } = row;
    const { cobranca } = rest;
    return {
      ...rest,
      whatsapp: await this.phones.of({ trainerId, whatsapp: salvo ? whatsapp : undefined }),
      visitId,
      nome,
      personal,
      antecedencia_min: antecedencia_min ?? defaultSettings.antecedencia_min,
      location:
        location_id === null || location_nome === null
          ? null
          : { id: location_id, nome: location_nome, endereco },
      inicio: new Date(inicio).toISOString(),
      fim: new Date(fim).toISOString(),
      vence_em: vence_em && vence_em < inicio ? new Date(vence_em).toISOString() : null,
      pedido: cobranca?.status === 'aberta' ? Math.max(cobranca.entrada - cobranca.pago, 0) : 0,
    };
  }

  private async read(tokenHash: Buffer): Promise<Visited | undefined> {
    const see = { text: SEE_VISIT, values: [tokenHash] };
    const [row] = await this.database.readAfter('visits', see, visited({ hash: tokenHash.toString('hex') }));
    return row;
  }
}

interface Visited extends Omit<
  FoundVisit,
  'visitId' | 'location' | 'inicio' | 'fim' | 'nome' | 'personal' | 'antecedencia_min' | 'vence_em' | 'pedido'
> {
  vence_em: Date | null;
  /** Null where it is not projected yet, or the session was deleted or given to another student. */
  visitId: string | null;
  /** Head of the tenant's log. */
  head: number;
  nome: string | null;
  /** Null where the trainer's account was deleted. */
  trainer: { id: string; nome: string } | null;
  /** Whether the page's settings were saved. */
  salvo: boolean;
  antecedencia_min: number | null;
  location_id: string | null;
  location_nome: string | null;
  endereco: string | null;
  inicio: Date;
  fim: Date;
}

const visited = statement((db, { hash }: Blanks<{ hash: string }>) =>
  sql<Visited>`select t.tenant_id as "tenantId", t.timezone, (select position from tenant_log) as head, s.visit_id as "visitId", t.slug, p.whatsapp, p.antecedencia_min,
    coalesce(p.salvo, false) as salvo, ${trainer} as trainer,
    s.nome, sv.nome as servico, s.location_id, l.nome as location_nome, l.endereco, s.inicio, s.fim, s.status, s.confirmado, s.mensagem,
    s.vence_em, coalesce(s.venceu, false) as venceu, s.porta,
    (select json_build_object('id', c.id, 'link_id', c.link_id, 'status', c.status, 'valor', c.valor, 'pago', c.pago,
        'entrada', c.entrada, 'devolver', c.devolver,
        'devolvido', coalesce((select sum((p ->> 'devolvido')::bigint) from jsonb_array_elements(c.pagamentos) p), 0))
      from charges c where c.id = (s.porta ->> 'charge_id')::uuid) as cobranca
    from visitor_links k
    join tenants t on t.tenant_id = k.tenant_id
    left join (select v.id as visit_id, v.nome, v.mensagem, v.vence_em, v.venceu, s.* from visits v join sessions s on s.tenant_id = v.tenant_id
      and s.id = v.session_id and s.student_id = v.student_id and not s.deleted) s
      on s.tenant_id = k.tenant_id and s.visit_id = k.id
    left join locations l on l.tenant_id = s.tenant_id and l.id = s.location_id
    left join services sv on sv.tenant_id = s.tenant_id and sv.id = (s.servico->>'service_id')::uuid
    left join public_links p on p.tenant_id = k.tenant_id
    where k.token_hash = decode(${hash}, 'hex')`.compile(db),
);
