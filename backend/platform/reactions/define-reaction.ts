import type { Query } from '../database/database.js';
import type { StoredEvent } from '../event-store/event-codec.js';
import { Injectable } from '@nestjs/common';

/** Work that follows certain events, such as a mail. */
export interface Reaction {
  name: string;
  /** Types of the events that it follows. */
  events: readonly string[];
}

/** One event that a reaction follows, identical at every attempt. */
export interface Occasion {
  /** Unique for the event and the reaction: id of a mail, idempotency key of a command. */
  id: string;
  /** Personal fields decrypted, or null if the person was forgotten. */
  event: StoredEvent;
  /** Writes in the transaction that moves the reaction's checkpoint. */
  query: Query;
}

/** Returns a function to be called after the commit, or undefined. */
export type React = (occasion: Occasion) => Promise<(() => void) | undefined>;

/**
 * Defines a reaction. Its module lists it under `reactions` of its feature and gives the handler to `Reactions.handle`
 * in `onModuleInit`. A tenant's events are handled one after another, each at least once: rows written with `query` are
 * written exactly once; other effects must be made idempotent by the occasion's id. Rebuilds run no reactions.
 */
export function defineReaction(reaction: Reaction): Reaction {
  return reaction;
}

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
