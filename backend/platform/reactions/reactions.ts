import { Injectable } from '@nestjs/common';
import type { React, Reaction } from './define-reaction.js';

/** The handlers of reactions, which modules give in every role and workers run. */
@Injectable()
export class Reactions {
  private readonly handlers = new Map<string, React>();

  /** Gives the handler of a reaction, in `onModuleInit`. */
  handle(reaction: Reaction, react: React): void {
    this.handlers.set(reaction.name, react);
  }

  /** @throws where no module gave it */
  handlerOf({ name }: Reaction): React {
    const handler = this.handlers.get(name);
    if (!handler) throw new Error(`the reaction ${name} has no handler`);
    return handler;
  }
}
