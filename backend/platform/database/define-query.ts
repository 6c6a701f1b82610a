import type { Type } from '@nestjs/common';
import { type IQueryHandler, Query, QueryHandler } from '@nestjs/cqrs';
import type { CompiledQuery } from 'kysely';
import { Clock } from '../clock.js';
import type { RequestContext } from '../event-store/context.js';
import { Database } from './database.js';

/** What a query may use: its caller, the time, and rows that its tenant may see (see `Database.read` and `report`). */
export interface Reading {
  readonly context: RequestContext;
  readonly now: Date;
  readonly read: <Row>(query: CompiledQuery<Row>) => Promise<Row[]>;
  readonly report: <Row>(query: CompiledQuery<Row>) => Promise<Row[]>;
}

interface QueryClass<Args extends unknown[], Answer> {
  new (context: RequestContext, ...args: Args): Query<Answer>;
  /** Provider for the module that owns the query. */
  readonly Handler: Type;
  readonly bus: 'queries';
}

/** Services by the names under which a query uses them. */
type Services = Readonly<Record<string, abstract new (...args: never[]) => unknown>>;
type Injected<Named extends Services> = { readonly [Name in keyof Named]: InstanceType<Named[Name]> };

type Answering<Named extends Services, Args extends unknown[], Answer> = (
  reading: Reading & Injected<Named>,
  ...args: Args
) => Promise<Answer>;

/**
 * A query for the QueryBus, and its handler, which answers for the caller's tenant. `services`: those of Nest that it uses
 * besides. A query of a caller without a tenant is written as a class with a handler of its own.
 */
export function defineQuery<Args extends unknown[], Answer>(
  name: string,
  answer: Answering<Record<never, never>, Args, Answer>,
): QueryClass<Args, Answer>;
export function defineQuery<Named extends Services, Args extends unknown[], Answer>(
  name: string,
  services: Named,
  answer: Answering<Named, Args, Answer>,
): QueryClass<Args, Answer>;
export function defineQuery<Named extends Services, Args extends unknown[], Answer>(
  name: string,
  ...given: [Answering<Named, Args, Answer>] | [Named, Answering<Named, Args, Answer>]
): QueryClass<Args, Answer> {
  const answer = given.at(-1) as Answering<Named, Args, Answer>;
  const services = given.length === 2 ? Object.entries(given[0]) : [];

  class Defined extends Query<Answer> {
    readonly args: Args;

    constructor(
      readonly context: RequestContext,
      ...args: Args
    ) {
      super();
      this.args = args;
    }
  }
  Object.defineProperty(Defined, 'name', { value: name });

  @QueryHandler(Defined)
  class Handler implements IQueryHandler<Defined> {
    private readonly used: Injected<Named>;

    constructor(
      private readonly database: Database,
      private readonly clock: Clock,
      ...used: unknown[]
    ) {
      this.used = Object.fromEntries(services.map(([key], at) => [key, used[at]])) as Injected<Named>;
    }

    execute({ context, args }: Defined): Promise<Answer> {
      const { tenantId } = context;
      const reading: Reading = {
        context,
        now: this.clock.now(),
        read: (query) => this.database.read(tenantId, query),
        report: (query) => this.database.report(tenantId, query),
      };
      return answer({ ...reading, ...this.used }, ...args);
    }
  }
  const injected = [Database, Clock, ...services.map(([, service]) => service)];
  Reflect.defineMetadata('design:paramtypes', injected, Handler);
  return Object.assign(Defined, { Handler, bus: 'queries' as const });
}
