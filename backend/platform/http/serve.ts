import {
  applyDecorators,
  Body,
  Controller,
  type ModuleMetadata,
  Param,
  Query as QueryOf,
  RequestMapping,
  RequestMethod,
  type Type,
} from '@nestjs/common';
import { type Command, CommandBus, type Query, QueryBus } from '@nestjs/cqrs';
import * as z from 'zod/mini';
import type { CommandContext, CommandResult } from '../event-store/context.js';
import type { AnswerOf, ArgsOf, Call } from './calls.api.js';
import { id } from './common.api.js';
import { Ctx } from './context.js';
import { RateLimit } from './rate-limit.js';
import { Route } from './route.js';

/** A command (see `defineCommand`) or query (see `defineQuery`). */
interface Message<Args extends unknown[], Answer> {
  new (context: CommandContext, ...args: Args): Command<CommandResult<Answer>> | Query<Answer>;
  readonly Handler: Type;
  readonly bus: 'commands' | 'queries';
  readonly takes?: (count: Args['length']) => void;
}

type Messages<Api extends Record<string, Call>> = {
  readonly [Name in keyof Api]: Message<ArgsOf<Api[Name]>, AnswerOf<Api[Name]>>;
};

const partsOf = (path: string): string[] => [...path.matchAll(/:(\w+)/g)].map(([, part]) => part!);

/** The route of a call that needs a handler of its own. Its class is a `@Controller()` without a path. */
export function Serves({ method, path, options: { limit, ...route } }: Call): MethodDecorator {
  const parts = partsOf(path);
  const params = route.params ?? z.strictObject(Object.fromEntries(parts.map((part) => [part, id])));
  return applyDecorators(
    RequestMapping({ path, method: RequestMethod[method] }),
    Route({ ...route, ...(parts.length > 0 && { params }) }),
    ...(limit ? [RateLimit(limit)] : []),
  );
}

/**
 * The routes of these calls: each executes its message with the caller's context and what the call hands over. The handlers
 * of the messages come with them, so their module lists only those of messages that no call names. Routes that need more,
 * such as cookies, streams or callers without a tenant, have handlers of their own (see `Serves`).
 */
export function serve<const Api extends Record<string, Call>>(
  api: Api,
  messages: Messages<Api>,
): ModuleMetadata {
  const named = messages as unknown as Readonly<Record<string, Message<unknown[], unknown>>>;

  class Calls {
    constructor(
      readonly commands: CommandBus,
      readonly queries: QueryBus,
    ) {}
  }
  Reflect.defineMetadata('design:paramtypes', [CommandBus, QueryBus], Calls);
  Controller()(Calls);
  for (const [name, { method, path, options }] of Object.entries(api)) {
    const message = named[name]!;
    const parts = partsOf(path);
    const { query, body } = options;
    const descriptor = {
      value(this: Calls, context: CommandContext, params: Record<string, string>, given: unknown) {
        const args = [...parts.map((part) => params[part]), ...(query || body ? [given] : [])];
        const made = new message(context, ...args);
        return message.bus === 'queries'
          ? this.queries.execute(made as Query<unknown>)
          : this.commands.execute(made);
      },
      configurable: true,
      writable: true,
    };
    Object.defineProperty(Calls.prototype, name, descriptor);
    Serves({ method, path, options })(Calls.prototype, name, descriptor);
    Ctx()(Calls.prototype, name, 0);
    Param()(Calls.prototype, name, 1);
    if (body) Body()(Calls.prototype, name, 2);
    else if (query) QueryOf()(Calls.prototype, name, 2);
  }
  const handlers = new Set(Object.values(named).map(({ Handler }) => Handler));
  return { controllers: [Calls], providers: [...handlers] };
}

/** The metadata of a module, made of parts. */
export function together(...parts: readonly ModuleMetadata[]): ModuleMetadata {
  return {
    imports: parts.flatMap(({ imports = [] }) => imports),
    controllers: parts.flatMap(({ controllers = [] }) => controllers),
    providers: parts.flatMap(({ providers = [] }) => providers),
    exports: parts.flatMap(({ exports = [] }) => exports),
  };
}
