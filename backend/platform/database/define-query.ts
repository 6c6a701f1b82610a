import type { Type } from '@nestjs/common';
import { type IQueryHandler, Query, QueryHandler } from '@nestjs/cqrs';
import type { CompiledQuery } from 'kysely';
import { Clock } from '../clock.js';
import type { RequestContext } from '../event-store/context.js';
import { type Services, using, type WorkWith } from '../services.js';
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
  /** Never set: a call has to hand over as many arguments as the work takes (`serve`). */
  readonly takes?: (count: Args['length']) => void;
}

type Answering<Args extends unknown[], Answer> = (reading: Reading, ...args: Args) => Promise<Answer>;

/**
 * A query for the QueryBus, and its handler, which answers for the caller's tenant. `services`: those of Nest that it uses
 * besides. A query of a caller without a tenant is written as a class with a handler of its own.
 */
export function defineQuery<Args extends unknown[], Answer>(
  name: string,
  answer: Answering<Args, Answer>,
): QueryClass<Args, Answer>;
export function defineQuery<Named extends Services, Args extends unknown[], Answer>(
  name: string,
  services: Named,
  answer: WorkWith<Named, Reading, Args, Promise<Answer>>,
): QueryClass<Args, Answer>;
export function defineQuery<Named extends Services, Args extends unknown[], Answer>(
  name: string,
  ...given: [Answering<Args, Answer>] | [Named, WorkWith<Named, Reading, Args, Promise<Answer>>]
): QueryClass<Args, Answer> {
  const { services, workWith } = using(given);

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
    private readonly answer: Answering<Args, Answer>;

    constructor(
      private readonly database: Database,
      private readonly clock: Clock,
      ...instances: unknown[]
    ) {
      this.answer = workWith(instances);
    }

    execute({ context, args }: Defined): Promise<Answer> {
      const { tenantId } = context;
      const reading: Reading = {
        context,
        now: this.clock.now(),
        read: (query) => this.database.read(tenantId, query),
        report: (query) => this.database.report(tenantId, query),
      };
      return this.answer(reading, ...args);
    }
  }
  Reflect.defineMetadata('design:paramtypes', [Database, Clock, ...services], Handler);
  return Object.assign(Defined, { Handler, bus: 'queries' as const });
}
