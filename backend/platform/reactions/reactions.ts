import { Injectable } from '@nestjs/common';
import type { React, Reaction } from './define-reaction.js';

/** The handlers of reactions. Modules register them in every role; only workers run them. */
@Injectable()
export class Reactions {
  private readonly handlers = new Map<string, React>();

  /** Registers the handler of a reaction, in `onModuleInit`. */
  handle(reaction: Reaction, react: React): void {
    this.handlers.set(reaction.name, react);
  }

  /** @throws if no module registered one */
  handlerOf({ name }: Reaction): React {
    const handler = this.handlers.get(name);
    if (!handler) throw new Error(`the reaction ${name} has no handler`);
    return handler;
  }
}
